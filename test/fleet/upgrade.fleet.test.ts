import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createPostgresLedger } from '@unrut/postgres';
import { MIGRATIONS, migrateSchema, migrationState } from '@unrut/postgres/migrate';
import pg from 'pg';
import { expect, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { expectExact } from './accounts.ts';
import { query } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';
import { startLoad } from './load.ts';
import { startFleetServer } from './servers.ts';

const SESSIONS = 12;
/** A migration as the next version may bring it: only what older servers ignore. */
const NEXT = `ALTER TABLE unrut.events ADD COLUMN later text; ALTER TABLE unrut.states ADD COLUMN later text DEFAULT 'new';
  CREATE TABLE unrut.later (id integer)`;

test('the present schema is upgraded to the next under load: nothing is lost, and nobody waits long', async () => {
  const databases = sharedDatabases();
  const name = await databases.emptyDatabase();
  const [owner, address, superuser] = [
    databases.url(name, 'unrut_owner'),
    databases.url(name, 'unrut_app'),
    databases.url(name),
  ];
  const pool = new pg.Pool({ connectionString: owner });
  await migrateSchema(pool);
  const servers = [
    await startFleetServer({ ledger: address }),
    await startFleetServer({ ledger: address }),
  ];
  const load = startLoad({
    urls: servers.map(({ url }) => url),
    sessions: SESSIONS,
    first: (session, request) => session + request,
  });
  await load.more(SESSIONS * 3);

  // Somebody reads all the while, and holds what he has read.
  const reader = new pg.Client({ connectionString: superuser });
  await reader.connect();
  await reader.query('BEGIN; SELECT count(*) FROM unrut.events; SELECT count(*) FROM unrut.states');
  const migrating = migrateSchema(pool, [...MIGRATIONS, NEXT]);
  await load.more(SESSIONS * 3);
  await reader.query('COMMIT');
  expect(await migrating).toMatchObject({ version: MIGRATIONS.length });
  expect(await migrationState(pool)).toMatchObject({ version: MIGRATIONS.length + 1 });
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
  const options = {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, UNRUT_LEDGER: address },
    encoding: 'utf8',
  } as const;
  const refused = spawnSync(
    process.execPath,
    [bundledPrograms().cli, 'serve', '--port', '0'],
    options,
  );
  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/^\[unrut\] \[postgres\] [^\n]*Update Unrut\.\n$/),
  ]);
});
