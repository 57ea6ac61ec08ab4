import { createRecorder } from '@unrut/ledger/recorder';
import { openPostgres, type Postgres } from '@unrut/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, type TestDatabase } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await sharedDatabases().newDatabase();
  postgres = openPostgres({ url: database.server });
});

afterAll(() => postgres.close());

test('a session of 12 steps and $6.00 within a minute is shown as such in lists, on its page and in sums', async () => {
  const ledger = postgres.ledger({ org: 1 });
  const recorder = createRecorder(ledger);
  const at = Math.floor(Date.now() / 60_000) * 60_000;
  for (let i = 0; i < 12; i++)
    await recorder.record([
      {
        type: 'call-finished',
        session: 'frozen',
        at: at + i,
        id: `e${i}`,
        call: { id: `c${i}`, tool: 'Read', args: { file_path: `/${i}.ts` } },
        result: `export const part = ${i};`,
        cost: { usd: 0.5 },
      },
    ]);
  const reports = ledger.reports!;
  const figures = { steps: 12, usd: 6 };
  expect(await reports.session('frozen')).toMatchObject(figures);
  expect((await reports.sessions({ most: 1 })).sessions[0]).toMatchObject(figures);
  expect(await reports.stats({ since: 0, by: 'day' })).toMatchObject({ ...figures, sessions: 1 });
});

test('lists count and sort all sessions, not the newest of them', async () => {
  const [{ org }] = (await query(
    database.superuser,
    "INSERT INTO unrut.organisations (name) VALUES ('many') RETURNING org",
  )) as [{ org: number }];
  const many = 6000;
  await query(
    database.superuser,
    `INSERT INTO unrut.sessions (org, session_no, session, born, first, last, ended, steps, loops, plans, tokens, usd, wasted_steps, wasted_tokens, wasted_usd)
      SELECT ${org}, 1000000 + n, 'many-' || n, current_date, now() - make_interval(secs => n), now() - make_interval(secs => n), n % 2 = 0, 40, 1, 0, 0, 1, n % 7, 0,
        CASE n WHEN ${many} THEN 9 ELSE (n % 7) / 10.0 END FROM generate_series(1, ${many}) n`,
  );
  const { reports } = postgres.ledger({ org });
  const { total, states } = await reports!.sessions({ most: 1, facets: true });
  expect([total, states.ended]).toEqual([many, many / 2]);
  // The oldest of them has wasted the most.
  const { sessions, next } = await reports!.sessions({ most: 2, sort: 'wasted' });
  expect(sessions.map(({ session }) => session)).toEqual([`many-${many}`, 'many-6']);
  const more = await reports!.sessions({ most: 1, sort: 'wasted', after: next! });
  expect(more.sessions.map(({ session }) => session)).toEqual(['many-13']);
});
