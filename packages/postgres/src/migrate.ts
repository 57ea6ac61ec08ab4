import { UnrutError } from '@unrut/engine/errors';
import type { Pool, PoolClient } from 'pg';
import { settleMarks } from './jobs/settle-marks.ts';
import { whenFree } from './postgres-error.ts';
import { INCIDENTS } from './schema/incidents.ts';
import { SESSIONS_OF_PROJECTS } from './schema/projects.ts';
import { TABLES_1 } from './schema/tables-1.ts';
import { PLACE_SESSIONS, TABLES_2 } from './schema/tables-2.ts';
import { WRITE_1 } from './schema/write-1.ts';

/** Each migration upgrades the schema by one version. Never change a published one: add another. */
export const MIGRATIONS: readonly string[] = [
  TABLES_1 + WRITE_1,
  TABLES_2,
  SESSIONS_OF_PROJECTS,
  INCIDENTS,
];

/** The schema versions that this Unrut supports: the previous, its own and the next. */
export const SCHEMA_RANGE = { from: 4, to: MIGRATIONS.length + 1 } as const;

/** The schema is up to date if both versions are equal. */
export interface MigrationState {
  /** 0 if there is no schema. */
  version: number;
  latest: number;
}

/** Max milliseconds for which others may wait for our locks. */
const LOCK_TIMEOUT = 2000;

const BEGIN = `
  CREATE SCHEMA IF NOT EXISTS unrut;
  CREATE TABLE IF NOT EXISTS unrut.migrations (
    one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL,
    changed timestamptz NOT NULL DEFAULT now()
  );
  INSERT INTO unrut.migrations (version) VALUES (0) ON CONFLICT DO NOTHING;
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'unrut_server') THEN CREATE ROLE unrut_server NOLOGIN; END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END $$;
`;

/** Which version the database has. */
export async function migrationState(
  pool: Pick<Pool, 'query'> | PoolClient,
): Promise<MigrationState> {
  const { rows } = await pool.query<{ there: boolean }>(
    "SELECT to_regclass('unrut.migrations') IS NOT NULL AS there",
  );
  if (!rows[0]!.there) return { version: 0, latest: MIGRATIONS.length };
  const { rows: versions } = await pool.query<{ version: number }>(
    'SELECT version FROM unrut.migrations',
  );
  return { version: versions[0]?.version ?? 0, latest: MIGRATIONS.length };
}

/**
 * Upgrades the schema to the latest version, one migration at a time. Other processes that migrate
 * wait, and then find nothing to do. No other query waits longer than two seconds. Returns the
 * previous version. The role that runs it owns the tables.
 */
export async function migrateSchema(
  pool: Pool,
  migrations: readonly string[] = MIGRATIONS,
): Promise<MigrationState> {
  const before = await migrationState(pool);
  if (before.version > migrations.length)
    throw new UnrutError(
      'newer-ledger',
      `[postgres] The schema has version ${before.version}; this Unrut knows versions up to ${migrations.length}. Update Unrut.`,
    );
  const client = await pool.connect();
  try {
    await whenFree(() => bringFurther(client, migrations));
    await client.query('BEGIN');
    await settleMarks(client);
    await client.query('COMMIT');
    if (migrations.includes(TABLES_2)) await placeSessions(client);
    return before;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** A few rows per transaction, so that nobody waits for them. */
async function placeSessions(client: PoolClient): Promise<void> {
  for (let placed = 1; placed > 0; ) {
    await client.query('BEGIN');
    await client.query("SELECT set_config('unrut.upkeep', 'on', true)");
    placed = (await client.query(PLACE_SESSIONS)).rowCount ?? 0;
    await client.query('COMMIT');
  }
}

/** Runs the remaining migrations, each in its own transaction. */
async function bringFurther(client: PoolClient, migrations: readonly string[]): Promise<void> {
  try {
    for (;;) {
      await client.query('BEGIN');
      await client.query(
        `SET LOCAL lock_timeout = ${LOCK_TIMEOUT}; SELECT pg_advisory_xact_lock(hashtext('unrut.migrations'));`,
      );
      await client.query(BEGIN);
      const { rows } = await client.query<{ version: number }>(
        'SELECT version FROM unrut.migrations FOR UPDATE',
      );
      const step = migrations[rows[0]!.version];
      if (step !== undefined) {
        await client.query(step);
        await client.query('UPDATE unrut.migrations SET version = version + 1, changed = now()');
      }
      await client.query('COMMIT');
      if (step === undefined) return;
    }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
