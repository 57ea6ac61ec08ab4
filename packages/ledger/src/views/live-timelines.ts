import {
  type Account,
  type AccountState,
  addEntry,
  readAccount,
  startAccount,
} from '@unrut/engine/account/account';
import { keepIn } from '@unrut/engine/recent';
import { asRecorded } from '../reports/recorded-entry.ts';
import type { ListPlace, Reports } from '../reports/reports.ts';
import { createTimeline, type Moment, type Timeline } from './timeline.ts';

/** The cached moments of a session. */
export interface LiveTimeline {
  moments: Moment[];
  account: Account;
  /** Older entries were left out. */
  cut: boolean;
}

/** Max number of cached sessions. */
const MAX_SESSIONS = 3;
/** After this many new entries, a session is read again, so that its history is cut again. */
const MAX_ENTRIES = 80_000;

interface Kept {
  timeline: Timeline;
  account: AccountState;
  cut: boolean;
  count: number;
  place: ListPlace;
}

/**
 * Returns a session's moments, and reads only entries since the last call if the ledger supports
 * it.
 */
export function createLiveTimelines(
  reports: Pick<Reports, 'history'>,
): (session: string) => Promise<LiveTimeline | undefined> {
  const kept = new Map<string, Kept>();
  let turn: Promise<unknown> = Promise.resolve();

  async function look(session: string): Promise<LiveTimeline | undefined> {
    const known = kept.get(session);
    kept.delete(session);
    const history = await reports.history(
      session,
      known && known.count <= MAX_ENTRIES ? known.place : undefined,
    );
    if (!history) return undefined;
    const { whole, entries, place } = history;
    const { steps, loops: looped, tokens, usd, wasted } = history.session;
    const begun =
      !known || whole
        ? { timeline: createTimeline(), account: startAccount(), cut: history.cut, count: 0 }
        : known;
    for (const entry of entries) {
      begun.timeline.add(entry);
      addEntry(begun.account, asRecorded(entry));
    }
    // The session's row includes the entries that were cut.
    const account = { ...readAccount(begun.account), steps, looped, tokens, usd, wasted };
    keepIn(kept, session, { ...begun, count: begun.count + entries.length, place }, MAX_SESSIONS);
    return { moments: begun.timeline.moments(), account, cut: begun.cut };
  }

  return (session) => {
    const looked = turn.then(() => look(session));
    turn = looked.catch(() => undefined);
    return looked;
  };
}
