import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent } from '@unrut/engine/event';
import { createRecorder } from '@unrut/ledger/recorder';
import { openPostgres, type Postgres } from '@unrut/postgres';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { query, type TestDatabase } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';
import { startPostgres } from './postgres.ts';

const opened: Postgres[] = [];
const open = (url: string): Postgres => {
  const postgres = openPostgres({ url });
  opened.push(postgres);
  return postgres;
};

afterEach(async () => {
  for (const postgres of opened.splice(0)) await postgres.close();
});

const look = (i: number): AgentEvent => ({
  type: 'call-finished',
  session: 's',
  at: 1_700_000_000_000 + i * 5000,
  id: `e${i}`,
  call: { id: `c${i}`, tool: 'lookup_order', args: { order: 7 } },
  result: 'Order 7 was shipped on Monday.',
});

const newDatabase = (): Promise<TestDatabase> => sharedDatabases().newDatabase();
const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(String, (error: Error) => error.message);

describe('a ledger in Postgres', () => {
  test('drops a state that cannot be read, says so, and begins again', async () => {
    const { server, superuser } = await newDatabase();
    await createRecorder(open(server).ledger({ org: 1 })).observe(look(0));
    await query(superuser, "UPDATE unrut.states SET base = 'torn'");
    const verdicts = [];
    const recorder = createRecorder(open(server).ledger({ org: 1 }));
    for (const i of [1, 2, 3]) verdicts.push(await recorder.observe(look(i)));
    expect(verdicts.map(({ faults }) => faults.map(({ where }) => where))).toEqual([
      ['ledger'],
      [],
      [],
    ]);
    expect(verdicts.at(-1)!.plan?.rung).toBe('note');
  });

  test('finds the rows of a write by their keys: no day is read as a whole', async () => {
    const { server, superuser } = await newDatabase();
    const scans = `SELECT coalesce(sum(seq_tup_read), 0)::int AS read, coalesce(sum(n_tup_ins), 0)::int AS added FROM pg_stat_user_tables
      WHERE relname ~ '^(events|pieces)_'`;
    const postgres = openPostgres({ url: server });
    const recorder = createRecorder(postgres.ledger({ org: 1 }));
    const says = (i: number): AgentEvent => ({
      type: 'text-added',
      session: 's',
      at: 1_700_000_000_000 + i * 5000 + 1,
      id: `t${i}`,
      channel: 'answer',
      text: `word ${i} `,
    });
    for (let i = 0; i < 100; i++) await recorder.record([look(i), says(i)]);
    // Data already read is delivered when a connection ends.
    await postgres.close();
    await expect
      .poll(async () => (await query<{ added: number }>(superuser, scans))[0]!.added, {
        timeout: 30_000,
      })
      .toBe(200);
    expect((await query<{ read: number }>(superuser, scans))[0]!.read).toBe(0);
  });

  test('makes the day that is missing, once for all who miss it', async () => {
    const { server, owner, superuser } = await newDatabase();
    for (const table of ['events', 'pieces', 'findings'])
      await query(
        owner,
        `DROP TABLE unrut.${table}_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`,
      );
    const ledgers = [open(server), open(server), open(server)].map((postgres) =>
      postgres.ledger({ org: 1 }),
    );
    const recorded = await Promise.all(
      ledgers.map((ledger, i) => createRecorder(ledger).record([look(i)])),
    );
    expect(recorded.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    expect(await query(superuser, 'SELECT count(*)::int FROM unrut.events')).toEqual([
      { count: 3 },
    ]);
  });

  test('asks first for sessions that another server writes to as well, and no longer once they stay', async () => {
    const { server, superuser } = await newDatabase();
    const servers = [open(server), open(server)];
    const recorders = servers.map((postgres) => createRecorder(postgres.ledger({ org: 1 })));
    const measured = (what: 'stale' | 'loads'): number =>
      servers.reduce((sum, postgres) => sum + postgres.measures()[what], 0);
    let sent = 0;
    const send = async (to: number): Promise<void> =>
      expect((await recorders[to]!.observe(look(sent++))).faults).toEqual([]);
    for (const to of [0, 1, 0, 1]) await send(to);
    expect(measured('stale')).toBe(2);
    for (const to of [0, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1]) await send(to);
    expect(measured('stale')).toBe(2);
    for (let i = 0; i < 8; i++) await send(0);
    const loads = measured('loads');
    for (let i = 0; i < 5; i++) await send(0);
    expect([measured('loads') - loads, measured('stale')]).toEqual([1, 2]);
    expect(await query(superuser, 'SELECT events::int FROM unrut.states')).toEqual([
      { events: sent },
    ]);
  });

  test('lets a session of the week before be born again, and keeps counting', async () => {
    const { server, superuser } = await newDatabase();
    const ledger = open(server).ledger({ org: 1 });
    await createRecorder(ledger).observe(look(0));
    await query(superuser, 'SELECT unrut.make_day(current_date - 9)');
    for (const table of ['events', 'states', 'sessions'])
      await query(superuser, `UPDATE unrut.${table} SET born = current_date - 9`);
    await createRecorder(ledger).observe(look(1));
    expect(
      await query(superuser, 'SELECT (current_date - born) AS age FROM unrut.events ORDER BY 1'),
    ).toEqual([{ age: 0 }, { age: 9 }]);
    expect(await ledger.sessions()).toMatchObject([{ session: 's', events: 2 }]);
    expect((await ledger.entries({ session: 's', kind: 'event' })).map(({ step }) => step)).toEqual(
      [0, 1],
    );
  });

  test('shows one organisation nothing of another with the same names', async () => {
    const { server, superuser } = await newDatabase();
    await query(superuser, "INSERT INTO unrut.organisations (org, name) VALUES (2, 'other')");
    const postgres = open(server);
    const [one, other] = [postgres.ledger({ org: 1 }), postgres.ledger({ org: 2 })];
    for (const i of [0, 1, 2]) await createRecorder(one).observe(look(i));
    expect(
      await Promise.all([
        other.sessions(),
        other.entries(),
        other.entries({ under: ['s/'] }),
        other.loadState('s'),
      ]),
    ).toEqual([[], [], [], null]);
    await createRecorder(other).observe(look(0));
    await other.forget();
    expect((await one.sessions())[0]?.events).toBe(3);
    const { observe } = createRecorder(other);
    expect((await observe(look(0))).step).toBe(0);
  });

  test('refuses a database whose schema is of another time', async () => {
    const { server, superuser } = await newDatabase();
    await query(superuser, 'UPDATE unrut.migrations SET version = 99');
    expect(await reasonOf(open(server).ledger({ org: 1 }).sessions())).toContain(
      'has version 99 of the schema; this Unrut knows versions up to',
    );
  });

  test('survives connections that are ended while they are idle, and says of one that is used that it is unknown', async () => {
    const { server, superuser, name } = await newDatabase();
    const ledger = open(server).ledger({ org: 1 });
    const recorder = createRecorder(ledger, {}, { unsaved: 'drop' });
    const end = `SELECT count(pg_terminate_backend(pid))::int FROM pg_stat_activity WHERE datname = '${name}' AND usename = 'unrut_app'`;
    await recorder.record([look(0)]);
    await query(superuser, end);
    // The end of a connection is noticed some time later.
    for (let tries = 0; (await recorder.record([look(1)])).error !== undefined; tries++)
      expect(tries).toBeLessThan(20);
    const other = new pg.Client({ connectionString: superuser });
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM unrut.states FOR UPDATE');
    const writing = recorder.record([look(2)]);
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = '${name}' AND usename = 'unrut_app' AND wait_event_type = 'Lock'`;
    while ((await query(superuser, waiting)).length === 0) await sleep(10);
    await query(superuser, end);
    expect((await writing).error).toMatchObject({ code: 'ledger-unusable' });
    await other.end();
    expect(
      (await recorder.record([look(2), look(2)])).value?.map(({ step, repeated }) => [
        step,
        repeated ?? false,
      ]),
    ).toEqual([
      [2, false],
      [0, true],
    ]);
    expect(await ledger.sessions()).toMatchObject([{ events: 3 }]);
  });

  test('refuses a database that does not flush', async () => {
    const postgres = await startPostgres({ settings: ['fsync = off'] });
    try {
      const { server } = await postgres.newDatabase();
      expect(await reasonOf(open(server).ledger({ org: 1 }).sessions())).toContain('has fsync off');
    } finally {
      await postgres.remove();
    }
  });
});
