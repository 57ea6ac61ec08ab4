import { existsSync } from 'node:fs';
import type { Ledger } from '../ledger/ledger.ts';
import { createSqliteLedger } from '../ledger/sqlite/index.ts';

/** Uses a ledger that is there, and closes it. Null where there is none: merely looking makes none. */
export async function readLedger<T>(path: string, use: (ledger: Ledger) => Promise<T>): Promise<T | null> {
  if (!existsSync(path)) return null;
  const ledger = createSqliteLedger({ path });
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}
