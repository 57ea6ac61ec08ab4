import type { LedgerDrivers } from '@unrut/ledger/open-ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite/create-sqlite-ledger';
import { DATABASES } from './database-drivers.ts';

/** The ledgers of our commands, with reports. The hook does without: it only writes. */
export const DRIVERS: LedgerDrivers = {
  ...DATABASES,
  file: async (path, options) => createSqliteLedger({ ...options, path }),
};
