import { existsSync } from 'node:fs';
import type { Ledger } from '../ledger/ledger.ts';
import { createMemoryLedger } from '../ledger/memory.ts';
import type { Reports } from '../ledger/reports/reports.ts';
import { createSqliteLedger } from '../ledger/sqlite/index.ts';
import { reportsOf } from './tally-reports.ts';

/** Uses the ledger at a path, and closes it. Where there is none it is an empty one: merely looking makes no file. */
export async function readLedger<T>(path: string, use: (ledger: Ledger, reports: Reports) => Promise<T>): Promise<T> {
  const isThere = existsSync(path);
  const ledger = isThere ? createSqliteLedger({ path }) : createMemoryLedger();
  const reports = reportsOf(ledger, isThere ? path : undefined);
  try {
    return await use(ledger, reports);
  } finally {
    await reports.close();
    await ledger.close();
  }
}
