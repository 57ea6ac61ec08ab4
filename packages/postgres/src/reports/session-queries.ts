import type { SessionFigures } from '@unrut/ledger/reports/count-session';
import type {
  ListPlace,
  SessionRow,
  SessionsQuery,
  SessionsReport,
  StatsQuery,
} from '@unrut/ledger/reports/reports';
import { shortName, shownName } from '@unrut/ledger/reports/session-name';
import { NO_FACETS, newestFirst, ORDERS } from '@unrut/ledger/reports/session-pages';
import { readPulse } from '@unrut/ledger/reports/session-pulse';
import { noOutcomes, SESSION_STATES, SILENT, stateOf } from '@unrut/ledger/reports/session-summary';
import { FORGOTTEN, STALL_LIMITS } from '@unrut/ledger/reports/stall';
import { epochMilliseconds, LAST_CHARACTER, timeOf, Values } from '../sql.ts';
import { type Asking, inScope } from './report-scope.ts';

/** Sessions that are looked through for one page: beyond, the next page goes on. */
const MAX_LOOKED_AT = 5000;
/** Sessions that are counted: nobody reads on so far, and a count costs more than the page. */
const MAX_COUNTED = 1000;
/** Sessions that are sorted by something else than their time. */
const MAX_SORTED = 1000;

const FIGURES = `s.session_no, s.session, s.person, s.host, s.folder, ${epochMilliseconds('s.first')} AS first, ${epochMilliseconds('s.last')} AS last,
  s.ended, s.looping, s.steps, s.loops, s.plans, s.tokens, s.usd, s.wasted_steps, s.wasted_tokens, s.wasted_usd, s.summary`;

/** The names before and after it: what it can be called follows from them. */
const NEIGHBOURS = `
  (SELECT n.session FROM unrut.sessions n WHERE n.org = :org AND n.session < s.session ORDER BY n.session DESC LIMIT 1) AS name_before,
  (SELECT n.session FROM unrut.sessions n WHERE n.org = :org AND n.session > s.session ORDER BY n.session LIMIT 1) AS name_after`;

const NEWEST_FIRST = 'ORDER BY s.last DESC, s.session';

interface FiguresRow
  extends Omit<SessionFigures, 'name' | 'model' | 'release' | 'repo' | 'team' | 'last_loop'> {
  session_no: string;
  session: string;
  name_before: string | null;
  name_after: string | null;
}

export interface ShownAs {
  now: number;
  hideFrom?: string | undefined;
}

/** What the table's default, `{}`, leaves out. */
const nothingMore = (): Pick<SessionFigures['summary'], 'acted' | 'outcomes' | 'pulse'> => ({
  acted: { plans: 0, ...noOutcomes() },
  outcomes: noOutcomes(),
  pulse: [],
});

/** A row of the table as lists show it. */
function toSessionRow(row: FiguresRow, { now, hideFrom }: ShownAs): SessionRow {
  const { acted, pulse: parts, ...rest } = { ...nothingMore(), ...row.summary };
  const { session, host, folder, first, last, ended, looping, steps, loops, plans } = row;
  const pulse = readPulse(parts, now);
  const shown: SessionRow = {
    session,
    ...(host === null ? {} : { host }),
    ...(folder === null ? {} : { folder }),
    first,
    last,
    ended,
    steps,
    loops,
    looping,
    tokens: row.tokens ?? 0,
    usd: row.usd ?? 0,
    wasted: { steps: row.wasted_steps, tokens: row.wasted_tokens, usd: row.wasted_usd },
    plans,
    ...rest,
    name: shownName(session, nameOf(row)),
    acted,
    state: stateOf(
      {
        ended,
        looping,
        last,
        ...(rest.stopped ? { stopped: true } : {}),
        ...(rest.stall ? { stall: rest.stall } : {}),
      },
      now,
    ),
    ...(pulse ? { pulse } : {}),
  };
  if (hideFrom === undefined || row.person === hideFrom) return shown;
  const { folder: _, doing: __, why: ___, ...figures } = shown;
  return { ...figures, session: `hidden-${row.session_no}`, name: 'hidden' };
}

