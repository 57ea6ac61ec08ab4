import type {
  ContextEntry,
  ContextQuery,
  LedgerEntry,
  LedgerQuery,
  LedgerSession,
} from '@unrut/ledger/ledger';
import { LAST_CHARACTER, Values } from '@unrut/ledger/reports/sql/asking';
import type { PoolClient } from 'pg';
import { type EntryRead, type EntryTable, entryIn, tableOf } from './entry-rows.ts';
import { isOfProject } from './schema/projects.ts';
import { epochMilliseconds, timeOf } from './sql.ts';

/** A session's name is in its state, and later in the list of sessions. */
const NAME = `coalesce((SELECT session FROM unrut.states s WHERE s.session_no = e.session_no),
  (SELECT session FROM unrut.sessions s WHERE s.org = e.org AND s.session_no = e.session_no))`;

const COLUMNS = {
  events:
    "born, session_no, key, org, agent, at, 'event' AS kind, step, data::text AS data, xid, n",
  findings: 'born, session_no, key, org, agent, at, kind, step, data::text AS data, xid, n',
  pieces:
    "born, session_no, key, org, agent, at, 'piece' AS kind, step, '{}' AS data, '0'::xid8 AS xid, 0 AS n",
};

/** The scope of a query: a whole organisation, or one of its projects. */
export interface ReadScope {
  org: number;
  project?: number | undefined;
}

/** Conditions on the project of a state, and of a row of `sessions` or `context_entries`. */
const ofProject = (project: number | undefined, row: string): string =>
  project === undefined ? 'true' : `${row}.project = ${Math.trunc(project)}`;
const ofProjectsState = (project: number | undefined, state: string): string =>
  project === undefined ? 'true' : isOfProject(state, String(Math.trunc(project)));

/**
 * The newest entries that meet all conditions, in ascending order. Call it within a transaction of
 * the organisation.
 */
export async function findEntries(
  client: PoolClient,
  { org, project }: ReadScope,
  query: LedgerQuery,
): Promise<LedgerEntry[]> {
  const { session, kind, since, under, last } = query;
  const values = new Values();
  const conditions = [`e.org = ${values.add(org)}`];
  if (session !== undefined)
    conditions.push(`e.session_no IN (${numbersOf('e.org', values.add(session), project)})`);
  if (since !== undefined) conditions.push(`e.at >= ${timeOf(values.add(since))}`);
  if (kind !== undefined) conditions.push(`e.kind = ${values.add(kind)}`);
  const tables =
    kind === undefined
      ? (['events', 'findings', ...(under ? (['pieces'] as const) : [])] as const)
      : [tableOf(kind)];
  const parts = tables.flatMap((table) => {
    const from = `(SELECT ${COLUMNS[table]}, ${table === 'findings' ? 'project' : '0 AS project'} FROM unrut.${table}) e`;
    const own = project !== undefined && session === undefined ? [isInProject(table, project)] : [];
    const where = [...conditions, ...own].join(' AND ');
    if (under === undefined) return [`SELECT e.* FROM ${from} WHERE ${where}`];
    return placesOf(under, values).map((place) => `SELECT e.* FROM ${from} ${place} AND ${where}`);
  });
  if (parts.length === 0) return [];
  const sql = `SELECT key, ${NAME} AS session, agent, ${epochMilliseconds('at')} AS at, kind, step, data
    FROM (${parts.join(' UNION ')}) e ORDER BY e.at DESC, e.xid DESC, e.n DESC LIMIT ${values.add(last ?? null)}`;
  const { rows } = await client.query<Omit<EntryRead, 'data'> & { session: string; data: string }>(
    sql,
    values.list,
  );
  return rows
    .reverse()
    .map(({ session: of, data, ...row }) => entryIn(of, { ...row, data: JSON.parse(data) }));
}

/** Entries read at a time. */
const PAGE = 5000;
/** Sessions considered for one page. */
const SESSIONS = 200;

/**
 * All entries at or after a time, session by session: several small sessions per page, by the index
 * of their numbers; a large session in several pages.
 */
