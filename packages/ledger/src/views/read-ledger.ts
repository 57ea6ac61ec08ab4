import type { Ledger } from '../ledger.ts';
import { type LedgerDrivers, useLedger } from '../open-ledger.ts';
import type { Reports } from '../reports/reports.ts';
import { reportsOf } from '../sqlite/reports-of.ts';

/** Opens the ledger at a path or an address and its reports, uses them, and closes both. */
export const readLedger = <T>(
  address: string,
  drivers: LedgerDrivers,
  use: (ledger: Ledger, reports: Reports) => Promise<T>,
): Promise<T> =>
  useLedger(address, drivers, async (ledger) => {
    const reports = reportsOf(ledger);
    try {
      return await use(ledger, reports);
    } finally {
      await reports.close();
    }
  });
