import { readFileSync } from 'node:fs';
import { UnrutError } from '@unrut/engine/errors';
import { isLoopback } from '@unrut/engine/text/loopback';
import { type PostgresPlace, postgresPlace, wrongAddress } from '@unrut/ledger/postgres-address';
import type { PoolConfig } from 'pg';

/** The location of a database, and how to connect to it. */
export interface Address extends Pick<PostgresPlace, 'where' | 'hosts'> {
  /** Only a host that takes writes will do. */
  writable: boolean;
  config: Pick<PoolConfig, 'user' | 'password' | 'database' | 'ssl'>;
}

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

/** Parses an address into connection options. */
export function parseAddress(url: string): Address {
  const { where, hosts, user, password, database, options } = postgresPlace(url);
  // A socket's folder, or the loopback.
  const local = hosts.every(({ host }) => host.startsWith('/') || isLoopback(host));
  return {
    where,
    hosts,
    writable: hosts.length > 1 && options.get('target_session_attrs') !== 'any',
    config: {
      ...(user ? { user } : {}),
      ...(password ? { password } : {}),
      ...(database ? { database } : {}),
      ssl: sslOf(
        options.get('sslmode') ?? process.env.PGSSLMODE ?? (local ? 'disable' : 'verify-full'),
        options.get('sslrootcert'),
      ),
    },
  };
}

function sslOf(mode: string, rootFile: string | null): PoolConfig['ssl'] {
  if (!SSL_MODES.includes(mode as never)) wrongAddress(`an sslmode of ${SSL_MODES.join(', ')}`);
  if (mode === 'disable') return false;
  const ca = rootFile === null ? {} : { ca: rootOf(rootFile) };
  if (mode === 'require')
    return { ...ca, rejectUnauthorized: rootFile !== null, checkServerIdentity: anyName };
  return {
    ...ca,
    rejectUnauthorized: true,
    ...(mode === 'verify-ca' ? { checkServerIdentity: anyName } : {}),
  };
}

const anyName = (): undefined => undefined;

function rootOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UnrutError('bad-option', `[postgres] sslrootcert: cannot read ${file}.`, {
      cause: error,
    });
  }
}
