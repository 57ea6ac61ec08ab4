import { isAdvice, isOnTrial } from '../detectors/index.ts';
import type { Signal } from '../signal.ts';
import {
  type AgentThread,
  addEvent,
  added,
  addOutcome,
  addPlan,
  addSignal,
  hearThread,
  isFreshLoop,
  NO_SUMS,
  settleThread,
  startThread,
  type ThreadSums,
  totalsOf,
  withWhole,
} from './agent-thread.ts';
import type { AccountEntry } from './entry.ts';
import {
  type LoopAccount,
  type LoopEnding,
  loopsOf,
  rounded,
  roundedWaste,
  type Stretch,
  type Waste,
} from './loop.ts';

/** The sums of a run. */
export interface AccountSums {
  steps: number;
  /** What was spent, where anybody tells. */
  tokens?: number;
  usd?: number;
  /** Loops, without advice. */
  looped: number;
  wasted: Waste;
}

/** The account of a run, the same for every view. */
export interface Account extends AccountSums {
  /**
   * In order of their start, including advice. In a run with very many, the oldest are only
   * counted.
   */
  loops: LoopAccount[];
  /** One of the last two steps was part of a loop, and the run continues. */
  looping: boolean;
}

/** What is known of a session so far. Plain JSON of bounded size. */
export interface AccountState {
  /**
   * The session itself, whose name is empty, and its nested agents, the one that came last at the
   * end.
   */
  threads: [agent: string, thread: AgentThread][];
  /** The sums of nested agents that are no longer tracked. */
  closed: ThreadSums;
  ended: boolean;
  /** The session ended and reported success. */
  well: boolean;
}

const MAX_AGENTS = 64;
/** Stretches that one step can begin: there are fewer detectors. */
const MAX_PER_STEP = 64;

/** The account before the first entry. */
export const startAccount = (): AccountState => ({
  threads: [],
  closed: NO_SUMS,
  ended: false,
  well: false,
});

/**
 * A signal that is part of a loop. Advice is none, a detector on trial counts for nothing, and what
 * a nested agent does counts where it happened.
 */
export const isOfLoop = (signal: Signal): boolean =>
  signal.agent === undefined && !isOnTrial(signal) && !isAdvice(signal);

/** Takes in the next entry of a session; changes `state` in place. */
export function addEntry(state: AccountState, entry: AccountEntry): void {
  const thread = threadOf(state, entry.agent ?? '');
  switch (entry.kind) {
    case 'event':
      if (entry.agent === undefined) {
        state.ended = entry.data.type === 'session-ended';
        state.well = state.ended && entry.data.well === true;
      }
      if (entry.data.type === 'user-spoke') for (const [, each] of state.threads) hearThread(each);
      addEvent(thread, entry.step, entry.data);
      break;
    case 'signal':
      addSignal(thread, entry.step, entry.at, entry.data);
      break;
    case 'plan':
      addPlan(thread, entry.step, entry.at, entry.data);
      break;
    case 'outcome':
      addOutcome(thread, entry.data);
  }
}

/** The account of a whole session, from all its entries in the order in which they came. */
export function accountOf(entries: Iterable<AccountEntry>): Account {
  const state = startAccount();
  for (const entry of entries) addEntry(state, entry);
  return readAccount(state);
}

function threadOf(state: AccountState, agent: string): AgentThread {
  const known = state.threads.find(([name]) => name === agent);
  if (known) return known[1];
  closeOldest(state, MAX_AGENTS);
  // A closed agent that returns starts with a new id, so that no earlier id is reused.
  const thread = { ...startThread(), stretchId: state.closed.steps * MAX_PER_STEP };
  state.threads.push([agent, thread]);
  return thread;
}

/** Closes the oldest nested agents beyond `most`; they are only counted from then on. */
function closeOldest(state: AccountState, most: number): void {
  while (state.threads.length > most) {
    const oldest = state.threads.findIndex(([name]) => name !== '');
    if (oldest < 0) return;
    const [[, thread]] = state.threads.splice(oldest, 1) as [[string, AgentThread]];
    state.closed = added(state.closed, totalsOf(thread));
  }
}

/** Limits of an account that is stored between two entries. */
export interface AccountBounds {
  agents: number;
  stretches: number;
  marks: number;
}

/**
 * Shrinks an account; changes `state` in place. The sums stay; the texts and plans of its loops are
 * dropped, since the record has them.
 */
export function boundAccount(
  state: AccountState,
  { agents, stretches, marks }: AccountBounds,
): void {
  closeOldest(state, agents + 1);
  for (const [, thread] of state.threads) {
    settleThread(thread, stretches);
    thread.marks = thread.marks.slice(-marks);
    for (const stretch of thread.stretches)
      Object.assign(stretch, { text: '', variant: '', plans: [] });
  }
}

/** The stretches last seen at a step; their ids are the keys of data stored outside the account. */
export const stretchesAt = (state: AccountState, agent: string, step: number): readonly Stretch[] =>
  state.threads.find(([name]) => name === agent)?.[1].stretches.filter(({ end }) => end === step) ??
  [];

/**
 * The sums of the entries so far: of the whole session, or only of `agent`; the session's own agent
 * is ''.
 */
export function readAccount(state: AccountState, agent?: string): Account {
  const threads = state.threads.filter(([name]) => agent === undefined || name === agent);
  const sums = sumsIn(threads, agent === undefined ? state.closed : NO_SUMS);
  const loops = threads.flatMap(([name, thread]) =>
    loopsOf(thread.stretches, thread.settled.to).map((loop) => ({
      ...(name === '' ? {} : { agent: name }),
      ...loop,
      wasted: roundedWaste(withWhole(thread, loop.wasted)),
      open: !state.ended && isOpen(thread, loop),
      ending: endingOf(state, thread, loop),
    })),
  );
  return { ...sums, loops, looping: loops.some(({ open }) => open) };
}

/** The same, only the sums. */
export const sumsOf = ({ threads, closed }: AccountState): AccountSums => sumsIn(threads, closed);

function sumsIn(threads: AccountState['threads'], others: ThreadSums): AccountSums {
  const { steps, tokens, usd, looped, wasted } = threads.reduce(
    (sums, [, thread]) => added(sums, totalsOf(thread)),
    others,
  );
  return {
    steps,
    ...(tokens === null ? {} : { tokens: rounded(tokens) }),
    ...(usd === null ? {} : { usd: rounded(usd) }),
    looped,
    wasted: roundedWaste(wasted),
  };
}

/** Forgets what only matters while the run continues: what its latest steps cost. */
export function restAccount({ threads }: AccountState): void {
  for (const [, thread] of threads) thread.marks = thread.marks.slice(-1);
}

/** The loop was seen at one of the last steps, and the user has sent no message since. */
const isOpen = (thread: AgentThread, loop: Pick<LoopAccount, 'advice' | 'end'>): boolean =>
  !loop.advice && isFreshLoop(thread, loop) && loop.end >= thread.spoke;

/** Where a loop ended: rules in their order. */
function endingOf(
  { ended, well }: AccountState,
  thread: AgentThread,
  loop: Omit<LoopAccount, 'wasted'>,
): LoopEnding | null {
  const { advice, heard, tried, end } = loop;
  if (advice) return null;
  if (heard) return 'human';
  // Nothing was repeated since the run was told to stop.
  if (tried?.rung === 'stop' && tried.step >= end) return 'stop';
  if (isFreshLoop(thread, loop)) {
    if (!ended) return null;
    if (!well) return 'never';
  }
  return tried?.rung ?? 'itself';
}
