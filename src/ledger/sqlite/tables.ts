import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Json } from '../../event.ts';
import type { ContextEntry, ContextQuery, LedgerChange, LedgerEntry, LedgerQuery, LedgerSession, SavedState } from '../ledger.ts';
import { RepeatedEntry } from '../repeated-entry.ts';

/** What a ledger asks of its tables, as prepared statements. Transactions are the caller's. */
export interface Tables {
  /** Gives the versions of the states. */
  write(sessions: readonly string[], change: LedgerChange, now: number): number[];
  saved(session: string): SavedState;
  /** The version of a session's state; 0 when there is none. */
  version(session: string): number;
  entries(query: LedgerQuery): LedgerEntry[];
  context(query: ContextQuery): ContextEntry[];
  sessions(): LedgerSession[];
  forget(session: string | undefined): void;
}

export function tablesOf(database: DatabaseSync): Tables {
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  const run = (sql: string, ...values: SQLInputValue[]): number => Number(statement(sql).run(...values).lastInsertRowid);

  /** False when it is there already. */
  function insert({ id, session, agent, at, kind, step, data }: LedgerEntry): boolean {
    const { changes } =
      kind === 'piece'
        ? statement(ADD_PIECE).run(id, session, agent ?? null, at, step)
        : statement(ADD_ENTRY).run(id, session, agent ?? null, at, kind, step, JSON.stringify(data));
    return Number(changes) > 0;
  }

  /** Gives the new versions, which no other state ever has. */
  function save(sessions: readonly string[], states: readonly Json[]): number[] {
    if (states.length === 0) return [];
    const { saves } = statement('UPDATE upkeep SET saves = saves + ? RETURNING saves').get(states.length) as { saves: number };
    return states.map((state, i) => {
      const version = saves - i;
      const text = JSON.stringify(state);
      run(SAVE, sessions[i]!, version, text.padEnd(Math.ceil(text.length / ROUND_LENGTH) * ROUND_LENGTH));
      return version;
    });
  }

  /** The newest rows that meet all conditions, the oldest of them first. */
  function select([from, ...given]: Condition, time: string, conditions: readonly Condition[], last = -1): Row[] {
    const where = conditions.length > 0 ? `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}` : '';
    const sql = `SELECT * FROM ${from} ${where} ORDER BY ${time} DESC, rowid DESC LIMIT ?`;
    const values = conditions.flatMap(([, ...each]) => each);
    return (statement(sql).all(...given, ...values, last) as Row[]).reverse();
  }

  function versionOf(session: string): number {
    const row = statement('SELECT version FROM states WHERE session = ?').get(session) as Row | undefined;
    return (row?.version as number | undefined) ?? 0;
  }

  /** Is read only when it is asked for: who has it at hand needs its version only. */
  function stateOf(session: string): Json {
    const row = statement('SELECT state FROM states WHERE session = ?').get(session) as Row | undefined;
    return row ? parsed(row.state) : null;
  }

  return {
    write(sessions, { states = [], entries = [], once = [], context = [] }, now) {
      const written = new Set(sessions.slice(0, states.length));
      for (const list of [once, entries, context]) for (const { session } of list) written.add(session);
      for (const session of written)
        run('INSERT INTO sessions (session, touched) VALUES (?, ?) ON CONFLICT DO UPDATE SET touched = excluded.touched', session, now);
      const added = [...once, ...entries].filter((entry, i) => {
        const isNew = insert(entry);
        if (!isNew && i < once.length) throw new RepeatedEntry(entry.id);
        return isNew;
      });
      for (const [session, { first, last, events, signals }] of tallied(added)) run(COUNT, first, last, events, signals, session);
      for (const { id, timestamp, entryType, topic, content, relatedTasks, confidence, metadata, session } of context)
        run(
          `INSERT INTO context_entries (id, timestamp, entry_type, topic, content, related_tasks, confidence, metadata, session)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          ...[id, timestamp, entryType, topic, content, JSON.stringify(relatedTasks), confidence, JSON.stringify(metadata), session],
        );
      return save(sessions, states);
    },

    saved: (session) => ({ version: versionOf(session), read: () => stateOf(session) }),
    version: versionOf,

    entries({ session, kind, since, under, last }) {
      const conditions = [...equal('session', session), ...equal('kind', kind)];
      if (since !== undefined) conditions.push(['at >= ?', since]);
      const from: Condition = under === undefined ? ['entries'] : [UNDER, JSON.stringify(under), LAST_CHARACTER];
      return select(from, 'at', conditions, last).map(toEntry);
    },

    context({ session, topics, last }) {
      const conditions = equal('session', session);
      if (topics !== undefined) conditions.push(['topic IN (SELECT value FROM json_each(?))', JSON.stringify(topics)]);
      return select(['context_entries'], 'timestamp', conditions, last).map(toContextEntry);
    },

    sessions: () =>
      (
        statement('SELECT session, first, last, events, signals FROM sessions WHERE events + signals > 0 ORDER BY last DESC').all() as Row[]
      ).map((row) => ({ ...row }) as unknown as LedgerSession),

    forget(session) {
      if (session === undefined) run('DELETE FROM sessions');
      else run('DELETE FROM sessions WHERE session = ?', session);
    },
  };
}

const SAVE = `INSERT INTO states (session, version, state) VALUES (?, ?, ?)
  ON CONFLICT (session) DO UPDATE SET version = excluded.version, state = excluded.state`;
/** States are made so long that they often have the length that they had; about a page, since less is not written anyway. */
const ROUND_LENGTH = 4096;

const COUNT = `UPDATE sessions SET
  first = min(ifnull(first, ?1), ?1), last = max(ifnull(last, ?2), ?2), events = events + ?3, signals = signals + ?4
  WHERE session = ?5`;

/** What new entries add to the summaries of their sessions. */
function tallied(entries: readonly LedgerEntry[]): Map<string, Omit<LedgerSession, 'session'>> {
  const tallies = new Map<string, Omit<LedgerSession, 'session'>>();
  for (const { session, at, kind } of entries) {
    const tally = tallies.get(session) ?? { first: at, last: at, events: 0, signals: 0 };
    tally.first = Math.min(tally.first, at);
    tally.last = Math.max(tally.last, at);
    if (kind === 'event' || kind === 'piece') tally.events++;
    if (kind === 'signal') tally.signals++;
    tallies.set(session, tally);
  }
  return tallies;
}

const ADD_ENTRY = 'INSERT INTO entries (id, session, agent, at, kind, step, data) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING';
const ADD_PIECE = 'INSERT INTO pieces (id, session, agent, at, step) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING';

/** Goes from each beginning to the ids that have it, along the indexes of ids. */
const UNDER = `(
  WITH beginnings AS (SELECT value AS first, value || ?2 AS last FROM json_each(?1))
  SELECT sequence AS rowid, id, session, agent, at, kind, step, data FROM beginnings CROSS JOIN entries ON id >= first AND id < last
  UNION SELECT 0, id, session, agent, at, 'piece', step, '{}' FROM beginnings CROSS JOIN pieces ON id >= first AND id < last
)`;
const LAST_CHARACTER = '\u{10ffff}';

type Row = Record<string, unknown>;
type Condition = [sql: string, ...values: SQLInputValue[]];

const equal = (column: string, value: string | undefined): Condition[] => (value === undefined ? [] : [[`${column} = ?`, value]]);

const parsed = <T = Json>(text: unknown): T => JSON.parse(text as string) as T;

const toEntry = ({ id, session, agent, at, kind, step, data }: Row): LedgerEntry =>
  ({ id, session, ...(agent === null ? {} : { agent }), at, kind, step, data: parsed(data) }) as LedgerEntry;

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
