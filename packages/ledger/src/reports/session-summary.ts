import {
  type AccountState,
  addEntry,
  isOfLoop,
  readAccount,
  startAccount,
} from '@unrut/engine/account/account';
import { higher, type Waste } from '@unrut/engine/account/loop';
import type { Rung } from '@unrut/engine/event';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import type { BudgetFigures } from '@unrut/engine/policy/spending';
import type { LedgerEntry, LedgerSession } from '../ledger-entry.ts';
import { asRecorded, type RecordedEntry, type RecordedEvent } from './recorded-entry.ts';
import {
  isStalled,
  type Stall,
  type StallLimits,
  type StallWatch,
  waitingFor,
  watchStall,
} from './stall.ts';

/** How many plans ended in which way. */
export type OutcomeCounts = Record<Outcome['outcome'], number>;

export const noOutcomes = (): OutcomeCounts => ({
  recovered: 0,
  persisted: 0,
  relapsed: 0,
  unknown: 0,
});

/**
 * How often something was done about an agent, and what became of that. Plans that were only
 * recorded do not count.
 */
export interface Acted extends OutcomeCounts {
  plans: number;
}

/** A session in a few figures. */
export interface SessionSummary {
  session: string;
  /**
   * The agent's program, and the last part of the folder that it works in, where they are known.
   */
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
  /** Unrut stopped the run; since then nothing has run and nobody has spoken. */
  stopped?: true;
  /** What it waits for since its last event, if that may last too long. */
  stall?: Stall;
  /** What is spent of the budget, if the session has one. */
  budget?: BudgetFigures;
  /** Nothing is done there now: switched off, or record-only. */
  mode?: 'off' | 'shadow';
}

/** What a session can be at. */
export const SESSION_STATES = [
  'looping',
  'stalled',
  'stopped',
  'running',
  'silent',
  'ended',
] as const;

/** After this many milliseconds without an event a session no longer counts as running. */
export const SILENT = 300_000;

export type SessionState = (typeof SESSION_STATES)[number];

/** What a session is doing now. */
export function stateOf(
  {
    ended,
    stopped,
    looping,
    last,
    stall,
  }: Pick<SessionSummary, 'ended' | 'stopped' | 'looping' | 'last' | 'stall'>,
  now: number,
  limits?: StallLimits,
): SessionState {
  if (ended) return 'ended';
  if (stopped) return 'stopped';
  if (isStalled(stall, now, limits)) return 'stalled';
  if (now - last > SILENT) return 'silent';
  return looping ? 'looping' : 'running';
}

/** A name for something of a nested agent, or of the session itself. */
export const withinRange = ({ agent = '' }: { agent?: string }, name: string): string =>
  `${agent}\u0000${name}`;

/** What is known of a session so far: plain JSON that is gone on with. */
export interface SessionSumsState {
  account: AccountState;
  known: Pick<
    SessionSummary,
    'host' | 'folder' | 'highest' | 'lastPlan' | 'doing' | 'why' | 'mode' | 'stopped' | 'budget'
  >;
  /** Null before the first entry. */
  first: number | null;
  last: number;
  plans: number;
  ended: boolean;
  stall?: StallWatch;
  outcomes: OutcomeCounts;
  acted: Acted;
  /** The newest plans, and what became of them. */
  followed: [plan: string, shadow: boolean | null, outcome: Outcome['outcome'] | null][];
}

/** Sums up a session entry by entry, in the order in which they came. */
export interface SessionSums {
  readonly state: SessionSumsState;
  add(entry: RecordedEntry): void;
  summary(): SessionSummary;
}

/** Plans of a session that are followed, the oldest out first. */
const MAX_FOLLOWED = 1000;

/** Sums up all entries of one session, oldest first. */
export function summarize(session: string, entries: readonly LedgerEntry[]): SessionSummary {
  const sums = createSessionSums(session);
  for (const entry of entries) sums.add(asRecorded(entry));
  return sums.summary();
}

/**
 * The same with what is in no entry: pieces of a message show only in the ledger's own figures of
 * the session.
 */
