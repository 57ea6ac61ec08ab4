import { statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { EntryKind, LedgerEntry } from '../ledger.ts';
import { toEntry } from './change-rows.ts';
import { toLedgerError } from './sqlite-error.ts';
import { type Condition, equal } from './tables.ts';

/** An entry, and its place in the ledger: a later one has a higher number. */
export interface LedgerRow extends LedgerEntry {
  sequence: number;
  kind: EntryKind;
}

/** The rows of a ledger's file, only to be read, apart from the connection that is written with. */
export interface LedgerRows {
  /** Entries after a place, in the order in which they came. */
  after(sequence: number, most: number): LedgerRow[];
  /**
   * Whether there is still that entry at that place. A place is given again when the newest entries
   * are deleted.
   */
  has(sequence: number, id: string): boolean;
  /** The highest place; 0 when there is none. */
  last(): number;
  /** Entries of a session after a place, in the order in which they came. */
  ofSession(session: string, after: number, most: number): LedgerRow[];
  /** The place after which a session has at most so many entries; 0 where it has no more. */
  startOf(session: string, most: number): number;
  /** Entries that meet the conditions, the newest first. */
  newest(query: NewestQuery): LedgerRow[];
  /** The tool that a session called at this time, if any. */
  toolAt(session: string, at: number): string | undefined;
  /**
   * All sessions that something is kept of, and the times of the first and the last, pieces of
   * messages among it.
   */
  sessions(): Map<string, { first: number; last: number }>;
  /** Sessions that have a state and whose names end so. */
  statesEndingIn(end: string): string[];
  /** From then on there are no rows. */
  close(): void;
}

/** Which entries are wanted. */
export interface NewestQuery {
  kind: EntryKind;
  most: number;
  session?: string;
  /** Epoch milliseconds; the second is no longer part of it. */
  since?: number;
  until?: number;
  /** Only older ones: a time, and a place among those of that time. */
  before?: { at: number; sequence: number };
  /** A field of the data, and what it has to be. */
  field?: [name: string, value: string];
}

type Row = Record<string, SQLInputValue>;

const COLUMNS = 'sequence, id, session, agent, at, kind, step, data';

/**
 * Opens the file when it is first asked. One that is not there yet has no rows; one that was
 * replaced is opened anew.
 */
export function openLedgerRows(path: string): LedgerRows {
  let database: DatabaseSync | undefined;
  let file = '';
  let isOver = false;

  function close(): void {
    database?.close();
    database = undefined;
  }

  function opened(): DatabaseSync | undefined {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    const found = stats ? `${stats.dev} ${stats.ino}` : '';
    if (found !== file) close();
    file = found;
    if (!stats || database) return database;
    // Loaded when it is needed, since older versions of Node warn of it.
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    database = new DatabaseSync(path, { readOnly: true, timeout: WAIT });
    return database;
  }

  function ask(sql: string, ...values: SQLInputValue[]): Row[] {
    if (isOver) return [];
    try {
      const statement = opened()?.prepare(sql);
      return (statement?.all(...values) ?? []) as Row[];
    } catch (error) {
      close();
      throw toLedgerError(path, error);
    }
  }
  const one = (sql: string, ...values: SQLInputValue[]): SQLInputValue | undefined =>
    Object.values(ask(sql, ...values)[0] ?? {})[0];

  return {
    after: (sequence, most) =>
      ask(
        `SELECT ${COLUMNS} FROM entries WHERE sequence > ? ORDER BY sequence LIMIT ?`,
        sequence,
        most,
      ).map(toRow),
    has: (sequence, id) => one('SELECT id FROM entries WHERE sequence = ?', sequence) === id,
    last: () => Number(one('SELECT max(sequence) FROM entries') ?? 0),
    ofSession: (session, after, most) =>
      ask(
        `SELECT ${COLUMNS} FROM entries INDEXED BY entries_by_session WHERE session = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
        ...[session, after, most],
      ).map(toRow),
    startOf: (session, most) =>
      Number(
        one(
          'SELECT sequence FROM entries WHERE session = ? ORDER BY sequence DESC LIMIT 1 OFFSET ?',
          session,
          most,
        ) ?? 0,
      ),
    newest(query) {
      const conditions = conditionsOf(query);
      const where = conditions.map(([sql]) => sql).join(' AND ');
      const sql = `SELECT ${COLUMNS} FROM entries WHERE ${where} ORDER BY at DESC, sequence DESC LIMIT ?`;
      return ask(sql, ...conditions.flatMap(([, ...values]) => values), query.most).map(toRow);
    },
    toolAt: (session, at) =>
      one(
        "SELECT data ->> 'tool' FROM entries WHERE session = ? AND at = ? AND kind = 'event' AND data ->> 'tool' IS NOT NULL",
        session,
        at,
      ) as string | undefined,
    sessions: () =>
      new Map(
        ask('SELECT session, first, last FROM sessions WHERE first IS NOT NULL').map(
          ({ session, first, last }) => [
            String(session),
            { first: Number(first), last: Number(last) },
          ],
        ),
      ),
    statesEndingIn: (end) =>
      ask('SELECT session FROM states WHERE substr(session, -length(?1)) = ?1', end).map(
        ({ session }) => String(session),
      ),
    close() {
      isOver = true;
      close();
    },
  };
}

/**
 * Milliseconds to wait for whoever changes the file as a whole; readers do not wait for a writer.
 */
const WAIT = 1000;

function conditionsOf({ kind, session, since, until, before, field }: NewestQuery): Condition[] {
  const conditions = [...equal('kind', kind), ...equal('session', session)];
  if (since !== undefined) conditions.push(['at >= ?', since]);
  if (until !== undefined) conditions.push(['at < ?', until]);
  if (before !== undefined)
    conditions.push(['(at, sequence) < (?, ?)', before.at, before.sequence]);
  if (field !== undefined) conditions.push(['data ->> ? = ?', ...field]);
  return conditions;
}

const toRow = (row: Row): LedgerRow => ({ sequence: row.sequence, ...toEntry(row) }) as LedgerRow;