type Neighbours = Pick<FiguresRow, 'session' | 'name_before' | 'name_after'>;

const nameOf = ({ session, name_before, name_after }: Neighbours): string =>
  shortName(session, name_before, name_after);

/** What a session waits for has lasted too long. */
const STALLED = `coalesce((s.summary -> 'stall' ->> 'since')::bigint BETWEEN $now - ${FORGOTTEN} AND $now - CASE s.summary -> 'stall' ->> 'of' WHEN 'call' THEN ${STALL_LIMITS.call} ELSE ${STALL_LIMITS.silence} END, false)`;
const GOES_ON = `NOT s.ended AND s.summary -> 'stopped' IS NULL AND NOT ${STALLED}`;

const STATE_CONDITIONS: Record<(typeof SESSION_STATES)[number], string> = {
  looping: `${GOES_ON} AND s.last >= $silent AND s.looping`,
  stalled: `NOT s.ended AND s.summary -> 'stopped' IS NULL AND ${STALLED}`,
  stopped: `NOT s.ended AND s.summary -> 'stopped' IS NOT NULL`,
  running: `${GOES_ON} AND s.last >= $silent AND NOT s.looping`,
  silent: `${GOES_ON} AND s.last < $silent`,
  ended: 's.ended',
};

const conditionOf = (state: (typeof SESSION_STATES)[number], silent: string, now: number): string =>
  STATE_CONDITIONS[state].replaceAll('$silent', silent).replaceAll('$now', String(Math.floor(now)));

/** Conditions with their values. */
class Conditions extends Values {
  readonly looked: string[] = [];
  readonly wanted: string[] = [];
  /** So many of the values, from the first on, are those of `looked`. */
  shared = 0;

  look(condition: string): void {
    this.looked.push(condition);
    this.shared = this.list.length;
  }
}

function conditionsOf(
  { states, since, host, folder, looped, search, after }: SessionsQuery,
  now: number,
): Conditions {
  const conditions = new Conditions();
  const { wanted } = conditions;
  if (since !== undefined && since > 0)
    conditions.look(`s.last >= ${timeOf(conditions.add(since))}`);
  if (looped) conditions.look('s.loops > 0');
  if (after) {
    const at = timeOf(conditions.add(after.at));
    conditions.look(
      `s.last <= ${at} AND (s.last < ${at} OR s.session > ${conditions.add(after.name)})`,
    );
  }
  if (states && states.length < SESSION_STATES.length) {
    const silent = states.some((state) => STATE_CONDITIONS[state].includes('$silent'))
      ? timeOf(conditions.add(now - SILENT))
      : '';
    // What goes on is among the newest, which an index finds.
    if (states.length > 0 && states.every((state) => state === 'looping' || state === 'running'))
      conditions.look(`s.last >= ${silent}`);
    wanted.push(
      `(${states.map((state) => conditionOf(state, silent, now)).join(' OR ') || 'false'})`,
    );
  }
  if (host !== undefined) wanted.push(`s.host = ${conditions.add(host)}`);
  if (folder !== undefined) wanted.push(`s.folder = ${conditions.add(folder)}`);
  if (search) {
    const texts = [
      's.session',
      's.host',
      's.folder',
      "s.summary ->> 'doing'",
      "s.summary ->> 'why'",
    ];
    const words = conditions.add(search.toLowerCase());
    wanted.push(`(${texts.map((text) => `strpos(lower(${text}), ${words}) > 0`).join(' OR ')})`);
  }
  return conditions;
}

/** The newest sessions that an index finds, at most so many. */
const lookedAt = ({ looked }: Conditions, most: number): string =>
  `(SELECT * FROM unrut.sessions s WHERE ${[inScope('s'), ...looked].join(' AND ')} ${NEWEST_FIRST} LIMIT ${most}) s`;

const wantedIn = ({ wanted }: Conditions): string =>
  wanted.length > 0 ? `WHERE ${wanted.join(' AND ')}` : '';

/**
 * A page of sessions. What has no index is looked for among the newest after the place, so that a
 * page never takes long; the next one goes on there.
 */
