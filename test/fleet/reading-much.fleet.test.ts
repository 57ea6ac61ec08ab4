import type { Reports } from '@unrut/ledger/reports/reports';
import { openPostgres, type Postgres } from '@unrut/postgres';
import { runJobs } from '@unrut/postgres/jobs/run-jobs';
import { migrateSchema } from '@unrut/postgres/migrate';
import { createPostgresReports } from '@unrut/postgres/reports/create-postgres-reports';
import { inOrganisation } from '@unrut/postgres/transaction';
import pg, { type PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, type TestDatabase } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';
import { makeSessions } from './many-sessions.ts';
import { rollUpAll } from './rolled-up.ts';

const SESSIONS = 10_000;
const DAY = 86_400_000;

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await sharedDatabases().newDatabase();
  postgres = openPostgres({ url: database.server });
  await makeSessions(database.superuser, { org: 1, sessions: SESSIONS, events: 5, days: 20 });
  await rollUpAll(postgres, database.superuser);
  await query(database.superuser, 'ANALYZE');
}, 120_000);

afterAll(() => postgres.close());

interface Asked {
  sql: string;
  values: unknown[];
}

/** Reports that also record their queries. */
function watched(): { reports: Reports; asked: Asked[] } {
  const asked: Asked[] = [];
  const connect = async (): Promise<PoolClient> => {
    const client = await postgres.reads.connect();
    return new Proxy(client, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
        return (sql: string, values?: unknown[]) => {
          if (/^\s*SELECT/.test(sql)) asked.push({ sql, values: values ?? [] });
          return target.query(sql, values);
        };
      },
    });
  };
  return { asked, reports: createPostgresReports({ connections: { connect }, org: 1 }) };
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/**
 * Postgres's plan if it avoids sequential scans: it then uses one only without a suitable index.
 */
