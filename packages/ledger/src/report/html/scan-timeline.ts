import { RUNGS } from '@unrut/engine/event';
import { MAX } from './bounds.ts';
import type { RankedRun } from './ranking.ts';

/** The steps of a run as a timeline draws them. */
export interface DrawnRun {
  /** One letter per moment; user messages are between the steps. */
  letters: string;
  /** For each moment, the highest rung that would have been reached, from 1; 0 for none. */
  acts: string;
  /** Steps per letter, if there are too many. */
  size: number;
  /** Steps before which a person spoke. */
  spoke: number[];
}

/** The moments of a run, and those at which Unrut would have acted. */
export function drawnRun({ run, loops }: RankedRun): DrawnRun {
  const size = Math.max(1, Math.ceil(run.timeline.length / MAX.letters));
  const spoke = size > 1 ? [] : run.spoke;
  const spoken = new Set(spoke);
  const steps = binned(run.timeline, size);
  const letters = steps.map((letter, step) => (spoken.has(step) ? `u${letter}` : letter)).join('');
  const acts = new Array<number>(letters.length).fill(0);
  for (const { loop } of loops)
    for (const { step, rung } of loop.plans) {
      const moment = momentOf(step, { size, spoke });
      acts[moment] = Math.max(acts[moment] ?? 0, RUNGS.indexOf(rung) + 1);
    }
  return { letters, acts: acts.slice(0, letters.length).join(''), size, spoke };
}

/** The index of a step among the drawn moments. */
export const momentOf = (step: number, { size, spoke }: Pick<DrawnRun, 'size' | 'spoke'>): number =>
  Math.floor(step / size) + spoke.filter((each) => each <= step).length;

/** Order of precedence among equally frequent kinds in a letter. */
const TELLING = ['e', 'b', '-', 'w', '?', 'u', 'n', 'm'];

/** The most frequent kind of each group of steps. */
export function binned(letters: string, size: number): string[] {
  const bins: string[] = [];
  for (let from = 0; from < letters.length; from += size) {
    const tally = new Map<string, number>();
    for (const letter of letters.slice(from, from + size)) {
      const known = TELLING.includes(letter) ? letter : '?';
      tally.set(known, (tally.get(known) ?? 0) + 1);
    }
    bins.push(
      TELLING.toSorted((one, other) => (tally.get(other) ?? 0) - (tally.get(one) ?? 0))[0]!,
    );
  }
  return bins;
}
