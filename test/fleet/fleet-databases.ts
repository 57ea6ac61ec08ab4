import { inject } from 'vitest';
import { databasesAt, type TestDatabases } from './databases.ts';

/** The databases of the Postgres that all fleet tests share. */
export const sharedDatabases = (): TestDatabases => databasesAt(inject('postgresPort'));
