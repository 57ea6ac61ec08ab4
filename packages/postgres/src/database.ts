import { UnrutError } from '@unrut/engine/errors';
import { importPeer } from '@unrut/ledger/import-peer';
import type { Pool, PoolClient, PoolConfig, QueryResultRow } from 'pg';
import { type Address, parseAddress } from './address.ts';
import { migrationState, SCHEMA_RANGE } from './migrate.ts';
import { codeOf, isOfStatement, isWrongAddress, toPostgresFault } from './postgres-error.ts';
import { checkDictionaries } from './state-codec.ts';

export interface DatabaseOptions {
  /**
   * `postgres://user@host:port/database`, with `sslmode`, `sslrootcert` and `target_session_attrs`.
   * Keep the password in `PGPASSWORD` or a `.pgpass` file.
   */
  url: string;
  /** Max number of connections. Default: 10. */
  connections?: number;
  /**
   * Whether to use prepared statements, which older versions of PgBouncer do not support. Default:
   * unless `UNRUT_PREPARE` is 0.
   */
  prepare?: boolean;
}

/**
 * Lends connections. Releasing a connection with an error discards it; `inOrganisation` does both.
 */
export interface Connections {
  connect(): Promise<PoolClient>;
}

/** The connections of one process to a database. They are opened on demand. */
export interface Database extends Connections {
  /** Hosts and name, for messages. */
  readonly where: string;
  /** Runs one statement as its own transaction; `name` identifies the prepared statement. */
  query<Row extends QueryResultRow>(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]>;
  /**
   * Throws if the database cannot be used: unreachable, an unsupported version, or settings that
   * can lose committed data.
   */
  check(): Promise<void>;
  /** The number of connections, of idle ones, and of callers that wait for one. */
  counts(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/** Max milliseconds to wait for a connection or an answer. */
const CONNECT_TIMEOUT = 1000;
const QUERY_TIMEOUT = 5000;

export function openConnections({
  url,
  connections = 10,
  prepare = process.env.UNRUT_PREPARE !== '0',
}: DatabaseOptions): Database {
  const address = parseAddress(url);
  let opening: Promise<Pool> | undefined;
  let pool: Pool | undefined;
  let checked: Promise<void> | undefined;
  let closed = false;

  async function open(): Promise<Pool> {
    const { Pool, Client } = await importPg();
    const made = new Pool({
      ...configOf(address, await hostOf(address, Client)),
      max: connections,
    });
    // Without a listener, an error on an idle connection would end the process.
    made.on('error', () => {});
    // The same holds for a connection in use between two statements; the next statement fails.
    made.on('connect', (client) => client.on('error', () => {}));
    made.on('release', (error: unknown) => giveUpAfter(error, made));
    pool = made;
    return made;
  }

  function current(): Promise<Pool> {
    if (closed)
      throw new UnrutError(
        'closed-ledger',
        `[postgres] ${address.where} has been closed. Open another ledger.`,
      );
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  /**
   * If one connection has gone silent or its host is no longer the primary, all connections are
   * replaced.
   */
  function giveUpAfter(error: unknown, used: Pool): void {
    if (!(error instanceof Error) || pool !== used) return;
    if (!isSilence(error) && !(address.hosts.length > 1 && isElsewhere(error))) return;
    opening = undefined;
    pool = undefined;
    void used.end().catch(() => {});
  }

  async function connectUnchecked(): Promise<PoolClient> {
    const from = await current();
    try {
      return await from.connect();
    } catch (error) {
      giveUpAfter(error, from);
      throw error;
    }
  }

  async function examine(): Promise<void> {
    checkDictionaries();
    const client = await connectUnchecked();
    try {
      const { rows } = await client.query<{ fsync: string; full_page_writes: string }>(SETTINGS);
      const off = Object.entries(rows[0]!).find(([, value]) => value !== 'on')?.[0];
      if (off)
        throw new UnrutError(
          'unsafe-database',
          `[postgres] ${address.where} has ${off} off, and loses what it has taken when it crashes. Turn it on.`,
        );
      refuse((await migrationState(client)).version);
    } finally {
      client.release();
    }
  }

  function refuse(version: number): void {
    if (version < SCHEMA_RANGE.from)
      throw new UnrutError(
        'old-schema',
        `[postgres] ${address.where} has no tables of Unrut yet, or old ones. Run unrut ledger migrate.`,
      );
    if (version > SCHEMA_RANGE.to)
      throw new UnrutError(
        'newer-ledger',
        `[postgres] ${address.where} has version ${version} of the schema; this Unrut knows versions up to ${SCHEMA_RANGE.to}. Update Unrut.`,
      );
  }

  /** Runs once; again only after a failure. */
  function check(): Promise<void> {
    checked ??= examine().catch((error: unknown) => {
      checked = undefined;
      throw toPostgresFault(address.where, error);
    });
    return checked;
  }

  async function connect(): Promise<PoolClient> {
    await check();
    return connectUnchecked();
  }

  return {
    where: address.where,
    check,
    connect,
    async query<Row extends QueryResultRow>(
      name: string,
      text: string,
      values: readonly unknown[],
    ) {
      const client = await connect();
      try {
        const { rows } = await client.query<Row>({
          ...(prepare ? { name } : {}),
          text,
          values: [...values],
        });
        client.release();
        return rows;
      } catch (error) {
        client.release(isOfStatement(error) ? undefined : (error as Error));
        throw error;
      }
    },
    counts: () => ({
      total: pool?.totalCount ?? 0,
      idle: pool?.idleCount ?? 0,
      waiting: pool?.waitingCount ?? 0,
    }),
    async close() {
      closed = true;
      await (await opening?.catch(() => undefined))?.end();
    },
  };
}

/** Seconds to wait for a database that starts together with this process. */
const PATIENCE = 30;

/** Waits while the database is unreachable; throws if it stays so, or if waiting cannot help. */
export async function untilUsable(database: Database): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await database.check();
    } catch (error) {
      const { code, cause } = error as UnrutError;
      if (
        code !== 'ledger-unusable' ||
        isOfStatement(cause) ||
        isWrongAddress(cause) ||
        tries === PATIENCE
      )
        throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 500 + 1000 * Math.random()));
  }
}

