import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { countSession } from '../figures/count-session.ts';
import { HOUR_TABLES, type HourChanges, type HourTable } from '../figures/hour-changes.ts';
import type { LoopColumns, SessionColumns } from '../figures/session-figures.ts';
import type { LedgerEntry } from '../ledger-entry.ts';
import { toEntry } from './change-rows.ts';

/** Columns of a session that are computed from its figures; lists sort by them. */
const FIGURES = [
  ...([
    'host',
    'folder',
    'model',
    'release',
    'repo',
    'team',
    'person',
    'ended',
    'looping',
  ] as const),
  ...(['steps', 'loops', 'plans', 'tokens', 'usd'] as const),
  ...(['wasted_steps', 'wasted_tokens', 'wasted_usd', 'words', 'summary'] as const),
  ...(['waits_for', 'waits_since'] as const),
] satisfies (keyof SessionColumns)[];

const TYPES: { [column: string]: string } = {
  ...Object.fromEntries(FIGURES.map((name) => [name, 'TEXT'])),
  ...Object.fromEntries(
    ['ended', 'looping', 'steps', 'loops', 'plans', 'wasted_steps', 'minute', 'phase'].map(
      (name) => [name, 'INTEGER'],
    ),
  ),
  ...Object.fromEntries(
    ['tokens', 'usd', 'wasted_tokens', 'wasted_usd', 'heard', 'since', 'waits_since'].map(
      (name) => [name, 'REAL'],
    ),
  ),
};

const INDEXES = {
  sessions_newest: '(minute DESC)',
  sessions_by_phase: '(phase, minute DESC)',
  sessions_by_since: '(since, minute DESC)',
  sessions_by_waste: '(wasted_usd DESC, wasted_steps DESC, minute DESC)',
  sessions_by_host: "(coalesce(host, ''), minute DESC)",
  sessions_by_folder: "(coalesce(folder, ''), minute DESC)",
  sessions_with_loops: '(minute DESC) WHERE loops > 0',
  sessions_uncounted: '(session) WHERE minute IS NULL',
};

/**
 * The tables of figures of sessions, loops and hours. A session without `minute` is older than
 * these tables: it is counted when it is next written or queried. `counts` is the state for
 * resuming.
 */
export function createFiguresTables(database: DatabaseSync): void {
  for (const [column, type] of Object.entries(TYPES))
    database.exec(`ALTER TABLE sessions ADD COLUMN ${column} ${type}`);
  for (const [name, columns] of Object.entries(INDEXES))
    database.exec(`CREATE INDEX ${name} ON sessions ${columns}`);
  database.exec(`
    CREATE TABLE counts (session TEXT PRIMARY KEY REFERENCES sessions ON DELETE CASCADE, count TEXT NOT NULL);
    CREATE TABLE loops (
      session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE, agent TEXT NOT NULL, id INTEGER NOT NULL, at REAL NOT NULL,
      detector TEXT NOT NULL, recovery TEXT, rung TEXT, ending TEXT,
      PRIMARY KEY (session, agent, id)
    ) WITHOUT ROWID;
    CREATE INDEX loops_by_time ON loops (at);
  `);
  for (const [table, { keys, sums }] of Object.entries(HOUR_TABLES))
    database.exec(`CREATE TABLE ${table} (
      hour REAL NOT NULL, ${keys.map((name) => `${name} ${name === 'shadow' ? 'INTEGER' : 'TEXT'} NOT NULL`).join(', ')},
      ${sums.map((name) => `${name} REAL NOT NULL DEFAULT 0`).join(', ')}, last REAL,
      PRIMARY KEY (hour, ${keys.join(', ')})
    ) WITHOUT ROWID`);
}

/** Adds the columns for a loop's cost and for the tool called when it was noticed. */
export function addLoopColumns(database: DatabaseSync): void {
  database.exec('ALTER TABLE loops ADD COLUMN tool TEXT');
  for (const name of ['wasted_steps', 'wasted_tokens', 'wasted_usd'])
    database.exec(`ALTER TABLE loops ADD COLUMN ${name} REAL NOT NULL DEFAULT 0`);
}

type Prepare = (sql: string) => StatementSync;

/**
 * Adds new entries of a session to its figures; counts all of them if the session was never
 * counted. The entries are already in the table.
 */
