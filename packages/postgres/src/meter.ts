import type { StoreMeter } from './session-store.ts';

/** Counters of this process's database work. */
export interface PostgresMeasures {
  /** Transactions, the requests in them, and the bytes of states. */
  groups: number;
  requests: number;
  bytes: number;
  /** Conflicts with other writers, and loaded sessions. */
  stale: number;
  loads: number;
  /** A histogram of transaction times in seconds. */
  seconds: { buckets: readonly (readonly [bound: number, count: number])[]; sum: number };
}

/** Bucket bounds in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createStoreMeter(): StoreMeter & { measures(): PostgresMeasures } {
  const sums = { groups: 0, requests: 0, bytes: 0, stale: 0, loads: 0 };
  const counts = BOUNDS.map(() => 0);
  let seconds = 0;
  return {
    group(requests, bytes, took) {
      sums.groups++;
      sums.requests += requests;
      sums.bytes += bytes;
      seconds += took;
      for (const [i, bound] of BOUNDS.entries()) if (took <= bound) counts[i]!++;
    },
    stale(sessions) {
      sums.stale += sessions;
    },
    loaded(sessions) {
      sums.loads += sessions;
    },
    measures: () => ({
      ...sums,
      seconds: { buckets: BOUNDS.map((bound, i) => [bound, counts[i]!] as const), sum: seconds },
    }),
  };
}
