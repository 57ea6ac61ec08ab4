import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { OrganisationStore, Organisations } from '../../organisation.ts';
import type { Connections } from '../database.ts';
import { createOrganisationStore } from './organisation-store.ts';
import { type KeyRow, toKey } from './rows.ts';

/** What a row can be named by before its organisation is known: nothing else is put into a statement. */
const NAME = /^[0-9a-f]{1,64}$/;

interface SignInRow {
  org: number;
  person: string;
  groups: string[];
  csrf: string;
  expires: Date;
}

/** All organisations of a database. */
export function createOrganisations(database: Connections): Organisations {
  const stores = new Map<number, OrganisationStore>();

  function of(org: number): OrganisationStore {
    const store = stores.get(org) ?? createOrganisationStore(database, org);
    stores.set(org, store);
    return store;
  }

  async function asking<T>(ask: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await database.connect();
    try {
      const answer = await ask(client);
      client.release();
      return answer;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  }

  /** The row that only those see who can name it. In one round trip. */
  async function named<Row extends QueryResultRow>(name: string, select: string): Promise<Row | undefined> {
    if (!NAME.test(name)) return undefined;
    const all = `BEGIN READ ONLY; SELECT set_config('unrut.key', '${name}', true); ${select} = '${name}'; COMMIT`;
    const results = (await asking((client) => client.query(all))) as unknown as QueryResult<Row>[];
    return results[2]!.rows[0];
  }

  return {
    of,
    async named(name) {
      const { rows } = await asking((client) => client.query<{ org: number }>('SELECT unrut.organisation_numbers() AS org'));
      for (const { org } of rows) if ((await of(org).organisation()).name === name) return org;
      return undefined;
    },
    async key(id) {
      const row = await named<KeyRow>(id, 'SELECT * FROM unrut.api_keys WHERE id');
      return row && toKey(row);
    },
    async signIn(token) {
      const row = await named<SignInRow>(token, 'SELECT org, person, groups, csrf, expires FROM unrut.sign_ins WHERE token');
      return row && { ...row, expires: row.expires.getTime() };
    },
    serverSeen: (server) =>
      asking(async (client) => {
        await client.query('INSERT INTO unrut.servers (server, seen) VALUES ($1, now()) ON CONFLICT (server) DO UPDATE SET seen = now()', [
          server,
        ]);
        await client.query("DELETE FROM unrut.servers WHERE seen < now() - interval '1 day'");
        const { rows } = await client.query<{ count: number }>(
          "SELECT count(*)::integer AS count FROM unrut.servers WHERE seen > now() - interval '1 minute'",
        );
        return rows[0]!.count;
      }),
  };
}
