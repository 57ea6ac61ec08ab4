import type { KeyScope, LedgerKeys, StoredKey } from '../api-key.ts';
import type { Connections } from './database.ts';
import { inOrganisation } from './transaction.ts';

const TIMES = ['created', 'expires', 'revoked', 'last_used'] as const;
const COLUMNS = `id, name, hash, scopes, ${TIMES.map((time) => `(extract(epoch FROM ${time}) * 1000)::double precision AS ${time}`).join(', ')}`;
const time = (place: number): string => `to_timestamp($${place}::double precision / 1000)`;

/** The keys of an organisation. */
export function postgresKeys(connections: Connections, org: number): LedgerKeys {
  const change = (sql: string, values: unknown[]): Promise<number> =>
    inOrganisation(connections, org, async (client) => (await client.query(sql, values)).rowCount ?? 0);
  return {
    async add({ id, name, hash, scopes, created, expires }) {
      await change(
        `INSERT INTO unrut.api_keys (org, id, name, hash, scopes, created, expires) VALUES ($1, $2, $3, $4, $5, ${time(6)}, ${time(7)})`,
        [org, id, name, hash, scopes, created, expires ?? null],
      );
    },
    async list() {
      const sql = `SELECT ${COLUMNS} FROM unrut.api_keys k WHERE org = $1 ORDER BY k.created, id`;
      return inOrganisation(connections, org, async (client) => (await client.query<KeyRow>(sql, [org])).rows.map(toKey), {
        readOnly: true,
      });
    },
    revoke: async (id, at) =>
      (await change(`UPDATE unrut.api_keys SET revoked = ${time(3)} WHERE org = $1 AND id = $2 AND revoked IS NULL`, [org, id, at])) > 0,
    used: async (id, at) =>
      void (await change(`UPDATE unrut.api_keys SET last_used = ${time(3)} WHERE org = $1 AND id = $2`, [org, id, at])),
  };
}

interface KeyRow extends Pick<StoredKey, 'id' | 'name' | 'hash' | 'created'> {
  scopes: KeyScope[];
  expires: number | null;
  revoked: number | null;
  last_used: number | null;
}

const toKey = ({ id, name, hash, scopes, created, expires, revoked, last_used: lastUsed }: KeyRow): StoredKey => ({
  ...{ id, name, hash, scopes, created },
  ...(expires === null ? {} : { expires }),
  ...(revoked === null ? {} : { revoked }),
  ...(lastUsed === null ? {} : { lastUsed }),
});
