import { SESSION_STATES, type SessionState, SILENT } from '../../figures/session-figures.ts';
import type { ListPlace, SESSION_ORDERS, SessionsQuery, SessionsReport } from '../reports.ts';
import { FORGOTTEN, STALL_LIMITS } from '../stall.ts';
import { type Asking, type SqlDialect, Values } from './asking.ts';
import { originConditions } from './origin-conditions.ts';
import {
  columnsRead,
  type FiguresRow,
  failsNow,
  isNamedIn,
  nameNeighbours,
  type ShownAs,
  toSessionRow,
} from './session-rows.ts';

/** Text has no index, so only this many of the newest sessions are searched. */
const MAX_LOOKED_AT = 20_000;

const MINUTE = 60_000;
const minuteOf = (at: number): number => Math.floor(at / MINUTE);

/**
 * Sort orders, each with its own index. Ties are sorted newest first, by the minute, so that the
 * index changes once a minute instead of with each event.
 */
type Sorted = Exclude<(typeof SESSION_ORDERS)[number], 'state'>;
const ORDERS: Record<Sorted, readonly [column: string, direction: 'ASC' | 'DESC'][]> = {
  since: [['s.since', 'ASC']],
  wasted: [
    ['s.wasted_usd', 'DESC'],
    ['s.wasted_steps', 'DESC'],
  ],
  agent: [["coalesce(s.host, '')", 'ASC']],
  project: [["coalesce(s.folder, '')", 'ASC']],
};
const newestFirst = ({ key }: SqlDialect): string =>
  `s.minute DESC, s.last DESC, ${[...new Set(['s.session', `s.${key}`])].join(', ')}`;

const orderOf = (sort: Sorted | undefined, dialect: SqlDialect): string =>
  `ORDER BY ${[...(sort ? ORDERS[sort] : []).map((each) => each.join(' ')), newestFirst(dialect)].join(', ')}`;

/** The sort key of a row, for the position of the next page. */
const VALUES: Record<Sorted, (row: FiguresRow) => string | number> = {
  since: ({ since }) => since,
  wasted: ({ wasted_usd, wasted_steps }) => `${wasted_usd} ${wasted_steps}`,
  agent: ({ host }) => host ?? '',
  project: ({ folder }) => folder ?? '',
};
const valuesIn = (sort: Sorted, value: string | number = ''): (string | number)[] =>
  sort === 'wasted' ? String(value).split(' ').map(Number) : [value];

/** The condition that a session has waited for too long. */
const isStalled =
  ({ now, stall = STALL_LIMITS }: ShownAs): Condition =>
  (values) => {
    const before = (limit: number): string =>
      `CAST(${values.add(now - limit)} AS double precision)`;
    return `coalesce(s.waits_since > ${before(FORGOTTEN)} AND s.waits_since <
      CASE s.waits_for WHEN 'call' THEN ${before(stall.call)} ELSE ${before(stall.silence)} END, false)`;
  };

/** A session continues (0), was stopped (1) or has ended (2). */
function conditionOf(state: SessionState, shown: ShownAs): Condition {
  if (state === 'ended') return () => 's.phase = 2';
  if (state === 'stopped') return () => 's.phase = 1';
  const silent = shown.now - SILENT;
  const stalled = isStalled(shown);
  const since = (at: number) => (values: Values) =>
    `s.phase = 0 AND s.minute >= ${values.add(minuteOf(at))}`;
  if (state === 'stalled')
    return (values) => `${since(shown.now - FORGOTTEN)(values)} AND ${stalled(values)}`;
  if (state === 'silent')
    return (values) => `s.phase = 0 AND s.heard < ${values.add(silent)} AND NOT ${stalled(values)}`;
  const isLooping = state === 'looping' ? 's.looping' : 'NOT s.looping';
  return (values) =>
    `${since(silent)(values)} AND s.heard >= ${values.add(silent)} AND ${isLooping} AND NOT ${stalled(values)}`;
}

