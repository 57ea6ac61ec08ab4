import { randomBytes } from 'node:crypto';
import { migrateSchema } from '@unrut/postgres/migrate';
import pg from 'pg';

/** The databases of a Postgres on the loopback that trusts everybody there. */
export interface TestDatabases {
  readonly port: number;
  /**
   * The address of a database for a role: `postgres` is the superuser, `unrut_owner` owns the
   * tables, `unrut_app` is a server.
   */
  url(database: string, role?: string): string;
  /** An empty database that `unrut_owner` owns. */
  emptyDatabase(): Promise<string>;
  /** A database with all tables in it. */
  newDatabase(): Promise<TestDatabase>;
}

export interface TestDatabase {
  name: string;
  /** Addresses: of the role that owns the tables, of the servers' role, and of the superuser. */
  owner: string;
  server: string;
  superuser: string;
}

/** The roles of servers and owners in tests. A superuser creates them once for all databases. */
export const ROLES = `
  CREATE ROLE unrut_owner LOGIN CREATEROLE CREATEDB;
  CREATE ROLE unrut_server NOLOGIN;
  CREATE ROLE unrut_app LOGIN IN ROLE unrut_server;`;

export function databasesAt(port: number): TestDatabases {
  const url = (database: string, role = 'postgres'): string =>
    `postgres://${role}@127.0.0.1:${port}/${database}`;

  async function emptyDatabase(): Promise<string> {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await query(url('postgres'), `CREATE DATABASE ${name} OWNER unrut_owner`);
    return name;
  }

  return {
    port,
    url,
    emptyDatabase,
    async newDatabase() {
      const name = await emptyDatabase();
      const pool = new pg.Pool({ connectionString: url(name, 'unrut_owner') });
      await migrateSchema(pool);
      await pool.end();
      return {
        name,
        owner: url(name, 'unrut_owner'),
        server: url(name, 'unrut_app'),
        superuser: url(name),
      };
    },
  };
}

/** Asks once, by a connection of its own. */
export async function query<Row extends object>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
