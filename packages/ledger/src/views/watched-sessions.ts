import type { SessionFigures } from '../figures/session-figures.ts';
import type { Ledger, LedgerEntry } from '../ledger.ts';
import { onlyFigures, type Reports, type SessionRow } from '../reports/reports.ts';

/** What is going on. */
export interface Watched {
  /** Most recently active first. */
  sessions: readonly SessionFigures[];
  /** Their signals, plans, outcomes and faults, oldest first. */
  latest: readonly LedgerEntry[];
  /** The displayed names of the sessions. */
  names: ReadonlyMap<string, string>;
}

/** Sessions active within this many milliseconds are watched. */
const OF_LATE = 1_800_000;
const MAX_SESSIONS = 50;
/** More lines fit on no screen. */
const MAX_LATEST = 100;

/** The reported kinds of entries besides events. */
const FOUND = ['signal', 'plan', 'outcome', 'fault'] as const;

/** The cached data of a session, with the figures at that time. */
interface Read {
  figures: string;
  latest: LedgerEntry[];
}

/** Returns the current state on each call, and reads only the sessions with new activity. */
export function createWatch(): (ledger: Ledger, reports: Reports, now: number) => Promise<Watched> {
  const known = new Map<string, Read>();

  async function look(ledger: Ledger, row: SessionRow): Promise<Read> {
    const figures = JSON.stringify({ ...row, state: '', pulse: {} });
    const read = known.get(row.session);
    if (read?.figures === figures) return read;
    const latest: LedgerEntry[] = [];
    for (const kind of FOUND)
      latest.push(...(await ledger.entries({ session: row.session, kind, last: MAX_LATEST })));
    const looked = { figures, latest };
    known.set(row.session, looked);
    return looked;
  }

  return async (ledger, reports, now) => {
    const recent = await reports.sessions({ most: MAX_SESSIONS, since: now - OF_LATE });
    const stalled = await reports.sessions({ most: MAX_SESSIONS, states: ['stalled'] });
    const rows = [
      ...recent.sessions,
      ...stalled.sessions.filter(({ last }) => last < now - OF_LATE),
    ].slice(0, MAX_SESSIONS);
    for (const session of [...known.keys()])
      if (!rows.some((row) => row.session === session)) known.delete(session);
    const watched = await Promise.all(rows.map((row) => look(ledger, row)));
    return {
      sessions: rows.map(onlyFigures),
      latest: watched
        .flatMap(({ latest }) => latest)
        .sort((one, other) => one.at - other.at)
        .slice(-MAX_LATEST),
      names: new Map(rows.map(({ session, name }) => [session, name])),
    };
  };
}
