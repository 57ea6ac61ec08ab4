import type { MomentRow } from '@unrut/server/api/answers';

/**
 * A stretch of moments, from the first to before the last, and what they have in common where it is
 * folded.
 */
export interface Run {
  from: number;
  to: number;
  folded?: 'quiet' | 'loop';
}

/** Fewer are not worth a fold: of steps in which nothing repeated, and of one loop. */
const LONG = { quiet: 8, loop: 4 };
/**
 * So many stay in sight before and after something that happened; of a loop, so many at its
 * beginning and its end.
 */
const CONTEXT = 2;
const OF_LOOP = { first: 3, last: 1 };

/** Nothing was seen, done or found out at this moment. */
export const isQuiet = ({ signals, plans, outcomes, faults }: MomentRow): boolean =>
  signals.length + plans.length + faults.length === 0 &&
  outcomes.every(({ outcome }) => outcome === 'unknown');

/**
 * What a moment is for the fold: part of a loop, quiet, or (null) something that is always shown.
 */
export function kindOf(moment: MomentRow, letter: string, isHere: boolean): string | null {
  if (isHere || letter === 'u' || moment.faults.length > 0) return null;
  if (moment.loops && moment.loops.length > 0) return moment.loops.join(' ');
  return isQuiet(moment) ? '' : null;
}

/**
 * Where long stretches of one kind are folded: quiet ones (`''`), and the middle of a loop. Gives
 * all moments, in order.
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