export async function sessionsPage(
  { ask }: Asking,
  query: SessionsQuery,
  shown: ShownAs,
): Promise<SessionsReport> {
  const { sessions, next } = await (query.sort
    ? sortedPage(ask, query, shown)
    : newestPage(ask, query, shown));
  return {
    sessions,
    ...(next ? { next } : {}),
    ...(await countedOf(ask, query, shown)),
    ...(await facetsIn(ask, query, shown)),
  };
}

async function countedOf(
  ask: Asking['ask'],
  { after: _, ...query }: SessionsQuery,
  { now }: ShownAs,
): Promise<Pick<SessionsReport, 'total' | 'atLeast'>> {
  const all = conditionsOf(query, now);
  const from =
    all.wanted.length > 0
      ? lookedAt(all, MAX_LOOKED_AT)
      : `unrut.sessions s WHERE ${[inScope('s'), ...all.looked].join(' AND ')}`;
  const [row] = await ask<{ total: string }>(
    `SELECT count(*) AS total FROM (SELECT FROM ${from} ${wantedIn(all)} ORDER BY s.last DESC LIMIT ${MAX_COUNTED + 1}) s`,
    ...all.list,
  );
  const total = Number(row!.total);
  return total > MAX_COUNTED ? { total: MAX_COUNTED, atLeast: true } : { total };
}

type Page = Pick<SessionsReport, 'sessions' | 'next'>;

async function newestPage(ask: Asking['ask'], query: SessionsQuery, shown: ShownAs): Promise<Page> {
  const { most } = query;
  if (most === 0) return { sessions: [] };
  const conditions = conditionsOf(query, shown.now);
  const looked = conditions.wanted.length > 0 ? MAX_LOOKED_AT : most + 1;
  const rows = await ask<FiguresRow>(
    `SELECT ${FIGURES}, ${NEIGHBOURS} FROM (SELECT s.* FROM ${lookedAt(conditions, looked)} ${wantedIn(conditions)} ${NEWEST_FIRST} LIMIT ${most + 1}) s
      ${NEWEST_FIRST}`,
    ...conditions.list,
  );
  const sessions = rows.slice(0, most).map((row) => toSessionRow(row, shown));
  if (rows.length > most) return { sessions, next: placeOf(rows[most - 1]!) };
  const goesOn = conditions.wanted.length > 0 ? await lastLookedAt(ask, conditions) : undefined;
  return { sessions, ...(goesOn ? { next: goesOn } : {}) };
}

type Placed = Pick<FiguresRow, 'session' | 'last'>;

const placeOf = ({ session, last }: Placed): ListPlace => ({ at: last, name: session });

/**
 * Where a page ends that has looked at as many as it may; nothing where it has looked at all of
 * them.
 */
async function lastLookedAt(
  ask: Asking['ask'],
  conditions: Conditions,
): Promise<ListPlace | undefined> {
  const [last] = await ask<Placed & { looked: string }>(
    `SELECT s.session, ${epochMilliseconds('s.last')} AS last, count(*) OVER () AS looked FROM ${lookedAt(conditions, MAX_LOOKED_AT)}
      ORDER BY s.last, s.session DESC LIMIT 1`,
    ...conditions.list.slice(0, conditions.shared),
  );
  return last && Number(last.looked) === MAX_LOOKED_AT ? placeOf(last) : undefined;
}

/** Sorted by what no index has: the newest of them. */
async function sortedPage(ask: Asking['ask'], query: SessionsQuery, shown: ShownAs): Promise<Page> {
  const { sort, ...plain } = query;
  const { sessions } = await newestPage(ask, { ...plain, most: MAX_SORTED }, shown);
  return {
    sessions: sessions
      .sort((one, other) => ORDERS[sort!](one, other) || newestFirst(one, other))
      .slice(0, query.most),
  };
}

