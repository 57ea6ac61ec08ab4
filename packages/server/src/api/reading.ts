import type { Ledger } from '@unrut/ledger/ledger';
import type { Reports } from '@unrut/ledger/reports/reports';
import type { StallLimits } from '@unrut/ledger/reports/stall';
import { createLiveTimelines, type LiveTimeline } from '@unrut/ledger/views/live-timelines';
import { reportsOf } from '@unrut/ledger/views/tally-reports';

/** What the routes read a ledger with. */
export interface LedgerReading {
  ledger: Ledger;
  reports: Reports;
  timeline(session: string): Promise<LiveTimeline | undefined>;
  now(): number;
  close(): Promise<void>;
}

/**
 * Opens a ledger to be read beside the one that is written to. `path` is its file, where it has
 * one.
 */
export function openReading(
  ledger: Ledger,
  path: string | undefined,
  now: () => number = Date.now,
  stall?: StallLimits,
): LedgerReading {
  const reports = reportsOf(ledger, path, { now, stall });
  return { ledger, reports, now, timeline: createLiveTimelines(reports), close: reports.close };
}
