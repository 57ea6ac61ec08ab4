import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createPostgresLedger, migrateSchema } from '../../src/ledger/postgres/index.ts';
import { expectExact } from './accounts.ts';
import { query } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';
import { startLoad } from './load.ts';
import { command, startFleetServer } from './servers.ts';

const SESSIONS = 12;
/** A migration as the next version may bring it: only what older servers ignore. */
const NEXT = `SET lock_timeout = '2s'; ALTER TABLE unrut.events ADD COLUMN later text; ALTER TABLE unrut.states ADD COLUMN later text DEFAULT 'new';
  CREATE TABLE unrut.later (id integer); UPDATE unrut.migrations SET version = version + 1`;

/** Tries until nobody else has what it needs, as `unrut migrate` does. */
async function migrateFurther(url: string): Promise<void> {
  for (;;)
    try {
      await query(url, NEXT);
      return;
    } catch (error) {
      expect((error as { code?: string }).code).toBe('55P03');
    }
}

test('the first schema is brought to the present one, then to the next, under load: nothing is lost, and nobody waits long', async () => {
  const databases = sharedDatabases();
  const name = await databases.emptyDatabase();
  const [owner, address, superuser] = [databases.url(name, 'unrut_owner'), databases.url(name, 'unrut_app'), databases.url(name)];
  const pool = new pg.Pool({ connectionString: owner });
  await migrateSchema(pool, 1);
  const servers = [await startFleetServer({ ledger: address }), await startFleetServer({ ledger: address })];
  const load = startLoad({ urls: servers.map(({ url }) => url), sessions: SESSIONS, first: (session, request) => session + request });
  await load.more(SESSIONS * 3);

  // Somebody reads all the while, and holds what he has read.
  const reader = new pg.Client({ connectionString: superuser });
  await reader.connect();
  await reader.query('BEGIN; SELECT count(*) FROM unrut.events; SELECT count(*) FROM unrut.states');
  const migrating = migrateSchema(pool);
  await load.more(SESSIONS * 3);
  await reader.query('COMMIT');
  await migrating;
  await reader.query('BEGIN; SELECT count(*) FROM unrut.events; SELECT count(*) FROM unrut.states');
  const further = migrateFurther(owner);
  await load.more(SESSIONS * 3);
  await reader.query('COMMIT');
  await further;
  await reader.end();
  await load.more(SESSIONS * 3);

  // A server of this version starts on the next schema, too: that is the way back.
  await servers[0]!.kill();
  await servers[0]!.restart();
  await load.more(SESSIONS * 3);
  const result = await load.stop();
  const ledger = createPostgresLedger({ url: address });
  await expectExact(result, superuser, ledger);
  await ledger.close();
  await pool.end();

  await query(owner, 'UPDATE unrut.migrations SET version = version + 1');
  const options = { cwd: join(import.meta.dirname, '../..'), env: { ...process.env, UNRUT_LEDGER: address }, encoding: 'utf8' } as const;
  const refused = spawnSync(process.execPath, [await command(), 'serve', '--port', '0'], options);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringMatching(/^\[unrut\] \[postgres\] [^\n]*Update Unrut\.\n$/)]);
});
