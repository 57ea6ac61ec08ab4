import { openPostgres, type Postgres } from '@unrut/postgres';
import { testRecorder } from '@unrut/test/suites/test-recorder';
import { testLedger } from '@unrut/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Ledger } from '../../packages/cli/src/index.ts';
import { query, type TestDatabase } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await sharedDatabases().newDatabase();
  postgres = openPostgres({ url: database.server });
});

afterAll(() => postgres.close());

/** A ledger with nothing in it: that of a new organisation. */
async function newLedger(): Promise<Ledger> {
  const sql = 'INSERT INTO unrut.organisations (name) VALUES (gen_random_uuid()) RETURNING org';
  const [made] = await query<{ org: number }>(database.superuser, sql);
  return postgres.ledger({ org: made!.org });
}

describe('the ledger in Postgres', () => {
  for (const { name, run } of testLedger('postgres', newLedger)) test(name, run);
  for (const { name, run } of testRecorder('recorder on postgres', newLedger)) test(name, run);
});
