import { createRecorder } from '@unrut/ledger/recorder';
import { migrateSchema, migrationState, openPostgres } from '@unrut/postgres';
import { MIGRATIONS } from '@unrut/postgres/migrate';
import { inOrganisation } from '@unrut/postgres/transaction';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { query } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';
import { rollUpAll } from './rolled-up.ts';

/** The tables that have rows of organisations. */
const WITH_ORG = `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS isolated FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org'
  WHERE c.relnamespace = 'unrut'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`;

describe('the schema in Postgres', () => {
  test('is made once, however many make it at once', async () => {
    const databases = sharedDatabases();
    const url = databases.url(await databases.emptyDatabase(), 'unrut_owner');
    const pool = new pg.Pool({ connectionString: url });
    expect((await migrationState(pool)).version).toBe(0);
    await Promise.all([migrateSchema(pool), migrateSchema(pool), migrateSchema(pool)]);
    const { version, latest } = await migrationState(pool);
    expect(version).toBe(latest);
    expect(await migrateSchema(pool)).toEqual({ version, latest });
    await pool.end();
  });

  test('shows servers nothing without an organisation, and lets them own nothing', async () => {
    const { server, superuser } = await sharedDatabases().newDatabase();
    const tables = await query<{ name: string; isolated: boolean }>(superuser, WITH_ORG);
    expect(tables.length).toBeGreaterThan(15);
    expect(tables.filter(({ isolated }) => !isolated)).toEqual([]);
    for (const { name } of tables)
      expect([name, await query(server, `SELECT FROM unrut.${name}`)]).toEqual([name, []]);
    const pool = new pg.Pool({ connectionString: server });
    const names = await inOrganisation(pool, 1, (client) =>
      client.query('SELECT name FROM unrut.organisations'),
    );
    expect(names.rows).toEqual([{ name: 'default' }]);
    await pool.end();
    const parts = await query<{ name: string }>(
      superuser,
      "SELECT relname AS name FROM pg_class WHERE relispartition AND relkind = 'r'",
    );
    expect(parts.length).toBeGreaterThan(20);
    for (const { name } of parts)
      await expect(query(server, `SELECT FROM unrut.${name}`)).rejects.toThrow('permission denied');
    await expect(query(server, 'DROP TABLE unrut.states')).rejects.toThrow('must be owner');
    await expect(query(server, "SELECT unrut.make_day('2100-01-01')")).rejects.toThrow('too far');
  });
});

test('sessions and hours of the version before are all there after it, and what its servers still write counts once', async () => {
  const databases = sharedDatabases();
  const name = await databases.emptyDatabase();
  const superuser = databases.url(name);
  const pool = new pg.Pool({ connectionString: databases.url(name, 'unrut_owner') });
  await migrateSchema(pool, MIGRATIONS.slice(0, 1));
  const tell = (n: number): Promise<unknown> =>
    query(
      superuser,
      `INSERT INTO unrut.states (org, session, session_no, born) VALUES (1, 'Old-${n}', ${n}, current_date);
      INSERT INTO unrut.sessions (org, session_no, session, born, host, first, last, ended, steps, loops, plans, tokens, usd, wasted_steps, wasted_tokens, wasted_usd, summary)
        VALUES (1, ${n}, 'Old-${n}', current_date, 'codex', now() - interval '1 hour', now(), ${n % 2 === 0}, 2, 0, 0, 0, 1.5, 0, 0, 0, '{"doing":"Make ${n}"}');
      INSERT INTO unrut.events (born, session_no, key, org, at, step, type, tool, steps, loops, tokens, usd, wasted_steps, wasted_tokens, wasted_usd, data, n)
        VALUES (current_date, ${n}, '/e', 1, now(), 0, 'call-finished', 'make', 2, 0, 0, 1.5, 0, 0, 0, '{"type":"call-finished","tool":"make"}', 0)`,
    );
  for (const n of [1, 2, 3]) await tell(n);
  await migrateSchema(pool);
  // A server of the version before is still there.
  await tell(4);
  const postgres = openPostgres({ url: databases.url(name, 'unrut_app') });
  const ledger = postgres.ledger({ org: 1 });
  await createRecorder(ledger).record([
    { type: 'session-ended', session: 'Old-1', at: Date.now(), id: 'end' },
  ]);
  await rollUpAll(postgres, superuser);
  await rollUpAll(postgres, superuser);
  const { sessions, states, total } = await ledger.reports!.sessions({ most: 9, facets: true });
  expect([total, states.ended, sessions.map(({ session }) => session).sort()]).toEqual([
    4,
    3,
    ['Old-1', 'Old-2', 'Old-3', 'Old-4'],
  ]);
  const found = await ledger.reports!.sessions({ most: 9, search: 'MAKE 3' });
  expect(found.sessions.map(({ session }) => session)).toEqual(['Old-3']);
  const stats = await ledger.reports!.stats({ since: 0, by: 'day' });
  expect([stats.events, stats.steps, stats.usd, stats.tools.get('make')?.calls]).toEqual([
    5, 8, 6, 4,
  ]);
  await postgres.close();
  await pool.end();
});

test('a session of the version before continues in its project, and in no other', async () => {
  const { server, superuser } = await sharedDatabases().newDatabase();
  const begun = (n: number, project: number): string =>
    `INSERT INTO unrut.states (org, session, session_no, born) VALUES (1, 'old-${n}', ${n}, current_date);
    INSERT INTO unrut.sessions (org, session_no, session, born, project, first, last, steps, loops, plans, wasted_steps, wasted_tokens, wasted_usd)
      VALUES (1, ${n}, 'old-${n}', current_date, ${project}, now(), now(), 0, 0, 0, 0, 0, 0)`;
  await query(superuser, begun(1001, 7));
  await query(superuser, begun(1002, 1));
  const postgres = openPostgres({ url: server });
  for (const [session, project] of [
    ['old-1001', 7],
    ['old-1001', 8],
    ['old-1002', 1],
    ['old-1002', 7],
  ] as const)
    await createRecorder(postgres.ledger({ org: 1, project })).record([
      { type: 'user-spoke', session, at: Date.now(), id: `${session} ${project}` },
    ]);
  const states = await query<{ session: string; project: number; old: boolean; events: number }>(
    superuser,
    `SELECT session, project, session_no IN (1001, 1002) AS old, events::int FROM unrut.states ORDER BY 1, 2`,
  );
  expect(states).toEqual([
    { session: 'old-1001', project: 7, old: true, events: 1 },
    { session: 'old-1001', project: 8, old: false, events: 1 },
    { session: 'old-1002', project: 1, old: true, events: 1 },
    { session: 'old-1002', project: 7, old: false, events: 1 },
  ]);
  await postgres.close();
});
