import type { Waste } from '@unrut/engine/account/loop';
import type {
  ListPlace,
  SESSION_ORDERS,
  SessionRow,
  SessionsQuery,
  SessionsReport,
} from './reports.ts';
import { SESSION_STATES } from './session-summary.ts';

type Placed = Pick<SessionRow, 'session' | 'last'>;

/** The order of every list of sessions. */
export const newestFirst = (one: Placed, other: Placed): number =>
  other.last - one.last || (one.session < other.session ? -1 : 1);

const isAfter = ({ last, session }: Placed, { at, name }: ListPlace): boolean =>
  last < at || (last === at && session > name);

/**
 * A page of those that are wanted, in their order, and where the next one begins if it is not the
 * last.
 */
export function pageOf<Row extends Placed>(
  wanted: readonly Row[],
  { most, after }: { most: number; after?: ListPlace | undefined },
): { page: Row[]; next?: ListPlace } {
  const from = after === undefined ? 0 : wanted.findIndex((row) => isAfter(row, after));
  const page = from < 0 ? [] : wanted.slice(from, from + most);
  const last = page.at(-1);
  return {
    page,
    ...(last && last.session !== wanted.at(-1)!.session
      ? { next: { at: last.last, name: last.session } }
      : {}),
  };
}

/** Where nobody asked for them. */
export const NO_FACETS: Pick<SessionsReport, 'states' | 'hosts' | 'folders'> = {
  states: { looping: 0, stalled: 0, stopped: 0, running: 0, silent: 0, ended: 0 },
  hosts: [],
  folders: [],
};

/** Those that wasted the most come first. */
export const mostWasted =
  (measure: keyof Waste = 'usd') =>
  (
    { wasted: one }: Pick<SessionRow, 'wasted'>,
    { wasted: other }: Pick<SessionRow, 'wasted'>,
  ): number =>
    other[measure] - one[measure] || other.steps - one.steps;

type Order = (one: SessionRow, other: SessionRow) => number;

/** What `sort` can be. */
export const ORDERS = {
  state: (one, other) => SESSION_STATES.indexOf(one.state) - SESSION_STATES.indexOf(other.state),
  since: (one, other) => (one.loopingSince ?? one.first) - (other.loopingSince ?? other.first),
  wasted: mostWasted(),
  agent: (one, other) => (one.host ?? '').localeCompare(other.host ?? ''),
  project: (one, other) => (one.folder ?? '').localeCompare(other.folder ?? ''),
} satisfies Record<(typeof SESSION_ORDERS)[number], Order>;

/** Whether a session is wanted. */
export function sessionFilter({
  states,
  since = 0,
  host,
  folder,
  looped = false,
  search = '',
}: SessionsQuery): (row: SessionRow) => boolean {
  const words = search.toLowerCase();
  return (row) =>
    (states === undefined || states.includes(row.state)) &&
    row.last >= since &&
    (host === undefined || row.host === host) &&
    (folder === undefined || row.folder === folder) &&
    (!looped || row.loops > 0) &&
    [row.session, row.host, row.folder, row.doing, row.why].some((text) =>
      text?.toLowerCase().includes(words),
    );
}
