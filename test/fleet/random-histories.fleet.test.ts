import { openPostgres } from '@unrut/postgres';
import { createPostgresReports } from '@unrut/postgres/reports/create-postgres-reports';
import { checkHistories, LEDGERS } from '@unrut/test/suites/random-histories';
import { expect, test } from 'vitest';
import { query } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';

const NOW = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000;

test('whatever happened, Postgres tells what all entries come to', async () => {
  const database = await sharedDatabases().newDatabase();
  const postgres = openPostgres({ url: database.server });
  let checked = 0;
  for (let seed = 1; seed <= LEDGERS; seed++) {
    const [{ org }] = (await query(
      database.superuser,
      'INSERT INTO unrut.organisations (name) VALUES (gen_random_uuid()) RETURNING org',
    )) as [{ org: number }];
    const ledger = postgres.ledger({ org });
    const reports = createPostgresReports({ connections: postgres.reads, org, now: () => NOW });
    await checkHistories({ ledger, reports, now: NOW }, seed);
    checked++;
  }
  expect(checked).toBe(LEDGERS);
  await postgres.close();
});
