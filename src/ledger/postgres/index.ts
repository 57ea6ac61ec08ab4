export type { DatabaseOptions } from './database.ts';
export { type MigrationState, migrate, migrationState } from './migrate.ts';
export { createPostgresLedger, openPostgres, type Postgres, type PostgresLedgerOptions } from './open-postgres.ts';
