import { type AccountState, addEntry, isOfLoop, readAccount, startAccount } from '../account/account.ts';
import type { Waste } from '../account/loop.ts';
import { RUNGS, type Rung } from '../event.ts';
import type { LedgerEntry, LedgerSession } from '../ledger/ledger.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { asRecorded, type RecordedEntry, type RecordedEvent } from './recorded-entry.ts';

/** How many plans ended in which way. */
export type OutcomeCounts = Record<Outcome['outcome'], number>;

export const noOutcomes = (): OutcomeCounts => ({ recovered: 0, persisted: 0, relapsed: 0, unknown: 0 });

/** A session in a few figures. */
export interface SessionSummary {
  session: string;
  /** The agent's program, and the last part of the folder that it works in, where they are known. */
  host?: string;
  folder?: string;
  /** Epoch milliseconds. */
  first: number;
  last: number;
  /** The host says that it is over. */
  ended: boolean;
  /** Of the session and its nested agents. */
  steps: number;
  /** As the account counts them; advice is none. */
  loops: number;
  /** One of the last two steps was part of a loop. */
  looping: boolean;
  /** When that loop was noticed, in epoch milliseconds. */
  loopingSince?: number;
  /** What was spent, as far as the host tells, and what of it on loops. */
  tokens: number;
  usd: number;
  wasted: Waste;
  plans: number;
  /** The plan with the most force. */
  highest?: Rung;
  /** The newest plan, and whether it was only recorded. */
  lastPlan?: { rung: Rung; at: number; shadow: boolean };
  /** Each plan counts by what became of it in the end. */
  outcomes: OutcomeCounts;
  /** The newest call or action, in a few words. */
  doing?: string;
  /** What was last said of a loop. */
  why?: string;
  /** Unrut stopped the run, and nothing was called since. */
  stopped?: true;
  /** Nothing is done there now: switched off, or record-only. */
  mode?: 'off' | 'shadow';
}

/** A name for something of a nested agent, or of the session itself. */
export const withinRange = ({ agent = '' }: { agent?: string }, name: string): string => `${agent}\u0000${name}`;

/** Sums up a session entry by entry, in the order in which they came. */
export interface SessionSums {
  readonly account: AccountState;
  add(entry: RecordedEntry): void;
  summary(): SessionSummary;
}

/** Sums up all entries of one session, oldest first. */
export function summarize(session: string, entries: readonly LedgerEntry[]): SessionSummary {
  const sums = createSessionSums(session);
  for (const entry of entries) sums.add(asRecorded(entry));
  return sums.summary();
}

/** The same with what is in no entry: pieces of a message show only in the ledger's own figures of the session. */
export const withPieces = (summary: SessionSummary, { first, last }: Pick<LedgerSession, 'first' | 'last'>): SessionSummary => ({
  ...summary,
  first: summary.last === 0 ? first : Math.min(summary.first, first),
  last: Math.max(summary.last, last),
  ended: summary.ended && last <= summary.last,
});

/** Begins to sum up a session. What it keeps grows with the session's plans, not with its steps. */
export function createSessionSums(session: string): SessionSums {
  const account = startAccount();
  const outcomes = new Map<string, Outcome['outcome']>();
  const known: Pick<SessionSummary, 'host' | 'folder' | 'highest' | 'lastPlan' | 'doing' | 'why' | 'mode' | 'stopped'> = {};
  let [first, last, plans, ended] = [Number.POSITIVE_INFINITY, 0, 0, false];

  function addEvent({ agent = '' }: RecordedEntry, event: RecordedEvent): void {
    const { type, host, folder, mode, seen } = event;
    if (host !== undefined) known.host = host;
    if (folder !== undefined) known.folder = folder;
    if (host !== undefined) {
      if (mode === undefined) delete known.mode;
      else known.mode = mode;
    }
    if (agent === '') ended = type === 'session-ended';
    if (seen?.call) known.doing = seen.call.label;
    if (event.type === 'plan-performed' && event.rung === 'stop' && !event.failed) known.stopped = true;
    else if (seen?.call || type === 'user-spoke') delete known.stopped;
  }

  return {
    account,
    add(entry) {
      addEntry(account, entry);
      const { at } = entry;
      [first, last] = [Math.min(first, at), Math.max(last, at)];
      if (entry.kind === 'event') addEvent(entry, entry.data);
      else if (entry.kind === 'signal') {
        if (isOfLoop(entry.data)) known.why = entry.data.text;
      } else if (entry.kind === 'plan') {
        plans++;
        known.lastPlan = { rung: entry.data.rung, at, shadow: entry.data.shadow };
        if (known.highest === undefined || isHigher(entry.data.rung, known.highest)) known.highest = entry.data.rung;
      } else if (entry.kind === 'outcome') outcomes.set(withinRange(entry, entry.data.plan), entry.data.outcome);
    },

    summary() {
      const counts = noOutcomes();
      const { steps, looped, looping, loops, tokens = 0, usd = 0, wasted } = readAccount(account);
      const open = loops.findLast((loop) => loop.open);
      for (const outcome of outcomes.values()) counts[outcome]++;
      return {
        session,
        ...known,
        first: Number.isFinite(first) ? first : 0,
        last,
        ended,
        steps,
        loops: looped,
        looping,
        ...(open ? { loopingSince: open.at } : {}),
        ...{ tokens, usd, wasted },
        plans,
        outcomes: counts,
      };
    },
  };
}

const isHigher = (one: Rung, other: Rung): boolean => RUNGS.indexOf(one) > RUNGS.indexOf(other);
