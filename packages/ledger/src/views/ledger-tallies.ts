import { setImmediate as nextTurn } from 'node:timers/promises';
import { keepIn } from '@unrut/engine/recent';
import type { LedgerRow, LedgerRows } from '../sqlite/ledger-rows.ts';
import { SessionTally } from './session-tally.ts';

/** Every session of a ledger in figures, kept up to date by reading each entry once. */
export interface LedgerTallies {
  /**
   * Reads what has come since, a slice at a time, so that others have their turn. Then `sessions`
   * is up to date.
   */
  catchUp(): Promise<void>;
  /** By name; the faults of no session are under the empty one. */
  readonly sessions: ReadonlyMap<string, SessionTally>;
  /** Another number when other sessions are kept than before. */
  readonly generation: number;
}

/** Entries that are read at once: a few milliseconds. */
const SLICE = 500;
/** Sessions that something came of last keep what they need to go on. */
const MAX_AT_WORK = 200;
/** Milliseconds between two looks at which sessions there are. */
const EVERY = 1000;

/** Begins with nothing read. */
export function createTallies(rows: LedgerRows, now: () => number = Date.now): LedgerTallies {
  const sessions = new Map<string, SessionTally>();
  const atWork = new Map<string, SessionTally>();
  let last = { sequence: 0, id: '' };
  let generation = 0;
  let looked = 0;
  let turn: Promise<void> | undefined;

  function tallyOf(session: string): SessionTally {
    const known = sessions.get(session);
    if (known) return known;
    const tally = new SessionTally(session);
    sessions.set(session, tally);
    generation++;
    return tally;
  }

  function add(row: LedgerRow): void {
    const { session } = row;
    const tally = tallyOf(session);
    tally.add(row);
    keepIn(atWork, session, tally, MAX_AT_WORK, (resting) => resting.rest());
  }

  function startOver(): void {
    sessions.clear();
    atWork.clear();
    last = { sequence: 0, id: '' };
    generation++;
  }

  /**
   * What somebody has deleted goes; a session that has begun anew since is counted anew. All are
   * told what no entry tells.
   */
  async function compareSessions(): Promise<void> {
    if (now() - looked < EVERY) return;
    looked = now();
    const kept = rows.sessions();
    for (const [session, { summary }] of [...sessions]) {
      const row = kept.get(session);
      if (row && row.first <= summary.first) continue;
      sessions.delete(session);
      atWork.delete(session);
      generation++;
      if (row) await readAnew(session);
    }
    for (const [session, row] of kept) tallyOf(session).hear(row);
  }

  async function readAnew(session: string): Promise<void> {
    const until = last.sequence;
    for await (const slice of slicesOfSession(rows, session)) {
      slice.filter(({ sequence }) => sequence <= until).forEach(add);
      if ((slice.at(-1)?.sequence ?? 0) > until) return;
    }
  }

  async function read(): Promise<void> {
    if (last.sequence > 0 && !rows.has(last.sequence, last.id)) startOver();
    for await (const slice of slicesOf(rows.after, last.sequence)) {
      slice.forEach(add);
      last = slice.at(-1) ?? last;
    }
    await compareSessions();
  }

  return {
    catchUp() {
      turn ??= read().finally(() => {
        turn = undefined;
      });
      return turn;
    },
    sessions,
    get generation() {
      return generation;
    },
  };
}

/** Reads rows after a place to their end, a slice at a time, so that others have their turn. */
async function* slicesOf(
  look: (after: number, most: number) => LedgerRow[],
  from: number,
): AsyncGenerator<LedgerRow[]> {
  for (let after = from; ; ) {
    const slice = look(after, SLICE);
    yield slice;
    after = slice.at(-1)?.sequence ?? after;
    if (slice.length < SLICE) return;
    await nextTurn();
  }
}

/** The same of one session. */
export const slicesOfSession = (
  rows: LedgerRows,
  session: string,
  from = 0,
): AsyncGenerator<LedgerRow[]> =>
  slicesOf((after, most) => rows.ofSession(session, after, most), from);
