import type {
  OrganisationKey,
  OrganisationStore,
  Organisations,
  SignIn,
} from '@unrut/ledger/organisation';
import type { QueryResult } from 'pg';
import type { Connections } from '../database.ts';
import { recordIn } from '../sql.ts';
import { withClient } from '../transaction.ts';
import { createOrganisationStore, KEYS } from './organisation-store.ts';

/**
 * Valid ids and hashes: only these are inserted into a statement before the organisation is known.
 */
const NAME = /^[0-9a-f]{1,64}$/;

/** All organisations of a database. */
export function createOrganisations(database: Connections): Organisations {
  const stores = new Map<number, OrganisationStore>();

  function of(org: number): OrganisationStore {
    const store = stores.get(org) ?? createOrganisationStore(database, org);
    stores.set(org, store);
    return store;
  }

  /** Reads a row that is visible only to those who name its id. One round trip. */
  async function named<T extends object>(name: string, select: string): Promise<T | undefined> {
    if (!NAME.test(name)) return undefined;
    const all = `BEGIN READ ONLY; SELECT set_config('unrut.key', '${name}', true); ${select} = '${name}'; COMMIT`;
    const results = (await withClient(database, (client) =>
      client.query(all),
    )) as unknown as QueryResult[];
    return results[2]!.rows.map(recordIn<T>)[0];
  }

  return {
    of,
    async named(name) {
      const { rows } = await withClient(database, (client) =>
        client.query<{ org: number }>('SELECT unrut.organisation_numbers() AS org'),
      );
      for (const { org } of rows) if ((await of(org).organisation()).name === name) return org;
      return undefined;
    },
    key: (id) => named<OrganisationKey>(id, `${KEYS} WHERE id`),
    signIn: (token) =>
      named<SignIn>(
        token,
        'SELECT org, person, groups, csrf, expires FROM unrut.sign_ins WHERE token',
      ),
    serverSeen: (server) =>
      withClient(database, async (client) => {
        await client.query(
          'INSERT INTO unrut.servers (server, seen) VALUES ($1, now()) ON CONFLICT (server) DO UPDATE SET seen = now()',
          [server],
        );
        await client.query("DELETE FROM unrut.servers WHERE seen < now() - interval '1 day'");
        const { rows } = await client.query<{ count: number }>(
          "SELECT count(*)::integer AS count FROM unrut.servers WHERE seen > now() - interval '1 minute'",
        );
        return rows[0]!.count;
      }),
  };
}

/**
 * Adds an organisation with its first project; returns its number. Requires the owner of the
 * tables.
 */
export const addOrganisation = (database: Connections, name: string): Promise<number> =>
  withClient(database, async (client) => {
    await client.query("BEGIN; SELECT set_config('unrut.upkeep', 'on', true)");
    const { rows } = await client.query<{ org: number }>(
      'INSERT INTO unrut.organisations (name) VALUES ($1) RETURNING org',
      [name],
    );
    const { org } = rows[0]!;
    await client.query(
      "INSERT INTO unrut.projects (org, project, name) VALUES ($1, 1, 'default')",
      [org],
    );
    await client.query(
      "INSERT INTO unrut.audit (org, actor, action, target) VALUES ($1, 'cli', 'organisation-added', $2)",
      [org, name],
    );
    await client.query('COMMIT');
    return org;
  });