export const withPieces = (
  summary: SessionSummary,
  { first, last }: Pick<LedgerSession, 'first' | 'last'>,
): SessionSummary => ({
  ...summary,
  first: summary.last === 0 ? first : Math.min(summary.first, first),
  last: Math.max(summary.last, last),
  ended: summary.ended && last <= summary.last,
});

const startSums = (): SessionSumsState => ({
  account: startAccount(),
  known: {},
  first: null,
  last: 0,
  plans: 0,
  ended: false,
  outcomes: noOutcomes(),
  acted: { plans: 0, ...noOutcomes() },
  followed: [],
});

/** Begins to sum up a session, or goes on with what was known of it, which is changed in place. */
export function createSessionSums(
  session: string,
  state: SessionSumsState = startSums(),
): SessionSums {
  const { known } = state;
  const followed = new Map(state.followed.map((plan) => [plan[0], plan]));

  function addEvent(entry: RecordedEntry, event: RecordedEvent): void {
    const { agent = '' } = entry;
    const { type, host, folder, mode, seen } = event;
    if (host !== undefined) known.host = host;
    if (folder !== undefined) known.folder = folder;
    if (host !== undefined) {
      if (mode === undefined) delete known.mode;
      else known.mode = mode;
    }
    if (agent === '') state.ended = type === 'session-ended';
    state.stall ??= { agents: [] };
    watchStall(state.stall, entry, event);
    if (event.budget) known.budget = event.budget.figures;
    if (seen?.call) known.doing = seen.call.label;
    // A nested agent that is stopped does not end the run.
    if (event.type === 'plan-performed')
      setStopped(agent === '' && event.rung === 'stop' && !event.failed);
    else if (type === 'user-spoke' || (seen?.call && event.refusedBy !== 'unrut'))
      setStopped(false);
  }

  function setStopped(isStopped: boolean): void {
    if (isStopped) known.stopped = true;
    else delete known.stopped;
  }

  function follow(name: string, shadow: boolean | null): SessionSumsState['followed'][number] {
    const plan: SessionSumsState['followed'][number] = [name, shadow, null];
    followed.set(name, plan);
    state.followed.push(plan);
    if (state.followed.length > MAX_FOLLOWED) followed.delete(state.followed.shift()![0]);
    return plan;
  }

  function addOutcome(name: string, outcome: Outcome['outcome']): void {
    const plan = followed.get(name) ?? follow(name, null);
    for (const counts of plan[1] === false ? [state.outcomes, state.acted] : [state.outcomes]) {
      if (plan[2] !== null) counts[plan[2]]--;
      counts[outcome]++;
    }
    plan[2] = outcome;
  }

  return {
    state,
    add(entry) {
      addEntry(state.account, entry);
      const { at } = entry;
      state.first = Math.min(state.first ?? at, at);
      state.last = Math.max(state.last, at);
      if (entry.kind === 'event') addEvent(entry, entry.data);
      else if (entry.kind === 'signal') {
        if (isOfLoop(entry.data)) known.why = entry.data.text;
      } else if (entry.kind === 'plan') {
        const { id, rung, shadow } = entry.data;
        state.plans++;
        if (!shadow) state.acted.plans++;
        follow(withinRange(entry, id), shadow);
        // A host need not report what it performed.
        if (rung === 'stop' && !shadow && !entry.agent) setStopped(true);
        known.lastPlan = { rung, at, shadow };
        known.highest = known.highest === undefined ? rung : higher(known.highest, rung);
      } else if (entry.kind === 'outcome')
        addOutcome(withinRange(entry, entry.data.plan), entry.data.outcome);
    },

    summary() {
      const { last, ended, plans, outcomes } = state;
      const {
        steps,
        looped,
        looping,
        loops,
        tokens = 0,
        usd = 0,
        wasted,
      } = readAccount(state.account);
      const open = loops.findLast((loop) => loop.open);
      const stall = state.stall && waitingFor(state.stall);
      return {
        session,
        ...known,
        first: state.first ?? 0,
        last,
        ended,
        steps,
        loops: looped,
        looping,
        ...(open ? { loopingSince: open.at } : {}),
        ...(stall ? { stall } : {}),
        tokens,
        usd,
        wasted,
        plans,
        outcomes: { ...outcomes },
      };
    },
  };
}
