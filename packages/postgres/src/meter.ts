import type { StoreMeter } from './session-store.ts';

/** The work that a process has done on a database so far. */
export interface PostgresMeasures {
  /** Transactions, the requests in them, and the bytes of states. */
  groups: number;
  requests: number;
  bytes: number;
  /** Times that somebody else was faster, and sessions that were loaded. */
  stale: number;
  loads: number;
  /**
   * Seconds that transactions took: how many took at most so long, by upper bound, and all of them
   * together.
   */
  seconds: { buckets: readonly (readonly [bound: number, count: number])[]; sum: number };
}

/** In seconds, as Prometheus has them. */
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