export async function* streamEntries(
  read: <T>(act: (client: PoolClient) => Promise<T>) => Promise<T>,
  { org, project }: ReadScope,
  since: number,
): AsyncGenerator<LedgerEntry[]> {
  for (let after = '0'; ; ) {
    const { rows } = await read((client) =>
      client.query<StreamedSession>(
        `SELECT s.session_no, s.session, least(s.born, (s.first AT TIME ZONE 'UTC')::date)::text AS from, s.born::text AS to,
            (s.events + 2 * s.signals)::double precision AS entries
          FROM unrut.sessions s WHERE s.org = $1 AND ${ofProject(project, 's')} AND s.session_no > $2 AND s.last >= ${timeOf('$3')} ORDER BY s.session_no LIMIT ${SESSIONS}`,
        [org, after, since],
      ),
    );
    if (rows.length === 0) return;
    after = rows.at(-1)!.session_no;
    let group: StreamedSession[] = [];
    let entries = 0;
    for (const row of rows) {
      group.push(row);
      entries += row.entries;
      if (entries < PAGE && row !== rows.at(-1)) continue;
      yield* entriesOfSessions(read, org, since, group);
      group = [];
      entries = 0;
    }
  }
}

interface StreamedSession {
  session_no: string;
  session: string;
  from: string;
  to: string;
  entries: number;
}

async function* entriesOfSessions(
  read: Parameters<typeof streamEntries>[0],
  org: number,
  since: number,
  sessions: readonly StreamedSession[],
): AsyncGenerator<LedgerEntry[]> {
  const names = new Map(sessions.map(({ session_no: number, session }) => [number, session]));
  const from = sessions.map((each) => each.from).sort()[0];
  const to = sessions
    .map((each) => each.to)
    .sort()
    .at(-1);
  for (let place = ['0', '0', -1] as [string, string, number]; ; ) {
    const part = (table: 'events' | 'findings'): string =>
      `SELECT ${COLUMNS[table]} FROM unrut.${table} WHERE org = $1 AND session_no = ANY ($2::bigint[]) AND born BETWEEN $3::date - 1 AND $4::date
        AND at >= ${timeOf('$5')} AND (session_no, xid, n) > ($6::bigint, $7::xid8, $8::integer)`;
    const { rows } = await read((client) =>
      client.query<
        Omit<EntryRead, 'data'> & { session_no: string; data: string; xid: string; n: number }
      >(
        `SELECT e.session_no, e.key, e.agent, ${epochMilliseconds('e.at')} AS at, e.kind, e.step, e.data, e.xid::text AS xid, e.n
          FROM (${part('events')} UNION ALL ${part('findings')}) e ORDER BY e.session_no, e.xid, e.n LIMIT ${PAGE}`,
        [org, [...names.keys()], from, to, since, ...place],
      ),
    );
    if (rows.length > 0)
      yield rows.map(({ session_no: number, data, ...row }) =>
        entryIn(names.get(number)!, { ...row, data: JSON.parse(data) }),
      );
    if (rows.length < PAGE) return;
    const last = rows.at(-1)!;
    place = [last.session_no, last.xid, last.n];
  }
}

/** All numbers that a session has had. */
const numbersOf = (org: string, name: string, project: number | undefined): string =>
  `SELECT t.session_no FROM unrut.states t WHERE t.org = ${org} AND t.session = ${name} AND ${ofProjectsState(project, 't')}
    UNION SELECT t.session_no FROM unrut.sessions t WHERE t.org = ${org} AND t.session = ${name} AND ${ofProject(project, 't')}`;

/** Whether an entry's session belongs to the project. */
const isInProject = (table: EntryTable, project: number): string =>
  table === 'findings'
    ? ofProject(project, 'e')
    : `(EXISTS (SELECT FROM unrut.states t WHERE t.session_no = e.session_no AND ${ofProjectsState(project, 't')})
    OR EXISTS (SELECT FROM unrut.sessions t WHERE t.org = e.org AND t.session_no = e.session_no AND ${ofProject(project, 't')}))`;

/**
 * Where ids with these prefixes can be: in sessions whose name is part of the prefix, in sessions
 * whose name begins with it, and among ids without a session's name.
 */
