import { readFileSync } from 'node:fs';
import { UnrutError } from '@unrut/engine/errors';
import { isLoopback } from '@unrut/engine/text/loopback';
import type { PoolConfig } from 'pg';

/** Where a database is, and how to get there. */
export interface Address {
  /** Hosts and name, without user and password: for messages. */
  where: string;
  /** In the order in which they are tried. */
  hosts: readonly { host: string; port: number }[];
  /** Only a host that takes writes will do. */
  writable: boolean;
  config: Pick<PoolConfig, 'user' | 'password' | 'database' | 'ssl'>;
}

const FORM =
  /^postgres(?:ql)?:\/\/(?:(?<who>[^@/]*)@)?(?<hosts>[^/?]*)(?:\/(?<database>[^?]*))?(?:\?(?<options>.*))?$/;
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
const DEFAULT_PORT = 5432;

/** Whether something names a database of Postgres, and not a file. */
export const isPostgresUrl = (given: string): boolean => /^postgres(?:ql)?:\/\//.test(given);

/**
 * Reads `postgres://user@host:port/database?sslmode=…`; several hosts with commas between them. A
 * message never has the password.
 */
export function parseAddress(url: string): Address {
  const {
    who = '',
    hosts: named = '',
    database = '',
    options = '',
  } = FORM.exec(url)?.groups ?? wrong('postgres://user@host:port/database');
  const given = new URLSearchParams(options);
  const [user, password] = who.split(/:(.*)/s).map(decoded);
  const hosts = (named || given.get('host') || process.env.PGHOST || 'localhost')
    .split(',')
    .map(toHost);
  const name = decoded(database) || process.env.PGDATABASE || user;
  // A socket's folder, or the loopback.
  const local = hosts.every(({ host }) => host.startsWith('/') || isLoopback(host));
  return {
    where: `${hosts.map(({ host, port }) => `${host}:${port}`).join(',')}/${name ?? ''}`,
    hosts,
    writable: hosts.length > 1 && given.get('target_session_attrs') !== 'any',
    config: {
      ...(user ? { user } : {}),
      ...(password ? { password } : {}),
      ...(name ? { database: name } : {}),
      ssl: sslOf(
        given.get('sslmode') ?? process.env.PGSSLMODE ?? (local ? 'disable' : 'verify-full'),
        given.get('sslrootcert'),
      ),
    },
  };
}

function toHost(text: string): { host: string; port: number } {
  const [, host = '', port] =
    /^(\[[\da-f:.]+\]|[\w.-]+|\/.*?)(?::(\d+))?$/i.exec(decoded(text)) ?? wrong('host:port');
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port ?? process.env.PGPORT ?? DEFAULT_PORT),
  };
}

function sslOf(mode: string, rootFile: string | null): PoolConfig['ssl'] {
  if (!SSL_MODES.includes(mode as never)) wrong(`an sslmode of ${SSL_MODES.join(', ')}`);
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function wrong(expected: string): never {
  throw new UnrutError(
    'bad-option',
    `[postgres] The address of the ledger: expected ${expected}, got something else.`,
  );
}
