import type { LoopAccount } from '@unrut/engine/account/loop';

type TimedLoop = Pick<LoopAccount, 'end' | 'advice' | 'wasted'>;

/** A longer gap between two steps is a pause of the user or the machine. */
const LONGEST_STEP = 10 * 60_000;

/**
 * Returns a function that sums the milliseconds wasted by loops: the time of their wasted steps,
 * which are their last ones. A step in several loops counts once, and the time before a user
 * message does not count. Undefined if times are unknown.
 */
export function wastedTime(
  times: readonly (number | undefined)[],
  spoke: readonly number[],
): (loops: readonly TimedLoop[]) => number | undefined {
  const afterUser = new Set(spoke);
  const isTimed = times.some((at) => at !== undefined);
  return (loops) => {
    if (!isTimed) return undefined;
    const wasted = new Set<number>();
    for (const { end, advice, wasted: waste } of loops)
      if (!advice)
        for (let step = end; step > end - waste.steps && step > 0; step--) wasted.add(step);
    let sum = 0;
    for (const step of wasted) {
      const [before, at] = [times[step - 1], times[step]];
      if (before === undefined || at === undefined || afterUser.has(step)) continue;
      const length = at - before;
      if (length > 0 && length <= LONGEST_STEP) sum += length;
    }
    return sum;
  };
}
