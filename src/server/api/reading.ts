import type { Ledger } from '../../ledger/ledger.ts';
import { stateOf } from '../../report/sessions-text.ts';
import { shortNames } from '../../views/find-session.ts';
import { type LedgerRows, openLedgerRows } from '../../views/ledger-rows.ts';
import { createTallies, type LedgerTallies } from '../../views/ledger-tallies.ts';
import { createLiveTimelines, type LiveTimeline } from '../../views/live-timelines.ts';
import type { SessionTally } from '../../views/session-tally.ts';
import { actedOn } from './acted-on.ts';
import type { SessionRow } from './answers.ts';
import { createLastHeard } from './last-heard.ts';

/** What the routes read a ledger with. Each entry is read once, however often it is asked for. */
export interface LedgerReading {
  ledger: Ledger;
  /** The ledger's file. */
  path: string;
  rows: LedgerRows;
  /** Every session with an entry, up to date; the faults of none are under the empty name. */
  sessions(): Promise<ReadonlyMap<string, SessionTally>>;
  rowOf(tally: SessionTally): SessionRow;
  timeline(session: string): Promise<LiveTimeline>;
  now(): number;
  close(): void;
}

/** Opens a ledger's file to be read beside the ledger that is written to. */
export function openReading(ledger: Ledger, path: string, now: () => number = Date.now): LedgerReading {
  const rows = openLedgerRows(path);
  const tallies = createTallies(rows, now);
  const names = createNames(tallies);
  const lastHeard = createLastHeard(now);
  return {
    ...{ ledger, path, rows, now },
    async sessions() {
      await tallies.catchUp();
      return tallies.sessions;
    },
    rowOf: (tally) => ({
      ...tally.summary,
      name: shownName(tally.summary.session, names().get(tally.summary.session)),
      state: stateOf({ ...tally.summary, last: lastHeard(tally.summary) }, now()),
      acted: actedOn([...tally.hours.values()].map(({ plans }) => plans)),
      ...pulseOf(tally, now()),
    }),
    timeline: createLiveTimelines(rows),
    close: () => rows.close(),
  };
}

function pulseOf(tally: SessionTally, now: number): Pick<SessionRow, 'pulse'> {
  const pulse = tally.pulse(now);
  return pulse ? { pulse } : {};
}

/** Letters of a name that people gave. */
const MAX_NAME_LENGTH = 40;

/** Of an id its beginning is enough; what somebody called a session is read to its end. */
const shownName = (session: string, short = session): string =>
  /^[0-9a-f]{8}/i.test(session) ? short : session.slice(0, Math.max(short.length, MAX_NAME_LENGTH));

/** Short names of all sessions, made anew when there are others. */
function createNames(tallies: LedgerTallies): () => ReadonlyMap<string, string> {
  let names: ReadonlyMap<string, string> = new Map();
  let generation = -1;
  return () => {
    if (generation !== tallies.generation) names = shortNames([...tallies.sessions.keys()]);
    generation = tallies.generation;
    return names;
  };
}
