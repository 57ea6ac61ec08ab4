import { present } from '@unrut/engine/json';
import {
  INCIDENT_STATES,
  type Incident,
  type IncidentNote,
  type IncidentShare,
  type IncidentState,
} from '../../incidents/incident.ts';
import type { IncidentsQuery, IncidentsReport } from '../reports.ts';
import { type Asking, type SqlDialect, Values } from './asking.ts';
import { isNamedIn, type ShownAs } from './session-rows.ts';

/** Number of parts in an incident's sparkline. */
const PARTS = 20;
/** Names of one kind that an incident lists. */
const MAX_NAMES = 10;

const CONDITIONS: Record<IncidentState, string> = {
  open: 'i.resolved IS NULL AND i.acknowledged IS NULL',
  acknowledged: 'i.resolved IS NULL AND i.acknowledged IS NOT NULL',
  resolved: 'i.resolved IS NOT NULL',
};
const stateOf = (row: IncidentRead): IncidentState =>
  row.resolved !== null ? 'resolved' : row.acknowledged !== null ? 'acknowledged' : 'open';

interface IncidentRead {
  id: string;
  project: number;
  kind: Incident['kind'];
  tool: string;
  target: string;
  said: string;
  opened: number;
  first: number;
  last: number;
  sessions: number;
  users: number;
  calls: number;
  acknowledged: number | null;
  acknowledged_by: string | null;
  resolved: number | null;
  resolved_by: string | null;
  notes: string;
}

/** Joins the sessions of an incident; `i` is its row. */
const incidentSessionsJoin = ({ key, scope }: SqlDialect): string =>
  `JOIN unrut.cause_sessions c ON c.org = i.org AND c.project = i.project AND c.cause = i.cause AND c.last >= i.first
    JOIN unrut.sessions s ON ${scope('s')} AND s.${key} = c.${key}`;

/**
 * Limits to visible incidents: if names are hidden, those with one of the viewer's own sessions.
 */
function visible({ hidden }: ShownAs, dialect: SqlDialect, values: Values): string {
  const { scope } = dialect;
  if (!hidden) return scope('i');
  return `${scope('i')} AND EXISTS (SELECT 1 FROM unrut.cause_sessions c JOIN unrut.sessions s ON ${scope('s')}
    AND s.${dialect.key} = c.${dialect.key} WHERE c.org = i.org AND c.project = i.project AND c.cause = i.cause AND c.last >= i.first
    AND ${isNamedIn('s', hidden, values.add(hidden.from), dialect)})`;
}

/** Incidents, open ones first, then newest first. */
export async function incidentsPage(
  asking: Asking,
  { most, states = INCIDENT_STATES, id }: IncidentsQuery,
  shown: ShownAs,
): Promise<IncidentsReport> {
  const { ask, dialect } = asking;
  const values = new Values();
  const seen = visible(shown, dialect, values);
  const inStates = states.map((state) => `(${CONDITIONS[state]})`).join(' OR ') || 'false';
  const named = id === undefined ? '' : `AND i.id = ${values.add(id)}`;
  const rows = await ask<IncidentRead>(
    `SELECT i.* FROM unrut.incidents i WHERE ${seen} AND (${inStates}) ${named}
      ORDER BY CASE WHEN i.resolved IS NOT NULL THEN 2 WHEN i.acknowledged IS NOT NULL THEN 1 ELSE 0 END, i.opened DESC, i.id
      LIMIT ${values.add(most)}`,
    ...values.list,
  );
  const more = await moreAbout(asking, rows, shown.now);
  return {
    incidents: rows.map((row) => toIncident(row, more, shown)),
    states: await countedStates(asking, shown),
  };
}

async function countedStates(
  { ask, dialect }: Asking,
  shown: ShownAs,
): Promise<IncidentsReport['states']> {
  const values = new Values();
  const seen = visible(shown, dialect, values);
  const counts = INCIDENT_STATES.map(
    (state) => `CAST(count(*) FILTER (WHERE ${CONDITIONS[state]}) AS double precision) AS ${state}`,
  );
  const [row] = await ask<IncidentsReport['states']>(
    `SELECT ${counts.join(', ')} FROM unrut.incidents i WHERE ${seen}`,
    ...values.list,
  );
  return { ...row! };
}

/** Data about the sessions of incidents, by incident id. */
interface More {
  shares: Record<(typeof SHARES)[number][0], Map<string, IncidentShare[]>>;
  pulses: Map<string, number[]>;
}

