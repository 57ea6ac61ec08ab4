import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Json } from '@unrut/engine/event';
import type {
  ContextEntry,
  ContextQuery,
  LedgerEntry,
  LedgerQuery,
  LedgerSession,
  SavedState,
} from '../ledger.ts';
import { spanOf } from '../ledger-entry.ts';
import { RepeatedEntry } from '../repeated-entry.ts';
import { type ChangeRows, type EntryRow, toEntry } from './change-rows.ts';
import { addFigures, forgetHours, uncounted } from './figures-tables.ts';

/** The prepared statements of a ledger. Callers manage transactions. */
export interface Tables {
  /** Returns the versions of the states. */
  write(sessions: readonly string[], rows: ChangeRows, now: number): number[];
  saved(session: string): SavedState;
  /** The version of a session's state; 0 if there is none. */
  version(session: string): number;
  entries(query: LedgerQuery): LedgerEntry[];
  context(query: ContextQuery): ContextEntry[];
  sessions(): LedgerSession[];
  spentSince(since: number): { usd: number; steps: number };
  forget(session: string | undefined): void;
  /** Rows that a statement finds. */
  ask(sql: string, values: readonly unknown[]): object[];
  /** Whether some sessions were never counted; counts some of them first. */
  hasMissing(): boolean;
  countMissing(now: number): boolean;
}

export function tablesOf(database: DatabaseSync): Tables {
  const prepared = new Map<string, StatementSync>();
  /** The last sum and the last entry in it, so that only later entries are read. */
  let spent = { since: 0, last: 0, usd: 0, steps: 0 };
  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  const run = (sql: string, ...values: SQLInputValue[]): number =>
    Number(statement(sql).run(...values).lastInsertRowid);

  /** False if the entry exists already. */
  function insert([id, session, agent, at, kind, step, data]: EntryRow): boolean {
    const isPiece = kind === 'piece';
    if (statement(isPiece ? HAS_ENTRY : HAS_PIECE).get(id)) return false;
    const { changes } = isPiece
      ? statement(ADD_PIECE).run(id, session, agent, at, step)
      : statement(ADD_ENTRY).run(id, session, agent, at, kind, step, data);
    return Number(changes) > 0;
  }

  /** Returns the new versions, which are never reused. */
  function save(sessions: readonly string[], states: readonly string[]): number[] {
    if (states.length === 0) return [];
    const { saves } = statement('UPDATE upkeep SET saves = saves + ? RETURNING saves').get(
      states.length,
    ) as { saves: number };
    return states.map((state, i) => {
      const version = saves - i;
      run(SAVE, sessions[i]!, version, state);
      return version;
    });
  }

  /** The newest rows that meet all conditions, in ascending order. */
  function select(
    [from, ...given]: Condition,
    time: string,
    conditions: readonly Condition[],
    last = -1,
  ): Row[] {
    const where =
      conditions.length > 0 ? `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}` : '';
    const sql = `SELECT * FROM ${from} ${where} ORDER BY ${time} DESC, rowid DESC LIMIT ?`;
    const values = conditions.flatMap(([, ...each]) => each);
    return (statement(sql).all(...given, ...values, last) as Row[]).reverse();
  }

  function versionOf(session: string): number {
    const row = statement('SELECT version FROM states WHERE session = ?').get(session) as
      | Row
      | undefined;
    return (row?.version as number | undefined) ?? 0;
  }

  /** Read lazily: callers that have the state in memory need only its version. */
  function stateOf(session: string): Json {
    const row = statement('SELECT state FROM states WHERE session = ?').get(session) as
      | Row
      | undefined;
    return row ? parsed(row.state) : null;
  }

  return {
    write(sessions, { touched, states, entries, once, context }, now) {
      for (const session of touched) run(TOUCH, session, now);
      const added: LedgerEntry[] = [];
      for (const [i, [row, entry]] of entries.entries()) {
        if (insert(row)) added.push(entry);
        else if (i < once) throw new RepeatedEntry(entry.id);
      }
      for (const [session, of] of Map.groupBy(added, (entry) => entry.session)) {
        const { first, last, events, signals } = spanOf(session, of);
        run(COUNT, first, last, events, signals, session);
        addFigures(statement, session, of, now);
      }
      for (const values of context) run(ADD_CONTEXT, ...values);
      return save(sessions, states);
    },

    saved: (session) => ({ version: versionOf(session), read: () => stateOf(session) }),
    version: versionOf,

    entries({ session, kind, since, under, last }) {
      const conditions = [...equal('session', session), ...equal('kind', kind)];
      if (since !== undefined) conditions.push(['at >= ?', since]);
      const from: Condition =
        under === undefined ? ['entries'] : [UNDER, JSON.stringify(under), LAST_CHARACTER];
      return select(from, 'at', conditions, last).map(toEntry);
    },

    context({ session, topics, task, last }) {
      const conditions = equal('session', session);
      if (topics !== undefined)
        conditions.push(['topic IN (SELECT value FROM json_each(?))', JSON.stringify(topics)]);
      if (task !== undefined)
        conditions.push(['EXISTS (SELECT 1 FROM json_each(related_tasks) WHERE value = ?)', task]);
      return select(['context_entries'], 'timestamp', conditions, last).map(toContextEntry);
    },

    sessions: () =>
      (
        statement(
          'SELECT session, first, last, events, signals FROM sessions WHERE events + signals > 0 ORDER BY last DESC',
        ).all() as Row[]
      ).map((row) => ({ ...row }) as unknown as LedgerSession),

    spentSince(since) {
      if (spent.since !== since) spent = { since, last: 0, usd: 0, steps: 0 };
      const { last, usd, steps } = statement(SPENT).get(since, spent.last) as typeof spent;
      spent.last = last ?? spent.last;
      spent.usd += usd;
      spent.steps += steps;
      return { usd: spent.usd, steps: spent.steps };
    },

    ask: (sql, values) => statement(sql).all(...(values as SQLInputValue[])),

    hasMissing: () => uncounted(statement, 1).length > 0,
    countMissing(now) {
      const missing = uncounted(statement, COUNTED_AT_ONCE);
      for (const session of missing) addFigures(statement, session, [], now);
      return missing.length === COUNTED_AT_ONCE;
    },

    forget(session) {
      if (session !== undefined) return void run('DELETE FROM sessions WHERE session = ?', session);
      run('DELETE FROM sessions');
      run('DELETE FROM pieces');
      forgetHours(statement);
    },
  };
}

