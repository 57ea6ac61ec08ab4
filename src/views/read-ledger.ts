import { existsSync } from 'node:fs';
import type { Ledger } from '../ledger/ledger.ts';
import { createMemoryLedger } from '../ledger/memory.ts';
import { createSqliteLedger } from '../ledger/sqlite/index.ts';

/** Uses the ledger at a path, and closes it. Where there is none it is an empty one: merely looking makes no file. */
export async function readLedger<T>(path: string, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = existsSync(path) ? createSqliteLedger({ path }) : createMemoryLedger();
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}
