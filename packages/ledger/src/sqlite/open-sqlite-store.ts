import { homedir } from 'node:os';
import type { Ledger, LedgerChange, LedgerEntry, SavedState } from '../ledger.ts';
import { type ChangeRows, rowsOf, toEntry } from './change-rows.ts';
import { keysIn } from './key-table.ts';
import { type LedgerFile, openLedgerFile } from './ledger-file.ts';
import { ledgerPath } from './ledger-path.ts';
import { transaction } from './open-database.ts';
import { limitsOf, type Retention } from './retention.ts';
import { removeSetAside } from './set-aside.ts';
import { isBusy } from './sqlite-error.ts';
import type { Tables } from './tables.ts';
import { tidy } from './tidy.ts';

export interface SqliteStoreOptions {
  /** The file. Default: `ledger.db` in the folder of `ledgerPath`. */
  path?: string;
  /** The retention. Default: 30 days and 200 megabytes. */
  retention?: Retention;
  /** Milliseconds to wait for other writers before giving up. Default: 5,000. */
  wait?: number;
  /** Waits for the disk at each transaction, so that a power loss loses nothing. Default: false. */
  durable?: boolean;
  /** The clock of retention. Default: `Date.now`. */
  now?: () => number;
}

type Change = (saved: readonly SavedState[]) => LedgerChange;

/** A ledger in one file, and the file. */
export interface SqliteStore {
  ledger: Ledger;
  file: LedgerFile;
  path: string;
}

/**
 * Opens a ledger in one file without reports and incidents: a hook only writes, and starts faster
 * without them. Throws if the file cannot be used; a broken one is set aside.
 */
export function openSqliteStore({
  path = usualPath(),
  retention,
  wait = 5000,
  durable = false,
  now = Date.now,
}: SqliteStoreOptions = {}): SqliteStore {
  const limits = limitsOf(retention);
  const file = openLedgerFile(path, { wait, durable }, now, (name, tables) =>
    tables.write([], rowsOf([], { entries: [brokenFault(name, now())] }), now()),
  );

  /** Runs in a write transaction. */
  function inOneStep<T>(act: (tables: Tables) => T): T {
    const result = file.use((database, tables) => transaction(database, () => act(tables)));
    try {
      file.use((database) => tidy(database, limits, now()));
    } catch (error) {
      // The next write tidies up.
      if (!isBusy((error as Error).cause)) throw error;
    }
    return result;
  }

  /**
   * Computes the change before taking the write lock, to keep the lock short; undefined after a
   * conflict.
   */
  function updateIfFirst(sessions: readonly string[], change: Change): number[] | undefined {
    const saved = file.use((_, tables) => sessions.map(tables.saved));
    const rows = rowsOf(sessions, change(saved));
    return inOneStep((tables) =>
      sessions.every((session, i) => tables.version(session) === saved[i]!.version)
        ? tables.write(sessions, rows, now())
        : undefined,
    );
  }

  function update(
    sessions: readonly string[],
    change: Change,
    { repeatable = false } = {},
  ): number[] {
    const versions = repeatable ? updateIfFirst(sessions, change) : undefined;
    if (versions) return versions;
    let rows: ChangeRows | undefined;
    return inOneStep((tables) => {
      rows ??= rowsOf(sessions, change(sessions.map(tables.saved)));
      return tables.write(sessions, rows, now());
    });
  }

  const ledger: Ledger = {
    isShown: true,
    update: async (sessions, change, how) => update(sessions, change, how),
    append: async (entries) => void update([], () => ({ entries })),
    entries: async (query = {}) => file.use((_, tables) => tables.entries(query)),
    async *stream(since) {
      for (let after = 0; ; ) {
        const rows = file.use((_, tables) => tables.ask(STREAM, [since, after])) as StreamRow[];
        if (rows.length === 0) return;
        yield rows.map(toEntry);
        after = rows.at(-1)!.sequence;
      }
    },
    context: async (query = {}) => file.use((_, tables) => tables.context(query)),
    spentSince: async (since) => file.use((_, tables) => tables.spentSince(since)),
    sessions: async () => file.use((_, tables) => tables.sessions()),
    loadState: async (session) => file.use((_, tables) => tables.saved(session).read()),
    saveState: async (session, state) => void update([session], () => ({ states: [state] })),

    async forget(session) {
      file.use((database, tables) => {
        transaction(database, () => {
          tables.forget(session);
          database.exec('PRAGMA incremental_vacuum');
        });
        // Deleted data must not stay in the log.
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      });
      if (session === undefined) removeSetAside(path);
    },

    keys: keysIn(file),
    close: async () => file.close(),
  };
  return { ledger, file, path };
}

/** One page at a time, since the consumer may be slow. */
const STREAM =
  "SELECT * FROM entries WHERE sequence > ?2 AND at >= ?1 AND session <> '' ORDER BY sequence LIMIT 1000";

type StreamRow = { sequence: number } & Record<string, unknown>;

const usualPath = (): string =>
  ledgerPath({ home: homedir(), variables: process.env, platform: process.platform });

/** A fault of the ledger itself; it belongs to no session. */
const brokenFault = (name: string, at: number): LedgerEntry => ({
  id: `ledger/${name}`,
  session: '',
  at,
  kind: 'fault',
  step: 0,
  data: {
    where: 'ledger',
    message: `The ledger was damaged. It was set aside as ${name}, and a new one was begun.`,
  },
});