function placesOf(beginnings: readonly string[], values: Values): string[] {
  if (beginnings.length === 0) return [];
  const named = beginnings.flatMap((beginning) =>
    [...beginning.matchAll(/\//g)].map(
      ({ index }) => [beginning.slice(0, index), beginning.slice(index)] as const,
    ),
  );
  const all = values.add([...beginnings]);
  const first = values.add(named.map(([session]) => session));
  const second = values.add(named.map(([, key]) => key));
  const end = values.add(LAST_CHARACTER);
  const sameDay = 'e.session_no = s.session_no AND e.born = s.born';
  return [
    `JOIN unnest(${first}::text[], ${second}::text[]) AS b (session, key) ON true JOIN unrut.states s ON s.session = b.session
      WHERE ${sameDay} AND e.key >= b.key COLLATE "C" AND e.key < b.key || ${end} COLLATE "C"`,
    `JOIN unnest(${all}::text[]) AS b (beginning) ON true
      JOIN unrut.states s ON s.session >= b.beginning COLLATE "C" AND s.session < b.beginning || ${end} COLLATE "C"
      WHERE ${sameDay} AND e.key >= '/' AND e.key < '0'`,
    `JOIN unnest(${all}::text[]) AS b (beginning) ON true
      WHERE e.key >= '=' AND e.key < '>' AND e.key >= '=' || b.beginning COLLATE "C" AND e.key < '=' || b.beginning || ${end} COLLATE "C"`,
  ];
}

/** The newest context entries that meet all conditions, in ascending order. */
export async function findContext(
  client: PoolClient,
  { org, project }: ReadScope,
  { session, topics, task, last }: ContextQuery,
): Promise<ContextEntry[]> {
  const values = new Values();
  const conditions = [`org = ${values.add(org)}`, ofProject(project, 'c')];
  if (session !== undefined) conditions.push(`session = ${values.add(session)}`);
  if (topics !== undefined) conditions.push(`topic = ANY (${values.add([...topics])})`);
  if (task !== undefined) conditions.push(`${values.add(task)} = ANY (related_tasks)`);
  const sql = `SELECT id, session, ${epochMilliseconds('timestamp')} AS timestamp, entry_type, topic, content, related_tasks, confidence, metadata
    FROM unrut.context_entries c WHERE ${conditions.join(' AND ')}
    ORDER BY c.timestamp DESC, xid DESC, n DESC LIMIT ${values.add(last ?? null)}`;
  const { rows } = await client.query<ContextRow>(sql, values.list);
  return rows
    .reverse()
    .map(
      ({
        entry_type: entryType,
        related_tasks: relatedTasks,
        id,
        session: of,
        timestamp,
        topic,
        ...rest
      }) => ({
        id,
        session: of,
        timestamp,
        entryType,
        topic,
        content: rest.content,
        relatedTasks,
        confidence: rest.confidence,
        metadata: rest.metadata,
      }),
    );
}

type ContextRow = Omit<ContextEntry, 'entryType' | 'relatedTasks'> & {
  entry_type: string;
  related_tasks: string[];
};

/**
 * All sessions, the most recently active first; from their states if possible, otherwise from the
 * list of sessions.
 */
export async function findSessions(
  client: PoolClient,
  { org, project }: ReadScope,
): Promise<LedgerSession[]> {
  const columns = 'session, first, last, events, signals';
  const sql = `SELECT session, ${epochMilliseconds('first')} AS first, ${epochMilliseconds('last')} AS last,
      events::double precision AS events, signals::double precision AS signals
    FROM (
      SELECT ${columns} FROM unrut.states s WHERE org = $1 AND ${ofProjectsState(project, 's')}
      UNION ALL SELECT ${columns} FROM unrut.sessions s WHERE org = $1 AND ${ofProject(project, 's')} AND NOT EXISTS (SELECT FROM unrut.states t WHERE t.session_no = s.session_no)
    ) e WHERE events + signals > 0 ORDER BY e.last DESC`;
  return (await client.query<LedgerSession>(sql, [org])).rows;
}

/** Deletes everything of one session, or of all. */
export async function forgetIn(
  client: PoolClient,
  { org, project }: ReadScope,
  session: string | undefined,
): Promise<void> {
  if (session === undefined && project === undefined) {
    for (const table of ['states', 'sessions', 'events', 'pieces', 'findings', 'context_entries'])
      await client.query(`DELETE FROM unrut.${table} WHERE org = $1`, [org]);
    return;
  }
  const named =
    session === undefined
      ? `SELECT t.session_no FROM unrut.states t WHERE t.org = $1 AND $2::text IS NULL AND ${ofProjectsState(project, 't')}
         UNION SELECT t.session_no FROM unrut.sessions t WHERE t.org = $1 AND ${ofProject(project, 't')}`
      : numbersOf('$1', '$2', project);
  const { rows } = await client.query<{ session_no: string }>(named, [org, session ?? null]);
  const numbers = rows.map(({ session_no: number }) => number);
  for (const table of ['states', 'sessions', 'events', 'pieces', 'findings'])
    await client.query(`DELETE FROM unrut.${table} WHERE org = $1 AND session_no = ANY ($2)`, [
      org,
      numbers,
    ]);
  await client.query(
    `DELETE FROM unrut.context_entries c WHERE org = $1 AND ($2::text IS NULL OR session = $2) AND ${ofProject(project, 'c')}`,
    [org, session ?? null],
  );
}