async function planOf({ sql, values }: Asked): Promise<PlanNode[]> {
  return inOrganisation(postgres.database, 1, async (client) => {
    await client.query("SELECT set_config('enable_seqscan', 'off', true)");
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (FORMAT JSON) ${sql}`,
      values,
    );
    return nodesOf(rows[0]!['QUERY PLAN'][0].Plan);
  });
}

const isPartition = ({ 'Relation Name': name = '' }: PlanNode): boolean =>
  /^(?:events|findings|pieces)(?:_\d+)?$/.test(name);

const ASKING: [what: string, ask: (reports: Reports) => Promise<unknown>][] = [
  ['a page of sessions', (reports) => reports.sessions({ most: 50, facets: true })],
  [
    'a later page',
    (reports) => reports.sessions({ most: 50, after: { at: Date.now() - 10 * DAY, name: 'm' } }),
  ],
  ['those with a loop', (reports) => reports.sessions({ most: 50, looped: true })],
  ['a search', (reports) => reports.sessions({ most: 50, search: 'folder-77' })],
  ['the costliest', (reports) => reports.sessions({ most: 50, sort: 'wasted' })],
  [
    'one session',
    async (reports) => reports.history((await reports.sessions({ most: 1 })).sessions[0]!.session),
  ],
  ['signals', (reports) => reports.signals({ most: 50 })],
  ['signals of a detector', (reports) => reports.signals({ most: 50, detector: 'repeated-call' })],
  ['figures', (reports) => reports.stats({ since: 0, by: 'day' })],
  ['recoveries', (reports) => reports.recoveries({ since: Date.now() - 3 * DAY, most: 50 })],
  ['detectors', (reports) => reports.detectors({ since: 0 })],
  ['runs', (reports) => reports.runs({ ends: ['\u0001run'], most: 20 })],
  ['names', (reports) => reports.find('ab')],
  ['the stream', async (reports) => reports.feed.after(await reports.feed.newest(), 100)],
];

describe('many sessions', () => {
  test.each(ASKING)('%s: no partition is read as a whole', async (_, ask) => {
    const { reports, asked } = watched();
    await ask(reports);
    expect(asked.length).toBeGreaterThan(0);
    for (const each of asked) {
      const whole = (await planOf(each)).filter(
        (node) => node['Node Type'] === 'Seq Scan' && isPartition(node),
      );
      expect(whole, each.sql).toEqual([]);
    }
  });

  test('only partitions are looked at that can have what is asked for', async () => {
    const { reports, asked } = watched();
    const { session } = (await reports.sessions({ most: 1 })).sessions[0]!;
    for (const ask of [() => reports.history(session), () => reports.signals({ most: 5 })]) {
      asked.length = 0;
      await ask();
      const plans = await Promise.all(asked.map(planOf));
      const days = new Set(
        plans
          .flat()
          .flatMap((node) =>
            isPartition(node) && node['Relation Name']!.startsWith('findings')
              ? [node['Relation Name']]
              : [],
          ),
      );
      expect(days.size).toBeGreaterThan(0);
      expect(days.size).toBeLessThan(20);
    }
  });

  test('every session is found page by page, also where a page looks through many for few', async () => {
    const { reports } = watched();
    const found = new Set<string>();
    let after: { at: number; name: string } | undefined;
    do {
      const { sessions, next } = await reports.sessions({
        most: 200,
        folder: 'folder-77',
        ...(after ? { after } : {}),
      });
      for (const { session } of sessions) found.add(session);
      after = next;
    } while (after);
    expect(found.size).toBe(SESSIONS / 500);
  });

  test('a list counts all that it is of', async () => {
    const { reports } = watched();
    const all = await reports.sessions({ most: 1, facets: true });
    const states = Object.values(all.states).reduce((sum, count) => sum + count, 0);
    expect([all.total, states]).toEqual([SESSIONS, SESSIONS]);
    const looped = await reports.sessions({ most: 1, looped: true });
    expect([looped.total, looped.looked]).toEqual([Math.floor(SESSIONS / 12), undefined]);
  });

  test('sums by the hour are those of the rows, however many look after them at once', async () => {
    await query(database.superuser, 'UPDATE unrut.jobs SET due = now()');
    await Promise.all([1, 2, 3].map(() => runJobs(postgres.database)));
    const { reports } = watched();
    const { sessions, looping, steps, events, tokens, detectors, tools } = await reports.stats({
      since: 0,
      by: 'day',
    });
    expect({ sessions, steps, events, tokens: Math.round(tokens) }).toEqual({
      sessions: SESSIONS,
      steps: 5 * SESSIONS,
      events: 5 * SESSIONS,
      tokens: 500 * SESSIONS,
    });
    expect([looping, detectors.get('repeated-call')!.signals]).toEqual([
      Math.floor(SESSIONS / 12),
      3 * Math.floor(SESSIONS / 12),
    ]);
    expect(tools.get('npm test')!.calls).toBe(5 * SESSIONS);
  });
});

test('after a restore from a dump, whose transactions have other numbers, each row still counts once', async () => {
  const restored = await sharedDatabases().newDatabase();
  const opened = openPostgres({ url: restored.server });
  const reports = createPostgresReports({ connections: opened.reads, org: 1 });
  const steps = async (): Promise<number> => {
    await rollUpAll(opened, restored.superuser);
    return (await reports.stats({ since: 0, by: 'day' })).steps;
  };
  await makeSessions(restored.superuser, { org: 1, sessions: 100, events: 2, days: 3 });
  expect(await steps()).toBe(200);
  // As in a new database: rows have transaction numbers in the future. Half of them were not summed
  // yet.
  const ahead = '(pg_current_xact_id()::text::bigint + 1000000)::text::xid8';
  await query(restored.superuser, `UPDATE unrut.events SET xid = ${ahead}`);
  await query(
    restored.superuser,
    `UPDATE unrut.jobs SET mark = (${ahead}::text::bigint + 1000)::text::xid8`,
  );
  await query(
    restored.superuser,
    `INSERT INTO unrut.events (born, session_no, key, org, at, step, type, steps, data, n, xid)
    SELECT born, session_no, key || '-more', org, at, step, type, steps, data, n, (${ahead}::text::bigint + 2000)::text::xid8 FROM unrut.events`,
  );
  const owner = new pg.Pool({ connectionString: restored.owner });
  await migrateSchema(owner);
  expect(await steps()).toBe(400);
  expect(await steps()).toBe(400);
  const [left] = await query<{ rows: string }>(
    restored.superuser,
    'SELECT count(*) AS rows FROM unrut.events WHERE xid > pg_current_xact_id()',
  );
  expect(Number(left!.rows)).toBe(0);
  await owner.end();
  await opened.close();
});
