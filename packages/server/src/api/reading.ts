import type { Ledger } from '@unrut/ledger/ledger';
import type { Reports } from '@unrut/ledger/reports/reports';
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
): LedgerReading {
  const reports = reportsOf(ledger, path, { now });
  return { ledger, reports, now, timeline: createLiveTimelines(reports), close: reports.close };
}