/** The same for counting, as mutually exclusive conditions; most of them match an index. */
function partsOf(state: SessionState, shown: ShownAs): Condition[] {
  const whole = conditionOf(state, shown);
  if (state !== 'silent') return [whole];
  const day = minuteOf(shown.now - FORGOTTEN);
  return [
    (values) => `s.phase = 0 AND s.minute < ${values.add(day)}`,
    (values) => `s.minute >= ${values.add(day)} AND ${whole(values)}`,
  ];
}

/** A condition, which adds its values to the statement. */
type Condition = (values: Values) => string;

/** Filters besides state, text and page position. */
function wanted(
  query: SessionsQuery,
  dialect: SqlDialect,
  values: Values,
  { hidden }: ShownAs,
): string[] {
  const { scope, time, aside } = dialect;
  const { since = 0, folder, looped, incident, search } = query;
  const minute = hasOwnIndex(query) ? aside('s.minute') : 's.minute';
  const conditions = [scope('s'), `${minute} >= 0`];
  if (since > 0)
    conditions.push(
      `s.minute >= ${values.add(minuteOf(since))} AND s.last >= ${time(values.add(since))}`,
    );
  if (looped) conditions.push('s.loops > 0');
  if (incident !== undefined)
    conditions.push(
      `s.${dialect.key} IN (SELECT c.${dialect.key} FROM unrut.incidents i JOIN unrut.cause_sessions c
        ON c.org = i.org AND c.project = i.project AND c.cause = i.cause AND c.last >= i.first
        WHERE ${scope('i')} AND i.id = ${values.add(incident)})`,
    );
  conditions.push(...originConditions(query, dialect, values, { hidden }));
  if (folder !== undefined) conditions.push(`coalesce(s.folder, '') = ${values.add(folder)}`);
  // Hidden values must not be discoverable by filtering.
  if (hidden && (folder !== undefined || search))
    conditions.push(isNamedIn('s', hidden, values.add(hidden.from), dialect));
  return conditions;
}

/** Whether the filter has an index of its own, so that the index of minutes must not be used. */
const hasOwnIndex = ({
  sort,
  since = 0,
  host,
  folder,
  incident,
  states = SESSION_STATES,
}: SessionsQuery): boolean =>
  incident !== undefined ||
  (sort !== undefined && sort !== 'state') ||
  since > 0 ||
  host !== undefined ||
  folder !== undefined ||
  states.length === 1;

/** The requested states; undefined for all. */
const statesIn = ({ states }: SessionsQuery): readonly SessionState[] | undefined =>
  states && states.length < SESSION_STATES.length ? states : undefined;

/** Undefined if all states are requested. */
function inStates(query: SessionsQuery, values: Values, shown: ShownAs): string[] {
  const any = statesIn(query)?.map((state) => `(${conditionOf(state, shown)(values)})`);
  return any ? [any.length === 0 ? 'false' : `(${any.join(' OR ')})`] : [];
}

/** Only rows after a position, in the order of the list. */
function after(
  { at, name, value }: ListPlace,
  sort: Sorted | undefined,
  { time, key, keyIn, scope }: SqlDialect,
  values: Values,
): string {
  const last = time(values.add(at));
  const own = values.add(keyIn(name));
  // A cursor holds no name, since names may be hidden from its owner.
  const called = `coalesce((SELECT c.session FROM unrut.sessions c WHERE ${scope('c')} AND c.${key} = ${own}), '')`;
  const isLater = `(s.session > ${called} OR (s.session = ${called} AND s.${key} > ${own}))`;
  let condition = `(s.minute <= ${values.add(minuteOf(at))} AND (s.last < ${last} OR (s.last = ${last} AND ${isLater})))`;
  if (!sort) return condition;
  const given = valuesIn(sort, value);
  for (const [i, [column, direction]] of [...ORDERS[sort].entries()].reverse()) {
    const than = direction === 'ASC' ? '>' : '<';
    const here = values.add(given[i] ?? 0);
    condition = `(${column} ${than}= ${here} AND (${column} ${than} ${here} OR ${condition}))`;
  }
  return condition;
}

