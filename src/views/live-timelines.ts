import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LedgerRows } from './ledger-rows.ts';
import { createTimeline, type Moment, type Timeline } from './timeline.ts';

/** A session's moments as far as they are kept in mind. */
export interface LiveTimeline {
  moments: Moment[];
  /** Older entries were left out. */
  cut: boolean;
}

/** Entries of a session that are looked at, the newest; some tens of megabytes. */
const MAX_ENTRIES = 40_000;
/** Sessions that are kept in mind at once. */
const MAX_SESSIONS = 3;
const SLICE = 500;

interface Kept {
  timeline: Timeline;
  cut: boolean;
  count: number;
  last: { sequence: number; id: string };
}

/** Gives a session's moments each time it is asked, and reads only what has come since the last time. */
export function createLiveTimelines(rows: LedgerRows, mostEntries: number = MAX_ENTRIES): (session: string) => Promise<LiveTimeline> {
  const kept = new Map<string, Kept>();
  let turn: Promise<unknown> = Promise.resolve();

  function begin(session: string): Kept {
    const sequence = rows.startOf(session, mostEntries);
    return { timeline: createTimeline(), cut: sequence > 0, count: 0, last: { sequence, id: '' } };
  }

  async function look(session: string): Promise<LiveTimeline> {
    let known = kept.get(session);
    // What was deleted is no longer shown, and a session that grows for ever is cut again.
    if (!known || (known.last.id !== '' && !rows.has(known.last.sequence, known.last.id)) || known.count > 2 * mostEntries)
      known = begin(session);
    kept.delete(session);
    kept.set(session, known);
    if (kept.size > MAX_SESSIONS) kept.delete(kept.keys().next().value!);
    for (;;) {
      const slice = rows.ofSession(session, known.last.sequence, SLICE);
      slice.forEach(known.timeline.add);
      known.count += slice.length;
      known.last = slice.at(-1) ?? known.last;
      if (slice.length < SLICE) break;
      await nextTurn();
    }
    return { moments: known.timeline.moments(), cut: known.cut };
  }

  return (session) => {
    const looked = turn.then(() => look(session));
    turn = looked.catch(() => undefined);
    return looked;
  };
}
