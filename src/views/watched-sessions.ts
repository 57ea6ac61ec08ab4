import type { Ledger, LedgerEntry, LedgerSession } from '../ledger/ledger.ts';
import type { SessionSummary } from '../ledger/reports/session-summary.ts';
import { summarize, withPieces } from '../ledger/reports/session-summary.ts';
import { shortNames } from './find-session.ts';

/** What is going on. */
export interface Watched {
  /** Most recently active first. */
  sessions: readonly SessionSummary[];
  /** Signals, plans, outcomes and faults of them, oldest first. */
  latest: readonly LedgerEntry[];
  /** What the sessions are called. */
  names: ReadonlyMap<string, string>;
}

/** Sessions that were active within so many milliseconds are watched. */
const OF_LATE = 1_800_000;
const MAX_SESSIONS = 50;
/** More lines fit on no screen. */
const MAX_LATEST = 100;

/** What was read of a session when its figures were these. */
interface Read {
  figures: string;
  watched: { summary: Watched['sessions'][number]; latest: LedgerEntry[] };
}

/** Gives what is going on each time it is asked, and reads only the sessions in which something has happened since. */
export function createWatch(): (ledger: Ledger, now: number) => Promise<Watched> {
  const known = new Map<string, Read>();

  async function look(ledger: Ledger, row: LedgerSession): Promise<Read['watched']> {
    const figures = JSON.stringify(row);
    const read = known.get(row.session);
    if (read?.figures === figures) return read.watched;
    const entries = await ledger.entries({ session: row.session });
    const watched = {
      summary: withPieces(summarize(row.session, entries), row),
      latest: entries.filter(({ kind }) => kind !== 'event').slice(-MAX_LATEST),
    };
    known.set(row.session, { figures, watched });
    return watched;
  }

  return async (ledger, now) => {
    const all = await ledger.sessions();
    const rows = all.filter(({ last }) => now - last < OF_LATE).slice(0, MAX_SESSIONS);
    for (const session of [...known.keys()]) if (!rows.some((row) => row.session === session)) known.delete(session);
    const watched = await Promise.all(rows.map((row) => look(ledger, row)));
    return {
      sessions: watched.map(({ summary }) => summary),
      latest: watched
        .flatMap(({ latest }) => latest)
        .sort((one, other) => one.at - other.at)
        .slice(-MAX_LATEST),
      names: shortNames(all.map(({ session }) => session)),
    };
  };
}