/** Runs as the owner of the tables, without short timeouts: for migrations and upkeep. */
export async function withOwner<T>(url: string, act: (pool: Pool) => Promise<T>): Promise<T> {
  const address = parseAddress(url);
  try {
    const { Pool, Client } = await importPg();
    const pool = new Pool({
      ...configOf(address, await hostOf(address, Client)),
      max: 2,
      query_timeout: undefined,
    });
    pool.on('error', () => {});
    try {
      return await act(pool);
    } finally {
      await pool.end();
    }
  } catch (error) {
    throw toPostgresFault(address.where, error, 'Run it as the role that owns the tables.');
  }
}

async function importPg(): Promise<typeof import('pg')> {
  const found = await importPeer<typeof import('pg') & { default?: typeof import('pg') }>(
    'pg',
    'postgres',
  );
  return found.default ?? found;
}

const configOf = ({ config }: Address, host: Address['hosts'][number]): PoolConfig => ({
  ...config,
  ...host,
  keepAlive: true,
  application_name: 'unrut',
  connectionTimeoutMillis: CONNECT_TIMEOUT,
  query_timeout: QUERY_TIMEOUT,
});

const SETTINGS =
  "SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes";

/** The first of several hosts that answers and accepts writes. */
async function hostOf(
  address: Address,
  Client: typeof import('pg').Client,
): Promise<Address['hosts'][number]> {
  if (address.hosts.length === 1) return address.hosts[0]!;
  let reason: unknown;
  for (const host of address.hosts) {
    const client = new Client(configOf(address, host));
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ transaction_read_only: string }>(
        'SHOW transaction_read_only',
      );
      if (!address.writable || rows[0]!.transaction_read_only === 'off') return host;
      reason = new UnrutError(
        'ledger-unusable',
        `[postgres] None of ${address.where} takes writes. Check which one is the primary.`,
      );
    } catch (error) {
      reason ??= error;
    } finally {
      void client.end().catch(() => {});
    }
  }
  throw reason;
}

/** Neither an answer nor a connection error. */
const isSilence = (error: unknown): boolean =>
  !isOfStatement(error) && /timeout/i.test((error as Error).message);

/** Unreachable, shutting down, or now a standby. */
const isElsewhere = (error: unknown): boolean => !isOfStatement(error) || codeOf(error) === '25006';
