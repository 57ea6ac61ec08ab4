import { homedir } from 'node:os';
import type { Ledger, LedgerChange, LedgerEntry, SavedState } from '../ledger.ts';
import { type ChangeRows, rowsOf } from './change-rows.ts';
import { openLedgerFile } from './ledger-file.ts';
import { ledgerPath } from './ledger-path.ts';
import { transaction } from './open-database.ts';
import { limitsOf, type Retention } from './retention.ts';
import { removeSetAside } from './set-aside.ts';
import { isBusy } from './sqlite-error.ts';
import type { Tables } from './tables.ts';
import { tidy } from './tidy.ts';

export interface SqliteLedgerOptions {
  /** The file. Default: `ledger.db` where `ledgerPath` says. */
  path?: string;
  /** How much is kept. Default: 30 days and 200 megabytes. */
  retention?: Retention;
  /** Milliseconds to wait for other writers before giving up. Default: 5,000. */
  wait?: number;
  /** The clock of retention. Default: `Date.now`. */
  now?: () => number;
}

export type Change = (saved: readonly SavedState[]) => LedgerChange;

/** A change of sessions that had these versions when it was made. */
export interface PreparedChange {
  sessions: readonly string[];
  versions: readonly number[];
  rows: ChangeRows;
}

/** A ledger whose changes can be made by one and written by another. */
export interface OpenLedger extends Ledger {
  /** The states of sessions as they are now. */
  saved(sessions: readonly string[]): SavedState[];
  /** Writes a change, and gives the new versions; nothing is written or given when the sessions have other versions by now. */
  write(prepared: PreparedChange): number[] | undefined;
}

/** A ledger in one file, for any number of processes at once. Throws when the file cannot be used; a broken one is set aside. */
export const createSqliteLedger = (options: SqliteLedgerOptions = {}): Ledger => openLedger(options);

export function openLedger({ path = usualPath(), retention, wait = 5000, now = Date.now }: SqliteLedgerOptions): OpenLedger {
  const limits = limitsOf(retention);
  const file = openLedgerFile(path, wait, now, (name, tables) =>
    tables.write([], rowsOf([], { entries: [brokenFault(name, now())] }), now()),
  );

  /** In one step, with the right to write from its first line on. */
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

  const saved = (sessions: readonly string[]): SavedState[] => file.use((_, tables) => sessions.map(tables.saved));

  function write({ sessions, versions, rows }: PreparedChange): number[] | undefined {
    return inOneStep((tables) =>
      sessions.every((session, i) => tables.version(session) === versions[i]) ? tables.write(sessions, rows, now()) : undefined,
    );
  }

  function update(sessions: readonly string[], change: Change, { repeatable = false } = {}): number[] {
    // Nobody else has to wait while it is made.
    const versions = repeatable ? write(prepared(sessions, saved(sessions), change)) : undefined;
    if (versions) return versions;
    let rows: ChangeRows | undefined;
    return inOneStep((tables) => {
      rows ??= rowsOf(sessions, change(sessions.map(tables.saved)));
      return tables.write(sessions, rows, now());
    });
  }

  return {
    saved,
    write,
    update: async (sessions, change, how) => update(sessions, change, how),
    append: async (entries) => void update([], () => ({ entries })),
    entries: async (query = {}) => file.use((_, tables) => tables.entries(query)),
    context: async (query = {}) => file.use((_, tables) => tables.context(query)),
    sessions: async () => file.use((_, tables) => tables.sessions()),
    loadState: async (session) => file.use((_, tables) => tables.saved(session).read()),
    saveState: async (session, state) => void update([session], () => ({ states: [state] })),

    async forget(session) {
      file.use((database, tables) => {
        transaction(database, () => {
          tables.forget(session);
          database.exec('PRAGMA incremental_vacuum');
        });
        // What was deleted must not stay in the log.
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      });
      if (session === undefined) removeSetAside(path);
    },

    close: async () => file.close(),
  };
}

export const prepared = (sessions: readonly string[], saved: readonly SavedState[], change: Change): PreparedChange => ({
  sessions,
  versions: saved.map(({ version }) => version),
  rows: rowsOf(sessions, change(saved)),
});

const usualPath = (): string => ledgerPath({ home: homedir(), variables: process.env, platform: process.platform });

/** A fault of the ledger itself, which belongs to no session. */
export const ledgerFault = (name: string, message: string, at: number): LedgerEntry => ({
  id: `ledger/${name}`,
  session: '',
  at,
  kind: 'fault',
  step: 0,
  data: { where: 'ledger', message },
});

const brokenFault = (name: string, at: number): LedgerEntry =>
  ledgerFault(name, `The ledger was damaged. It was set aside as ${name}, and a new one was begun.`, at);