const SHARES = [
  ['teams', 'team'],
  ['hosts', 'host'],
  ['repos', 'repo'],
  ['releases', 'release'],
] as const;

async function moreAbout(
  asking: Asking,
  rows: readonly IncidentRead[],
  now: number,
): Promise<More> {
  const shares = {} as More['shares'];
  for (const [name, column] of SHARES) shares[name] = await sharesBy(asking, rows, column);
  return { shares, pulses: await pulsesOf(asking, rows, now) };
}

/** With no incidents, the query can be skipped. */
const among = (rows: readonly IncidentRead[], values: Values): string =>
  `i.id IN (${rows.map(({ id }) => values.add(id)).join(', ')})`;

async function sharesBy(
  { ask, dialect }: Asking,
  rows: readonly IncidentRead[],
  column: string,
): Promise<Map<string, IncidentShare[]>> {
  if (rows.length === 0) return new Map();
  const values = new Values();
  const found = await ask<IncidentShare & { id: string }>(
    `SELECT i.id, s.${column} AS name, CAST(count(*) AS double precision) AS sessions FROM unrut.incidents i ${incidentSessionsJoin(dialect)}
      WHERE ${dialect.scope('i')} AND ${among(rows, values)} AND s.${column} <> '' GROUP BY i.id, s.${column} ORDER BY 3 DESC, 2`,
    ...values.list,
  );
  return new Map(
    [...Map.groupBy(found, ({ id }) => id)].map(([id, all]) => [
      id,
      all.slice(0, MAX_NAMES).map(({ name, sessions }) => ({ name, sessions })),
    ]),
  );
}

/**
 * The number of failing sessions in each part of the time from the first failure until now, or
 * until its end.
 */
async function pulsesOf(
  { ask, dialect }: Asking,
  rows: readonly IncidentRead[],
  now: number,
): Promise<Map<string, number[]>> {
  if (rows.length === 0) return new Map();
  const values = new Values();
  const until = `coalesce(i.resolved, ${values.add(now)})`;
  const part = (at: string): string =>
    `CAST(round(${PARTS} * (${at} - i.first) / (CASE WHEN ${until} > i.first THEN ${until} - i.first ELSE 1 END) - 0.5) AS integer)`;
  const start = `CASE WHEN c.first > i.first THEN c.first ELSE i.first END`;
  const found = await ask<{ id: string; begin: number; finish: number; sessions: number }>(
    `SELECT p.id, p.begin, p.finish, CAST(count(*) AS double precision) AS sessions FROM (
        SELECT i.id, ${part(start)} AS begin, ${part('c.last')} AS finish FROM unrut.incidents i ${incidentSessionsJoin(dialect)}
        WHERE ${dialect.scope('i')} AND ${among(rows, values)}) p GROUP BY p.id, p.begin, p.finish`,
    ...values.list,
  );
  const pulses = new Map(rows.map(({ id }) => [id, Array.from({ length: PARTS }, () => 0)]));
  const within = (number: number): number => Math.min(PARTS - 1, Math.max(0, number));
  for (const { id, begin, finish, sessions } of found)
    for (let i = within(begin); i <= within(finish); i++) pulses.get(id)![i]! += sessions;
  return pulses;
}

function toIncident(
  row: IncidentRead,
  { shares, pulses }: More,
  { projectName }: ShownAs,
): Incident {
  const { id, kind, tool, target, said, opened, first, last, sessions, users, calls } = row;
  const sharesOf = (name: keyof More['shares']): IncidentShare[] => shares[name].get(id) ?? [];
  return {
    id,
    ...present({ project: projectName?.(row.project) }),
    state: stateOf(row),
    kind,
    tool,
    target,
    text: said,
    opened,
    first,
    last,
    sessions,
    users,
    calls,
    ...(row.acknowledged === null
      ? {}
      : { acknowledged: { at: row.acknowledged, by: row.acknowledged_by ?? '' } }),
    ...(row.resolved === null
      ? {}
      : { resolved: { at: row.resolved, ...present({ by: row.resolved_by ?? undefined }) } }),
    notes: JSON.parse(row.notes) as IncidentNote[],
    teams: sharesOf('teams'),
    hosts: sharesOf('hosts'),
    repos: sharesOf('repos'),
    releases: sharesOf('releases'),
    pulse: pulses.get(id) ?? [],
  };
}
