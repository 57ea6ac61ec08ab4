import { openPostgres, type Postgres } from '@unrut/postgres';
import { createPostgresReports } from '@unrut/postgres/reports/create-postgres-reports';
import { type ReportsUnderTest, testReports } from '@unrut/test/suites/test-reports';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, type TestDatabase } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await sharedDatabases().newDatabase();
  postgres = openPostgres({ url: database.server });
});

afterAll(() => postgres.close());

const newOrganisation = async (): Promise<number> => {
  const sql = 'INSERT INTO unrut.organisations (name) VALUES (gen_random_uuid()) RETURNING org';
  return (await query<{ org: number }>(database.superuser, sql))[0]!.org;
};

async function open(now: () => number): Promise<ReportsUnderTest> {
  const org = await newOrganisation();
  const ledger = postgres.ledger({ org });
  const reports = createPostgresReports({ connections: postgres.reads, org, now });
  return { ledger, reports };
}

describe('reports by SQL', () => {
  for (const { name, run } of testReports('postgres', open)) test(name, run);
});

describe('a session whose summary was never written', () => {
  test('is listed with what is known of it', async () => {
    const { ledger, reports } = await open(Date.now);
    const told = {
      session: 'bare',
      at: Date.now(),
      step: 1,
      kind: 'event',
      data: { type: 'user-spoke' },
    } as const;
    await ledger.update([], () => ({ entries: [{ ...told, id: 'bare/1' }] }));
    await query(
      database.superuser,
      `UPDATE unrut.sessions SET summary = '{}' WHERE session = 'bare'`,
    );
    const none = { recovered: 0, persisted: 0, relapsed: 0, unknown: 0 };
    const bare = {
      session: 'bare',
      acted: { plans: 0, ...none },
      outcomes: none,
      state: 'running',
    };
    expect((await reports.sessions({ most: 10, facets: true })).sessions).toEqual([
      expect.objectContaining(bare),
    ]);
    expect(await reports.session('bare')).toMatchObject(bare);
  });
});
