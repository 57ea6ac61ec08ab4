import { openPostgres, type Postgres } from '@unrut/postgres';
import { createPostgresReports } from '@unrut/postgres/reports/create-postgres-reports';
import { testIncidents } from '@unrut/test/suites/test-incidents';
import { afterAll, beforeAll, describe, test } from 'vitest';
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

/** A server leaves the job alone that was done a moment ago. */
const makeDue = (org: number): Promise<object[]> =>
  query(database.superuser, 'UPDATE unrut.jobs SET due = now() WHERE org = $1', [org]);

describe('incidents in Postgres', () => {
  const cases = testIncidents(async (now) => {
    const org = await newOrganisation();
    const ledger = postgres.ledger({ org });
    const { incidents } = ledger;
    return {
      ledger: {
        ...ledger,
        incidents: {
          ...incidents!,
          async look(at) {
            await makeDue(org);
            await incidents!.look(at);
          },
        },
      },
      reports: createPostgresReports({ connections: postgres.reads, org, now }),
      async close() {},
    };
  });
  for (const { name, run } of cases) test(name, run);
});
