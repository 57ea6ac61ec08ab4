import { present } from '@unrut/engine/json';
import type { KeyScope, LedgerKeys, StoredKey } from '../api-key.ts';
import type { LedgerFile } from './ledger-file.ts';
import { transaction } from './open-database.ts';

/** Keys in a ledger's file. */
export function keysIn(file: LedgerFile): LedgerKeys {
  const change = (sql: string, ...values: (string | number | null)[]): number =>
    file.use((database) =>
      transaction(database, () => Number(database.prepare(sql).run(...values).changes)),
    );
  return {
    async add({ id, name, hash, scopes, created, expires }) {
      change(
        'INSERT INTO api_keys (id, name, hash, scopes, created, expires) VALUES (?, ?, ?, ?, ?, ?)',
        ...[id, name, hash],
        scopes.join(),
        created,
        expires ?? null,
      );
    },
    list: async () => file.use((database) => database.prepare(LIST).all().map(toKey)),
    revoke: async (id, at) =>
      change('UPDATE api_keys SET revoked = ? WHERE id = ? AND revoked IS NULL', at, id) > 0,
    used: async (id, at) => void change('UPDATE api_keys SET last_used = ? WHERE id = ?', at, id),
  };
}

const LIST = `SELECT id, name, hash, scopes, created, expires, revoked, last_used AS "lastUsed" FROM api_keys ORDER BY created, id`;

const toKey = ({ scopes, ...key }: object & { scopes?: unknown }): StoredKey => ({
  ...(present(key) as Omit<StoredKey, 'scopes'>),
  scopes: (scopes as string).split(',') as KeyScope[],
});
