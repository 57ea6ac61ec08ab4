import { migrateSchema, migrationState } from '@unrut/postgres';
import { inOrganisation } from '@unrut/postgres/transaction';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { query } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';

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
