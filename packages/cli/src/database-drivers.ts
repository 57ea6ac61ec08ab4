import type { LedgerDrivers } from '@unrut/ledger/open-ledger';

const openPostgres: LedgerDrivers[string] = async (url) => {
  const { createPostgresLedger } = await import('@unrut/postgres/open-postgres');
  return createPostgresLedger({ url });
};

/** Ledgers that are not files. Postgres is loaded by the first address. */
export const DATABASES: LedgerDrivers = { postgres: openPostgres, postgresql: openPostgres };
