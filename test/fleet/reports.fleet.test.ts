import { afterAll, beforeAll, describe, test } from 'vitest';
import { openPostgres, type Postgres } from '../../src/ledger/postgres/index.ts';
import { runJobs } from '../../src/ledger/postgres/jobs/run-jobs.ts';
import { createPostgresReports } from '../../src/ledger/postgres/reports/create-postgres-reports.ts';
import { type ReportsUnderTest, testReports } from '../../src/testing/index.ts';
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
  return { ledger, reports, settle: () => runJobs(postgres.database) };
}

describe('reports by SQL', () => {
  for (const { name, run } of testReports('postgres', open)) test(name, run);
});
