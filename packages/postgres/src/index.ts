export type { DatabaseOptions } from './database.ts';
export { type MigrationState, migrateSchema, migrationState } from './migrate.ts';
export {
  createPostgresLedger,
  openPostgres,
  type Postgres,
  type PostgresLedgerOptions,
} from './open-postgres.ts';