/** Some tens of milliseconds of work. */
const COUNTED_AT_ONCE = 20;

const SAVE = `INSERT INTO states (session, version, state) VALUES (?, ?, ?)
  ON CONFLICT (session) DO UPDATE SET version = excluded.version, state = excluded.state`;
const COUNT = `UPDATE sessions SET
  first = min(ifnull(first, ?1), ?1), last = max(ifnull(last, ?2), ?2), events = events + ?3, signals = signals + ?4
  WHERE session = ?5`;

const TOUCH =
  'INSERT INTO sessions (session, touched) VALUES (?, ?) ON CONFLICT DO UPDATE SET touched = excluded.touched';
const ADD_ENTRY =
  'INSERT INTO entries (id, session, agent, at, kind, step, data) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING';
const ADD_PIECE =
  'INSERT INTO pieces (id, session, agent, at, step) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING';
const HAS_ENTRY = 'SELECT 1 FROM entries WHERE id = ?';
const HAS_PIECE = 'SELECT 1 FROM pieces WHERE id = ?';
const ADD_CONTEXT = `INSERT INTO context_entries
  (id, timestamp, entry_type, topic, content, related_tasks, confidence, metadata, session)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

/** The steps are those of `isSpentStep`. */
const SPENT = `SELECT
  ifnull(sum(json_extract(data, '$.cost.usd')), 0.0) AS usd,
  count(CASE WHEN ifnull(json_extract(data, '$.aside'), 0) = 0
    AND json_extract(data, '$.seen.neutral') IS NOT 'own' AND (
    json_extract(data, '$.type') IN ('call-finished', 'action-finished', 'output-finished', 'task-attempted', 'idle')
    OR (json_extract(data, '$.type') = 'text-added' AND json_extract(data, '$.seen.text.message') IS NOT NULL
      AND json_extract(data, '$.seen.text.channel') IS NOT 'thinking')
  ) THEN 1 END) AS steps,
  max(sequence) AS last FROM entries WHERE kind = 'event' AND at >= ? AND sequence > ?`;

/** Looks up ids by prefix, using the indexes of ids. */
const UNDER = `(
  WITH beginnings AS (SELECT value AS first, value || ?2 AS last FROM json_each(?1))
  SELECT sequence AS rowid, id, session, agent, at, kind, step, data FROM beginnings CROSS JOIN entries ON id >= first AND id < last
  UNION SELECT 0, id, session, agent, at, 'piece', step, '{}' FROM beginnings CROSS JOIN pieces ON id >= first AND id < last
)`;
const LAST_CHARACTER = '\u{10ffff}';

type Row = Record<string, unknown>;
/** A condition on rows, with its values. */
type Condition = [sql: string, ...values: SQLInputValue[]];

const equal = (column: string, value: string | undefined): Condition[] =>
  value === undefined ? [] : [[`${column} = ?`, value]];

const parsed = <T = Json>(text: unknown): T => JSON.parse(text as string) as T;

const toContextEntry = (row: Row): ContextEntry =>
  ({
    id: row.id,
    session: row.session,
    timestamp: row.timestamp,
    entryType: row.entry_type,
    topic: row.topic,
    content: row.content,
    relatedTasks: parsed(row.related_tasks),
    confidence: row.confidence,
    metadata: parsed(row.metadata),
  }) as ContextEntry;
