export { type MigrationState, migrate, migrationState } from './migrate.ts';
