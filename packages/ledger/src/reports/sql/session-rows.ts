import { present } from '@unrut/engine/json';
import {
  noOutcomes,
  type SessionColumns,
  type SessionRest,
  stateOf,
} from '../../figures/session-figures.ts';
import { readPulse } from '../../figures/session-pulse.ts';
import type { SessionRow } from '../reports.ts';
import { shortName, shownName } from '../session-name.ts';
import type { StallLimits } from '../stall.ts';
import type { SqlDialect } from './asking.ts';

const COLUMNS = [
  ...['session', 'person', 'host', 'folder', 'heard', 'ended', 'looping', 'steps', 'loops'],
  ...['plans', 'tokens', 'usd', 'wasted_steps', 'wasted_tokens', 'wasted_usd', 'summary'],
];

/** The columns to read of a session. */
export const columnsRead = ({ key, milliseconds, project }: SqlDialect): string =>
  `s.${key} AS "key", ${project('s')} AS project, ${milliseconds('s.first')} AS first, ${milliseconds('s.last')} AS last, s.since,
  ${COLUMNS.map((name) => `s.${name}`).join(', ')}, ${failsNow({ key })} AS failed`;

/** Max milliseconds of activity after its last failure for a session to count as failing. */
const STILL_FAILING = 60_000;

/** SQL condition: its newest finding is a failure that sessions can share. */
export const failsNow = ({ key }: Pick<SqlDialect, 'key'>): string =>
  `EXISTS (SELECT 1 FROM unrut.cause_sessions c WHERE c.org = :org AND c.${key} = s.${key}
    AND c.kind = 'failure' AND c.last >= s.heard - ${STILL_FAILING})`;

/** The names before and after it, from which its short name is computed. */
export const nameNeighbours = ({ scope }: SqlDialect): string => `
  (SELECT n.session FROM unrut.sessions n WHERE ${scope('n')} AND n.minute >= 0 AND n.session < s.session ORDER BY n.session DESC LIMIT 1) AS name_before,
  (SELECT n.session FROM unrut.sessions n WHERE ${scope('n')} AND n.minute >= 0 AND n.session > s.session ORDER BY n.session LIMIT 1) AS name_after`;

/** A row from the driver: booleans may be 1, and JSON may be text. */
export interface FiguresRow extends Omit<SessionColumns, 'summary' | 'words'> {
  key: string;
  project: number;
  session: string;
  since: number;
  heard: number;
  summary: string | Partial<SessionRest>;
  failed: boolean | number;
  name_before: string | null;
  name_after: string | null;
}

/**
 * Projects in which sessions of other people are shown without names and texts, only with figures.
 */
export interface Hidden {
  from: string;
  projects: readonly number[];
}

/** Whether the viewer may see the session's name and texts. */
export const isNamed = (
  { project, person }: { project: number; person?: string | null },
  hidden: Hidden | undefined,
): boolean => !hidden || person === hidden.from || !hidden.projects.includes(project);

/**
 * `isNamed` as an SQL condition on a row of `sessions`; `person` is the placeholder of the viewer's
 * name.
 */
export const isNamedIn = (
  row: string,
  { projects }: Hidden,
  person: string,
  { project }: Pick<SqlDialect, 'project'>,
): string =>
  `(${row}.person = ${person} OR ${project(row)} NOT IN (${projects.map(Math.trunc).join(', ')}))`;

export interface ShownAs {
  now: number;
  /** When a session counts as stalled. */
  stall?: StallLimits | undefined;
  hidden?: Hidden | undefined;
  /** The name of a project. */
  projectName?: ((project: number) => string | undefined) | undefined;
}

/** A row of the table as lists show it. */
export function toSessionRow(
  row: FiguresRow,
  { now, hidden, stall, projectName }: ShownAs,
): SessionRow {
  const rest = typeof row.summary === 'string' ? JSON.parse(row.summary) : row.summary;
  const {
    acted,
    pulse: parts,
    tried: _,
    ...more
  } = {
    acted: { plans: 0, ...noOutcomes() },
    outcomes: noOutcomes(),
    pulse: [],
    ...rest,
  } as SessionRest;
  const { session, host, folder, first, last, steps, loops, plans, heard } = row;
  const [ended, looping] = [Boolean(row.ended), Boolean(row.looping)];
  const pulse = readPulse(parts, now);
  const state = stateOf({ ...more, ended, looping, last: heard }, now, stall);
  const shown: SessionRow = {
    session,
    ...present({ project: projectName?.(row.project) }),
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
    plans,
    wasted: { steps: row.wasted_steps, tokens: row.wasted_tokens, usd: row.wasted_usd },
    ...more,
    name: shownName(session, calledNow(row)),
    acted,
    state,
    ...(state === 'running' && row.failed ? { failing: true as const } : {}),
    ...(pulse ? { pulse } : {}),
  };
  if (isNamed(row, hidden)) return shown;
  const { folder: __, doing: ___, why: ____, ...figures } = shown;
  return { ...figures, session: `hidden-${row.key}`, name: 'hidden' };
}

export type Neighbours = Pick<FiguresRow, 'session' | 'name_before' | 'name_after'>;

export const calledNow = ({ session, name_before, name_after }: Neighbours): string =>
  shortName(session, name_before, name_after);
