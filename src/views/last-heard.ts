import type { SessionSummary } from '../ledger/reports/session-summary.ts';

/**
 * When sessions were last heard of, by this machine's clock: when they say or, where their clock is ahead, when that was first read here.
 * So an agent whose clock is wrong does not seem to run for ever. A summary is another object once there is a new entry.
 */
export function createLastHeard(now: () => number): (summary: SessionSummary) => number {
  const ahead = new WeakMap<SessionSummary, number>();
  return (summary) => {
    const read = ahead.get(summary) ?? now();
    if (!ahead.has(summary) && summary.last <= read) return summary.last;
    ahead.set(summary, read);
    return read;
  };
}