export function addFigures(
  prepare: Prepare,
  session: string,
  added: readonly LedgerEntry[],
  now: number,
): void {
  const kept = prepare('SELECT count FROM counts WHERE session = ?').get(session) as
    | { count: string }
    | undefined;
  const count = countSession(session, kept?.count);
  const entries = kept ? added : (prepare(ENTRIES).all(session) as Row[]).map(toEntry);
  for (const entry of entries) count.add(entry);
  const columns = count.columns();
  prepare(SHOW).run(
    ...FIGURES.map((name) => toValue(columns[name])),
    ...[columns.ended ? 2 : columns.summary.stopped ? 1 : 0, columns.summary.loopingSince ?? null],
    ...[now, session],
  );
  for (const loop of count.loops()) addLoop(prepare, session, loop);
  addHours(prepare, count.hours());
  prepare(KEEP).run(session, count.text());
}

/** Sessions older than the tables of figures, at most this many. */
export const uncounted = (prepare: Prepare, most: number): string[] =>
  (prepare(UNCOUNTED).all(most) as { session: string }[]).map(({ session }) => session);

const UNCOUNTED =
  'SELECT session FROM sessions INDEXED BY sessions_uncounted WHERE minute IS NULL AND first IS NOT NULL LIMIT ?';
const ENTRIES = 'SELECT * FROM entries WHERE session = ? ORDER BY sequence';
const KEEP =
  'INSERT INTO counts (session, count) VALUES (?, ?) ON CONFLICT DO UPDATE SET count = excluded.count';
/** Faults without a session appear in no list. */
const SHOW = `UPDATE sessions SET ${FIGURES.map((name, i) => `${name} = ?${i + 1}`).join(', ')},
  phase = ?${FIGURES.length + 1}, since = ifnull(?${FIGURES.length + 2}, first), heard = min(last, ?${FIGURES.length + 3}),
  minute = CASE session WHEN '' THEN -1 ELSE max(0, CAST(last / 60000 AS INTEGER)) END WHERE session = ?${FIGURES.length + 4}`;

const toValue = (value: unknown): SQLInputValue =>
  typeof value === 'boolean'
    ? Number(value)
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : (value as SQLInputValue);

const LOOP = [
  ...(['id', 'agent', 'at', 'detector', 'recovery', 'rung', 'ending'] as const),
  ...(['wasted_steps', 'wasted_tokens', 'wasted_usd', 'tool'] as const),
] as const;
const ADD_LOOP = `INSERT INTO loops (session, ${LOOP.join(', ')}) VALUES (?, ${LOOP.map(() => '?').join(', ')})
  ON CONFLICT DO UPDATE SET ${LOOP.slice(2, -1)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}, tool = coalesce(tool, excluded.tool)`;

function addLoop(prepare: Prepare, session: string, loop: LoopColumns): void {
  prepare(ADD_LOOP).run(session, ...LOOP.map((name) => loop[name]));
  for (const id of loop.also)
    prepare('DELETE FROM loops WHERE session = ? AND agent = ? AND id = ?').run(
      session,
      loop.agent,
      id,
    );
}

const ADD_HOURS = Object.fromEntries(
  Object.entries(HOUR_TABLES).map(([table, { keys, sums }]) => {
    const columns = ['hour', ...keys, ...sums, 'last'];
    return [
      table,
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
        ON CONFLICT DO UPDATE SET ${sums.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')},
        last = max(ifnull(last, 0), ifnull(excluded.last, 0))`,
    ];
  }),
) as Record<HourTable, string>;

function addHours(prepare: Prepare, changes: HourChanges): void {
  for (const table of Object.keys(HOUR_TABLES) as HourTable[]) {
    const { keys, sums } = HOUR_TABLES[table];
    for (const row of changes[table] as unknown as {
      [name: string]: number | string | undefined;
    }[])
      prepare(ADD_HOURS[table]).run(
        row.hour!,
        ...keys.map((name) => toValue(row[name])),
        ...sums.map((name) => row[name] ?? 0),
        row.last ?? null,
      );
  }
}

/** Clears hourly figures when everything is forgotten. */
export const forgetHours = (prepare: Prepare): void => {
  for (const table of Object.keys(HOUR_TABLES)) prepare(`DELETE FROM ${table}`).run();
};

type Row = Record<string, unknown>;
