import type { Context } from 'hono';
import type { SessionState } from '../../report/sessions-text.ts';
import type { SessionRow, SessionsAnswer } from './answers.ts';
import { type Cursor, cursorIn, cursorText, namesIn, numberIn, sinceIn } from './query.ts';
import type { LedgerReading } from './reading.ts';

/** What a session can be at. */
export const STATES: readonly SessionState[] = ['looping', 'running', 'silent', 'ended'];

/** `GET /v1/sessions`: what agents are at, and were at. */
export function sessionsRoute(reading: LedgerReading): (context: Context) => Promise<Response> {
  return async (context) => {
    const limit = numberIn(context, 'limit', 50);
    const isWanted = filterIn(context, reading.now());
    const cursor = cursorIn(context);
    const all = [...(await reading.sessions()).values()].filter(({ summary }) => summary.session !== '').map(reading.rowOf);
    const order = namesIn(context, 'sort', Object.keys(ORDERS) as (keyof typeof ORDERS)[]);
    const newest = (one: SessionRow, other: SessionRow): number => other.last - one.last || (one.session < other.session ? -1 : 1);
    const wanted = all
      .filter(isWanted)
      .sort((one, other) => (order.length === 1 ? ORDERS[order[0]!](one, other) : 0) || newest(one, other));
    const from = cursor === undefined ? 0 : wanted.findIndex((row) => isAfter(row, cursor));
    const sessions = from < 0 ? [] : wanted.slice(from, from + limit);
    const last = sessions.at(-1);
    const states = Object.fromEntries(STATES.map((state) => [state, all.filter((row) => row.state === state).length]));
    return context.json({
      sessions,
      total: wanted.length,
      states: states as SessionsAnswer['states'],
      hosts: [...new Set(all.flatMap(({ host }) => host ?? []))].sort(),
      folders: [...new Set(all.flatMap(({ folder }) => folder ?? []))].sort(),
      ...(last && last !== wanted.at(-1) ? { next: cursorText({ at: last.last, name: last.session }) } : {}),
    } satisfies SessionsAnswer);
  };
}

/** What `sort` can be beside the newest first, which is what is left to those that are equal. Pages follow the newest first alone. */
const ORDERS = {
  state: (one: SessionRow, other: SessionRow) => STATES.indexOf(one.state) - STATES.indexOf(other.state),
  since: (one: SessionRow, other: SessionRow) => (one.loopingSince ?? one.first) - (other.loopingSince ?? other.first),
  wasted: (one: SessionRow, other: SessionRow) => other.wasted.usd - one.wasted.usd || other.wasted.steps - one.wasted.steps,
  agent: (one: SessionRow, other: SessionRow) => (one.host ?? '').localeCompare(other.host ?? ''),
  project: (one: SessionRow, other: SessionRow) => (one.folder ?? '').localeCompare(other.folder ?? ''),
} as const;

const isAfter = ({ last, session }: SessionRow, { at, name }: Cursor): boolean => last < at || (last === at && session > name);

function filterIn(context: Context, now: number): (row: SessionRow) => boolean {
  const states = namesIn(context, 'state', STATES);
  const since = sinceIn(context, now);
  const { host, folder, loops } = context.req.query();
  const words = context.req.query('search')?.toLowerCase() ?? '';
  return (row) =>
    states.includes(row.state) &&
    row.last >= since &&
    (host === undefined || row.host === host) &&
    (folder === undefined || row.folder === folder) &&
    (loops === undefined || row.loops > 0) &&
    [row.session, row.host, row.folder, row.doing, row.why].some((text) => text?.toLowerCase().includes(words));
}