async function facetsIn(
  ask: Asking['ask'],
  { facets }: SessionsQuery,
  { now, hideFrom }: ShownAs,
): Promise<typeof NO_FACETS> {
  if (!facets) return NO_FACETS;
  const all = new Conditions();
  const silent = timeOf(all.add(now - SILENT));
  const states = SESSION_STATES.map(
    (state) => `count(*) FILTER (WHERE ${conditionOf(state, silent, now)}) AS ${state}`,
  );
  const [row] = await ask<
    Record<string, string> & { hosts: string[] | null; folders: string[] | null }
  >(
    `SELECT ${states.join(', ')}, array_agg(DISTINCT s.host) FILTER (WHERE s.host IS NOT NULL) AS hosts,
      array_agg(DISTINCT s.folder) FILTER (WHERE s.folder IS NOT NULL) AS folders FROM ${lookedAt(all, MAX_LOOKED_AT)}`,
    ...all.list,
  );
  return {
    states: Object.fromEntries(
      SESSION_STATES.map((state) => [state, Number(row![state])]),
    ) as SessionsReport['states'],
    hosts: (row!.hosts ?? []).sort(),
    folders: hideFrom === undefined ? (row!.folders ?? []).sort() : [],
  };
}

/** Sessions that have wasted the most. */
export async function costliestSessions(
  { ask }: Asking,
  { since, costliest = 'usd' }: StatsQuery,
  most: number,
  shown: ShownAs,
): Promise<SessionRow[]> {
  const order = `ORDER BY s.wasted_${costliest} DESC, s.wasted_steps DESC, s.last DESC, s.session`;
  const rows = await ask<FiguresRow>(
    `SELECT ${FIGURES}, ${NEIGHBOURS} FROM (
      SELECT * FROM unrut.sessions s WHERE ${inScope('s')} AND s.loops > 0 AND s.wasted_steps > 0 AND s.last >= ${timeOf('$1')}
      ${order} LIMIT $2) s
      ${order}`,
    since,
    most,
  );
  return rows.map((row) => toSessionRow(row, shown));
}

/** The session of a name, the newest of them, and where its entries are. */
export async function newestNamed(
  { ask }: Asking,
  name: string,
  shown: ShownAs,
): Promise<{ row: SessionRow; place: EntriesPlace } | undefined> {
  const rows = await ask<FiguresRow & { from: string; to: string }>(
    `SELECT ${FIGURES}, ${NEIGHBOURS}, least(s.born, (s.first AT TIME ZONE 'UTC')::date)::text AS from, s.born::text AS to
      FROM unrut.sessions s WHERE ${inScope('s')} AND s.session = $1 ${NEWEST_FIRST}`,
    name,
  );
  const [row] = rows.filter(
    ({ person }) => shown.hideFrom === undefined || person === shown.hideFrom,
  );
  if (!row) return undefined;
  const numbers = rows.map(({ session_no: number }) => number);
  return {
    row: toSessionRow(row, shown),
    place: {
      numbers,
      from: rows.map(({ from }) => from).sort()[0]!,
      to: rows
        .map(({ to }) => to)
        .sort()
        .at(-1)!,
    },
  };
}

/** The numbers of a session, and the days on which it can have been born. */
export interface EntriesPlace {
  numbers: string[];
  from: string;
  to: string;
}

/** Names that begin so. */
export async function namesBeginning(
  { ask }: Asking,
  beginning: string,
  most: number,
  hideFrom: string | undefined,
): Promise<string[]> {
  const rows = await ask<{ session: string }>(
    `SELECT DISTINCT s.session FROM unrut.sessions s WHERE ${inScope('s')} AND s.session >= $1 AND s.session < $1 || $2
      AND ($4::text IS NULL OR s.person = $4) ORDER BY s.session LIMIT $3`,
    ...[beginning, LAST_CHARACTER, most, hideFrom ?? null],
  );
  return rows.map(({ session }) => session);
}

/** What sessions can be called. */
export async function shortNamesOf(
  { ask }: Asking,
  sessions: readonly string[],
): Promise<Map<string, string>> {
  const rows = await ask<Neighbours>(
    `SELECT s.session, ${NEIGHBOURS} FROM unnest($1::text[] COLLATE "C") AS s (session)`,
    [...sessions],
  );
  return new Map(rows.map((row) => [row.session, nameOf(row)]));
}
