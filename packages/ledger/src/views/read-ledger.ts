import { existsSync } from 'node:fs';
import type { Ledger } from '../ledger.ts';
import { createMemoryLedger } from '../memory.ts';
import { type LedgerDrivers, openLedger } from '../open-ledger.ts';
import { isPostgresUrl } from '../postgres-address.ts';
import type { Reports } from '../reports/reports.ts';
import { reportsOf } from './tally-reports.ts';

/**
 * Uses the ledger at a path or an address, and closes it. Where there is no file it is an empty
 * one: merely looking makes none.
 */
export async function readLedger<T>(
  address: string,
  drivers: LedgerDrivers,
  use: (ledger: Ledger, reports: Reports) => Promise<T>,
): Promise<T> {
  const isFile = !isPostgresUrl(address) && existsSync(address);
  const ledger =
    isFile || isPostgresUrl(address) ? await openLedger(address, drivers) : createMemoryLedger();
  const reports = reportsOf(ledger, isFile ? address : undefined);
  try {
    return await use(ledger, reports);
  } finally {
    await reports.close();
    await ledger.close();
  }
}
