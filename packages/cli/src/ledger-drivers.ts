import type { LedgerDrivers } from '@unrut/ledger/open-ledger';

const openPostgres: LedgerDrivers[string] = async (url) => {
  const { createPostgresLedger } = await import('@unrut/postgres/open-postgres');
  return createPostgresLedger({ url });
};

/** The ledgers that our programs can open besides files. Postgres is loaded by the first address. */
export const DRIVERS: LedgerDrivers = { postgres: openPostgres, postgresql: openPostgres };
