import type { MomentRow } from '../../src/server/api/answers.ts';

/** A stretch of moments, from the first to before the last. */
export interface Run {
  from: number;
  to: number;
  isFolded: boolean;
}

/** Fewer are not worth a fold. */
const LONG = 8;
/** So many stay in sight before and after something that happened. */
const CONTEXT = 2;

/** Nothing was seen, done or found out at this moment. */
export const isQuiet = ({ signals, plans, outcomes, faults }: MomentRow): boolean =>
  signals.length + plans.length + outcomes.length + faults.length === 0;

/** Where long stretches of quiet moments are folded. Gives all moments, in order. */
export function runsOf(quiet: readonly boolean[]): Run[] {
  const runs: Run[] = [];
  let shown = 0;
  for (let from = 0; from < quiet.length; ) {
    let to = from;
    while (to < quiet.length && quiet[to]) to++;
    const [first, last] = [from === 0 ? 0 : from + CONTEXT, to === quiet.length ? to : to - CONTEXT];
    if (last - first >= LONG) {
      if (first > shown) runs.push({ from: shown, to: first, isFolded: false });
      runs.push({ from: first, to: last, isFolded: true });
      shown = last;
    }
    from = to + 1;
  }
  if (shown < quiet.length) runs.push({ from: shown, to: quiet.length, isFolded: false });
  return runs;
}
