import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LedgerRow, LedgerRows } from './ledger-rows.ts';
import { SessionTally } from './session-tally.ts';

/** Every session of a ledger in figures, kept up to date by reading each entry once. */
export interface LedgerTallies {
  /** Reads what has come since, a slice at a time, so that others have their turn. Then `sessions` is up to date. */
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
    atWork.delete(session);
    atWork.set(session, tally);
    if (atWork.size <= MAX_AT_WORK) return;
    const [oldest, resting] = atWork.entries().next().value!;
    atWork.delete(oldest);
    resting.rest();
  }

  function startOver(): void {
    sessions.clear();
    atWork.clear();
    last = { sequence: 0, id: '' };
    generation++;
  }

  /** What somebody has deleted goes; a session that has begun anew since is counted anew. All are told what no entry tells. */
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
    for (let from = 0; ; ) {
      const slice = rows.ofSession(session, from, SLICE);
      slice.filter(({ sequence }) => sequence <= until).forEach(add);
      from = slice.at(-1)?.sequence ?? from;
      if (slice.length < SLICE || from > until) return;
      await nextTurn();
    }
  }

  async function read(): Promise<void> {
    if (last.sequence > 0 && !rows.has(last.sequence, last.id)) startOver();
    for (;;) {
      const slice = rows.after(last.sequence, SLICE);
      slice.forEach(add);
      last = slice.at(-1) ?? last;
      if (slice.length < SLICE) break;
      await nextTurn();
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
