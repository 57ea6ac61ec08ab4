import type { MomentRow } from '@unrut/server/api/answers';

/** A stretch of moments (the end is exclusive), and its kind if it is folded. */
export interface Run {
  from: number;
  to: number;
  folded?: 'quiet' | 'loop';
}

/** Fewer are not worth a fold: of steps in which nothing repeated, and of one loop. */
const LONG = { quiet: 8, loop: 4 };
/** Number of moments shown before and after an event, and at both ends of a loop. */
const CONTEXT = 2;
const OF_LOOP = { first: 3, last: 1 };

/** The moment has no signal, plan or outcome. */
export const isQuiet = ({ signals, plans, outcomes, faults }: MomentRow): boolean =>
  signals.length + plans.length + faults.length === 0 &&
  outcomes.every(({ outcome }) => outcome === 'unknown');

/** A moment's kind for folding: part of a loop, quiet, or null if always shown. */
export function kindOf(moment: MomentRow, letter: string, isHere: boolean): string | null {
  if (isHere || letter === 'u' || moment.faults.length > 0) return null;
  if (moment.loops && moment.loops.length > 0) return moment.loops.join(' ');
  return isQuiet(moment) ? '' : null;
}

/**
 * Folds long stretches of one kind: quiet moments (`''`), and the middle of a loop. Returns all
 * moments, in order.
 */
export function runsOf(kinds: readonly (string | null)[]): Run[] {
  const runs: Run[] = [];
  let shown = 0;
  for (let from = 0; from < kinds.length; ) {
    const kind = kinds[from]!;
    let to = from + 1;
    while (kind !== null && to < kinds.length && kinds[to] === kind) to++;
    const folded = kind === '' ? 'quiet' : 'loop';
    const first = folded === 'loop' ? from + OF_LOOP.first : from === 0 ? 0 : from + CONTEXT;
    const last = folded === 'loop' ? to - OF_LOOP.last : to === kinds.length ? to : to - CONTEXT;
    if (kind !== null && last - first >= LONG[folded]) {
      if (first > shown) runs.push({ from: shown, to: first });
      runs.push({ from: first, to: last, folded });
      shown = last;
    }
    from = to;
  }
  if (shown < kinds.length) runs.push({ from: shown, to: kinds.length });
  return runs;
}
