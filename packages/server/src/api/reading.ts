import type { Ledger } from '@unrut/ledger/ledger';
import type { Reports } from '@unrut/ledger/reports/reports';
import type { StallLimits } from '@unrut/ledger/reports/stall';
import { reportsOf } from '@unrut/ledger/sqlite/reports-of';
import { createLiveTimelines, type LiveTimeline } from '@unrut/ledger/views/live-timelines';

/** The means by which routes read a ledger. */
export interface LedgerReading {
  ledger: Ledger;
  reports: Reports;
  timeline(session: string): Promise<LiveTimeline | undefined>;
  now(): number;
  close(): Promise<void>;
}

/** Reads a ledger by its reports. */
export function openReading(
  ledger: Ledger,
  now: () => number = Date.now,
  stall?: StallLimits,
): LedgerReading {
  const reports = reportsOf(ledger, now);
  if (stall) reports.stallAfter?.(stall);
  return { ledger, reports, now, timeline: createLiveTimelines(reports), close: reports.close };
}