/** The conditions that sessions of a page meet. */
function allOf(
  query: SessionsQuery,
  dialect: SqlDialect,
  values: Values,
  shown: ShownAs,
): string[] {
  const conditions = [...wanted(query, dialect, values, shown), ...inStates(query, values, shown)];
  if (!query.search) return conditions;
  const found = foundIn(query.search, dialect, values);
  return [
    dialect.scope('s'),
    `s.${dialect.key} IN (SELECT f.${dialect.key} FROM (${lookedThrough(conditions, dialect)}) f WHERE ${found})`,
  ];
}

/** SQL condition: a text occurs in what is shown of a session, or in a failure of the last hour. */
function foundIn(search: string, dialect: SqlDialect, values: Values): string {
  const { key, scope, contains } = dialect;
  const text = values.add(search.toLowerCase());
  return `(${contains('f.words', text)} OR f.${key} IN (SELECT c.${key} FROM unrut.cause_sessions c
    WHERE ${scope('c')} AND ${contains('lower(c.said)', text)}))`;
}

/** The newest sessions, in which text is searched. */
const lookedThrough = (conditions: readonly string[], { key }: SqlDialect): string =>
  `SELECT s.${key}, s.words FROM unrut.sessions s WHERE ${conditions.join(' AND ')} ORDER BY s.minute DESC LIMIT ${MAX_LOOKED_AT}`;

/** A page of sessions, the total, and the values for filters. */
export async function sessionsPage(
  asking: Asking,
  query: SessionsQuery,
  shown: ShownAs,
): Promise<SessionsReport> {
  const { sort, most } = query;
  const placed =
    sort === 'state'
      ? await rowsByState(asking, query, shown)
      : await placedRows(asking, query, sort, shown);
  const last = placed.length > most ? placed[most - 1] : undefined;
  return {
    sessions: placed.slice(0, most).map(({ row }) => toSessionRow(row, shown)),
    ...(last ? { next: { at: last.row.last, name: last.row.key, ...last.value } } : {}),
    ...(await counted(asking, query, shown)),
    ...(query.facets ? await facetsIn(asking, shown) : NO_FACETS()),
  };
}

/** A row and its sort key. */
interface Placed {
  row: FiguresRow;
  value: { value?: string | number };
}

/** The rows of a page, plus one if there are more. */
async function placedRows(
  { ask, dialect }: Asking,
  query: SessionsQuery,
  sort: Sorted | undefined,
  shown: ShownAs,
): Promise<Placed[]> {
  if (query.most === 0) return [];
  const values = new Values();
  const conditions = allOf(query, dialect, values, shown);
  if (query.after) conditions.push(after(query.after, sort, dialect, values));
  const order = orderOf(sort, dialect);
  const rows = await ask<FiguresRow>(
    `SELECT ${columnsRead(dialect)}, ${nameNeighbours(dialect)} FROM (
      SELECT s.* FROM unrut.sessions s WHERE ${conditions.join(' AND ')} ${order} LIMIT ${query.most + 1}) s ${order}`,
    ...values.list,
  );
  return rows.map((row) => ({ row, value: sort ? { value: VALUES[sort](row) } : {} }));
}

/**
 * States depend on the current time, so they have no index: the rows of one state after another are
 * read.
 */
async function rowsByState(
  asking: Asking,
  { after: place, ...query }: SessionsQuery,
  shown: ShownAs,
): Promise<Placed[]> {
  const asked = SESSION_STATES.filter((state) => query.states?.includes(state) ?? true);
  const begin = Math.max(0, asked.indexOf(place?.value as SessionState));
  const found: Placed[] = [];
  for (const state of asked.slice(begin)) {
    const most = query.most - found.length;
    if (most < 0) break;
    const from = place && state === asked[begin] ? { after: place } : {};
    const more = { ...query, ...from, states: [state], most: Math.max(1, most) };
    const rows = await placedRows(asking, more, undefined, shown);
    found.push(...rows.map(({ row }) => ({ row, value: { value: state } })));
  }
  return query.most === 0 ? [] : found;
}

