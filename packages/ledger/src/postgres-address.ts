import { UnrutError } from '@unrut/engine/errors';

/** The location in a database URL. */
export interface PostgresPlace {
  /** Hosts and database name, without user and password: for messages. */
  where: string;
  /** In the order in which they are tried. */
  hosts: readonly { host: string; port: number }[];
  user: string | undefined;
  password: string | undefined;
  database: string | undefined;
  /** The query parameters. */
  options: URLSearchParams;
}

const FORM =
  /^postgres(?:ql)?:\/\/(?:(?<who>[^@/]*)@)?(?<hosts>[^/?]*)(?:\/(?<database>[^?]*))?(?:\?(?<options>.*))?$/;
const DEFAULT_PORT = 5432;

/** Whether an address is a Postgres URL and not a file. */
export const isPostgresUrl = (given: string): boolean => /^postgres(?:ql)?:\/\//.test(given);

/**
 * Parses `postgres://user@host:port/database?sslmode=…`; several hosts are separated by commas.
 * Error messages never contain the password.
 */
export function postgresPlace(url: string): PostgresPlace {
  const {
    who = '',
    hosts: named = '',
    database = '',
    options: given = '',
  } = FORM.exec(url)?.groups ?? wrongAddress('postgres://user@host:port/database');
  const options = new URLSearchParams(given);
  const [user, password] = who.split(/:(.*)/s).map(decoded);
  const hosts = (named || options.get('host') || process.env.PGHOST || 'localhost')
    .split(',')
    .map(toHost);
  const name = decoded(database) || process.env.PGDATABASE || user;
  return {
    where: `${hosts.map(({ host, port }) => `${host}:${port}`).join(',')}/${name ?? ''}`,
    hosts,
    user,
    password,
    database: name,
    options,
  };
}

function toHost(text: string): { host: string; port: number } {
  const [, host = '', port] =
    /^(\[[\da-f:.]+\]|[\w.-]+|\/.*?)(?::(\d+))?$/i.exec(decoded(text)) ?? wrongAddress('host:port');
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port ?? process.env.PGPORT ?? DEFAULT_PORT),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Throws the error for an invalid address. */
export function wrongAddress(expected: string): never {
  throw new UnrutError(
    'bad-option',
    `[postgres] The address of the ledger: expected ${expected}, got something else.`,
  );
}