async function counted(
  { ask, dialect }: Asking,
  { sort: _, ...query }: SessionsQuery,
  shown: ShownAs,
): Promise<Pick<SessionsReport, 'total' | 'looked'>> {
  if (query.search) {
    const values = new Values();
    const all = [...wanted(query, dialect, values, shown), ...inStates(query, values, shown)];
    const found = foundIn(query.search, dialect, values);
    const [row] = await ask<{ total: number; looked: number }>(
      `SELECT CAST(count(*) FILTER (WHERE ${found}) AS double precision) AS total, CAST(count(*) AS double precision) AS looked
        FROM (${lookedThrough(all, dialect)}) f`,
      ...values.list,
    );
    const { total, looked } = row!;
    return { total, ...(looked === MAX_LOOKED_AT ? { looked } : {}) };
  }
  let total = 0;
  // One query per state: a combined condition would use no index.
  const states = statesIn(query)?.flatMap((state) => partsOf(state, shown));
  for (const state of states ?? [undefined]) {
    const values = new Values();
    const of = { ...query, ...(state ? { states: ['ended'] as const } : {}) };
    const all = [...wanted(of, dialect, values, shown), ...(state ? [state(values)] : [])];
    const [row] = await ask<{ total: number }>(
      `SELECT CAST(count(*) AS double precision) AS total FROM unrut.sessions s WHERE ${all.join(' AND ')}`,
      ...values.list,
    );
    total += row!.total;
  }
  return { total };
}

type Facets = Pick<SessionsReport, 'states' | 'failing' | 'hosts' | 'folders'>;

/** The result if filters' values were not requested. */
const NO_FACETS = (): Facets => ({
  states: { looping: 0, stalled: 0, stopped: 0, running: 0, silent: 0, ended: 0 },
  failing: 0,
  hosts: [],
  folders: [],
});

async function facetsIn(asking: Asking, shown: ShownAs): Promise<Facets> {
  const { ask, dialect } = asking;
  const phases = await ask<{ phase: number; n: number }>(
    `SELECT s.phase, CAST(count(*) AS double precision) AS n FROM unrut.sessions s
      WHERE ${dialect.scope('s')} AND s.minute >= 0 GROUP BY s.phase`,
  );
  const states: (keyof Facets['states'])[] = ['looping', 'running', 'stalled'];
  const busy: number[] = [];
  for (const state of states)
    busy.push((await counted(asking, { most: 0, states: [state] }, shown)).total);
  const of = (phase: number): number => phases.find((row) => row.phase === phase)?.n ?? 0;
  const [looping = 0, running = 0, stalled = 0] = busy;
  const { hosts, folders } = await choicesIn(asking);
  return {
    states: {
      looping,
      stalled,
      stopped: of(1),
      running,
      silent: of(0) - looping - running - stalled,
      ended: of(2),
    },
    failing: await failingIn(asking, shown),
    hosts,
    folders: shown.hidden ? [] : folders,
  };
}

/** The number of failing sessions among those that run. */
async function failingIn({ ask, dialect }: Asking, shown: ShownAs): Promise<number> {
  const values = new Values();
  const running = conditionOf('running', shown)(values);
  const [row] = await ask<{ n: number }>(
    `SELECT CAST(count(*) AS double precision) AS n FROM unrut.sessions s WHERE ${dialect.scope('s')} AND ${running}
      AND ${failsNow(dialect)}`,
    ...values.list,
  );
  return row!.n;
}

/** Number of newest sessions from which the offered values are taken. */
const MAX_CHOICES_OF = 5000;

/** The programs and folders of the newest sessions. */
async function choicesIn({ ask, dialect }: Asking): Promise<Pick<Facets, 'hosts' | 'folders'>> {
  const rows = await ask<{ host: string | null; folder: string | null }>(
    `SELECT DISTINCT f.host, f.folder FROM (SELECT s.host, s.folder FROM unrut.sessions s
      WHERE ${dialect.scope('s')} AND s.minute >= 0 ORDER BY s.minute DESC LIMIT ${MAX_CHOICES_OF}) f`,
  );
  const names = (name: 'host' | 'folder'): string[] =>
    [...new Set(rows.flatMap((row) => row[name] ?? []))].sort();
  return { hosts: names('host'), folders: names('folder') };
}
