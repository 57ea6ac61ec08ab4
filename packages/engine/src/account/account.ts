import { isAdvice, isOnTrial } from '../detectors/index.ts';
import { type EventType, isStep } from '../event.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { Signal } from '../signal.ts';
import type { AccountEntry, EventFacts, RecordedPlan } from './entry.ts';
import {
  higher,
  type LoopAccount,
  type LoopEnding,
  type LoopMark,
  type LoopPlan,
  later,
  loopsOf,
  MAX_PLANS,
  noWaste,
  rounded,
  roundedWaste,
  type Stretch,
  sum,
  type Waste,
} from './loop.ts';

/** What a run came to, in sums. */
export interface AccountSums {
  steps: number;
  /** What was spent, where anybody tells. */
  tokens?: number;
  usd?: number;
  /** Loops; advice is none. */
  looped: number;
  wasted: Waste;
}

/** What a run came to: the one account of it, whoever shows it. */
export interface Account extends AccountSums {
  /**
   * In order of their start, advice among them. Of a run with very many the oldest are only
   * counted.
   */
  loops: LoopAccount[];
  /** One of the last two steps was part of a loop, and the run goes on. */
  looping: boolean;
}

/** What is known of a session so far. Plain JSON of bounded size. */
export interface AccountState {
  /**
   * The session itself, whose name is empty, and its nested agents, the one that came last at the
   * end.
   */
  threads: [agent: string, thread: Thread][];
  /** What nested agents came to that are not followed any more. */
  closed: Sums;
  ended: boolean;
  /** It ended, and says that it has done what it was to do. */
  well: boolean;
}

interface Sums {
  steps: number;
  tokens: number | null;
  usd: number | null;
  looped: number;
  wasted: Waste;
}

/** The session itself or a nested agent, which counts steps of its own. */
interface Thread extends Sums {
  /** The number of the first step that is known, and of the one that comes next. */
  first: number;
  next: number;
  /** The number of the first step since a person last spoke. */
  spoke: number;
  /** Spent on the whole run, nobody knows when: shared out over its steps. */
  whole: { tokens: number; usd: number };
  /** What was spent before each of the latest steps. */
  marks: LoopMark[];
  /** In the order in which they were noticed. */
  stretches: Stretch[];
  stretchId: number;
  /** What is counted of the stretches is to be counted anew. */
  stale: boolean;
  /** Of stretches that are not kept any more, and where the last of them ended. */
  settled: Pick<Sums, 'looped' | 'wasted'> & { to: LoopMark };
}

/**
 * After more steps without a signal a streak is another stretch: the longest lap that is looked
 * for.
 */
const MAX_PAUSE = 8;
/** A first lap is as long at most: no detector looks back farther than some 50 calls. */
const MAX_MARKS = 256;
/** A reader will not look at more. */
const MAX_STRETCHES = 200;
/** So many more are waited for before the oldest are dropped. */
const SPARE = 50;
const MAX_AGENTS = 64;
/** Stretches that one step can begin: there are fewer detectors. */
const MAX_PER_STEP = 64;
/** One of so many last steps makes a loop one that goes on. */
const FRESH = 2;

const startThread = (): Thread => ({
  steps: 0,
  tokens: null,
  usd: null,
  looped: 0,
  wasted: noWaste(),
  first: -1,
  next: 0,
  spoke: -1,
  whole: { tokens: 0, usd: 0 },
  marks: [],
  stretches: [],
  stretchId: 0,
  stale: false,
  settled: { looped: 0, wasted: noWaste(), to: { step: 0, tokens: 0, usd: 0 } },
});

/** The account before the first entry. */
export const startAccount = (): AccountState => ({
  threads: [],
  closed: NOTHING,
  ended: false,
  well: false,
});

const NOTHING: Sums = { steps: 0, tokens: null, usd: null, looped: 0, wasted: noWaste() };

/** A step of the agent, by what is kept of the event. */
export const isRecordedStep = ({ type, seen, aside }: EventFacts): boolean =>
  !aside && isStep(type, Boolean(seen?.text?.message) && seen?.text?.channel !== 'thinking');

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
      if (entry.data.type === 'user-spoke') for (const [, each] of state.threads) hear(each);
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

function threadOf(state: AccountState, agent: string): Thread {
  const known = state.threads.find(([name]) => name === agent);
  if (known) return known[1];
  closeOldest(state, MAX_AGENTS);
  // Of an agent that was closed, and is back, no number of then comes again.
  const thread = { ...startThread(), stretchId: state.closed.steps * MAX_PER_STEP };
  state.threads.push([agent, thread]);
  return thread;
}

/** Beyond so many nested agents, those that came first are only counted. */
function closeOldest(state: AccountState, most: number): void {
  while (state.threads.length > most) {
    const oldest = state.threads.findIndex(([name]) => name !== '');
    if (oldest < 0) return;
    const [[, thread]] = state.threads.splice(oldest, 1) as [[string, Thread]];
    state.closed = added(state.closed, totalsOf(thread));
  }
}

/** What may stay of an account that is put aside between two entries. */
export interface AccountBounds {
  agents: number;
  stretches: number;
  marks: number;
}

/**
 * Makes an account smaller; changes `state` in place. The sums stay; the words of its loops and
 * what was done about them go, as they are in the record.
 */
export function boundAccount(
  state: AccountState,
  { agents, stretches, marks }: AccountBounds,
): void {
  closeOldest(state, agents + 1);
  for (const [, thread] of state.threads) {
    settle(thread, stretches);
    thread.marks = thread.marks.slice(-marks);
    for (const stretch of thread.stretches)
      Object.assign(stretch, { text: '', variant: '', plans: [] });
  }
}

const added = (one: Sums, other: Sums): Sums => ({
  steps: one.steps + other.steps,
  tokens: plus(one.tokens, other.tokens ?? undefined),
  usd: plus(one.usd, other.usd ?? undefined),
  looped: one.looped + other.looped,
  wasted: sum(one.wasted, other.wasted),
});

const plus = (known: number | null, more: number | undefined): number | null =>
  more === undefined ? known : (known ?? 0) + more;

/** What still goes on when a human speaks ends by that, unless it is seen again. */
function hear(thread: Thread): void {
  for (const stretch of thread.stretches) if (isFresh(thread, stretch)) stretch.heard = true;
  thread.spoke = thread.next;
}

function addEvent(thread: Thread, step: number, event: EventFacts): void {
  const { type, cost } = event;
  if (type === 'plan-performed' && event.plan !== undefined && event.rung !== undefined) {
    const performed = { rung: event.rung, failed: event.failed ?? false };
    for (const plan of plansIn(thread, event.plan)) plan.performed = performed;
    for (const stretch of thread.stretches) {
      if (stretch.tried?.plan !== event.plan) continue;
      stretch.tried = performed.failed ? null : { ...stretch.tried, rung: performed.rung };
    }
  }
  if (!isRecordedStep(event)) {
    if (cost) spend(thread, step, type, cost);
    return;
  }
  reach(thread, step);
  if (cost) spend(thread, step, type, cost);
  thread.steps++;
  if (thread.first < 0) thread.first = step;
  thread.next = Math.max(thread.next, step + 1);
  // It was seen before it came, as in a thought that led to it.
  const awaited = thread.stretches.filter(({ end }) => end === step);
  for (const stretch of awaited) stretch.to = markAt(thread, step + 1);
  if (awaited.length > 0) thread.stale = true;
}

function spend(
  thread: Thread,
  step: number,
  type: EventType,
  { tokens, usd }: NonNullable<EventFacts['cost']>,
): void {
  if (type === 'session-ended') {
    thread.whole.tokens += tokens ?? 0;
    thread.whole.usd += usd ?? 0;
  } else reach(thread, step);
  thread.tokens = plus(thread.tokens, tokens);
  thread.usd = plus(thread.usd, usd);
}

/** What follows is spent on this step. */
function reach(thread: Thread, step: number): void {
  const last = thread.marks.at(-1);
  if (last && last.step >= step) return;
  thread.marks.push({ step, ...spentBy(thread) });
  if (thread.marks.length > MAX_MARKS) thread.marks.shift();
}

/** All that was spent before a step that is one of the latest, or has not come yet. */
function markAt(thread: Thread, step: number): LoopMark {
  const { tokens, usd } = thread.marks.find((mark) => mark.step >= step) ?? spentBy(thread);
  return { step, tokens, usd };
}

/** All that was spent on steps so far. */
const spentBy = ({ tokens, usd, whole }: Thread): Pick<LoopMark, 'tokens' | 'usd'> => ({
  tokens: (tokens ?? 0) - whole.tokens,
  usd: (usd ?? 0) - whole.usd,
});

function addSignal(thread: Thread, step: number, at: number, signal: Signal): void {
  if (signal.agent !== undefined || isOnTrial(signal)) return;
  const { detector, variant, streak, rung, count, strength, text } = signal;
  const advice = isAdvice(signal);
  const known = thread.stretches.findLast(
    (each) => each.streak === streak && each.detector === detector,
  );
  if (known && step - known.end <= MAX_PAUSE && signal.since <= known.end) {
    known.rung = higher(known.rung, rung);
    known.advice &&= advice;
    known.end = Math.max(known.end, step);
    known.heard = false;
    known.strength = Math.max(known.strength, strength);
    // The words of the moment at which most had been counted.
    if (count >= known.count) Object.assign(known, { count, text, variant });
    mark(thread, known);
  } else {
    const start = Math.min(step, known && signal.since <= known.end ? step : signal.since);
    const none = markAt(thread, start + 1);
    const begun: Stretch = {
      id: thread.stretchId++,
      streak,
      detector,
      variant,
      advice,
      start,
      firedAt: step,
      end: step,
      at,
      rung,
      count,
      refused: 0,
      strength,
      text,
      plans: [],
      tried: null,
      heard: false,
      from: none,
      to: none,
    };
    thread.stretches.push(begun);
    mark(thread, begun);
    if (thread.stretches.length > MAX_STRETCHES + SPARE) settle(thread);
  }
  thread.stale = true;
}

/**
 * Marks what is wasted on a stretch as it is now. How long its first lap was is asked as long as
 * that was lately.
 */
function mark(thread: Thread, stretch: Stretch): void {
  const { start, end, count, refused } = stretch;
  const from = Math.max(
    start + Math.max(1, Math.round((end - start + 1) / Math.max(1, count + refused))),
    thread.first,
  );
  if (from >= (thread.marks[0]?.step ?? 0)) stretch.from = markAt(thread, from);
  stretch.to = markAt(thread, Math.min(end + 1, thread.next));
}

/** Beyond the most that are kept, the oldest loops are only counted. */
function settle(thread: Thread, most = MAX_STRETCHES): void {
  const { settled } = thread;
  const loops = loopsOf(thread.stretches, settled.to);
  while (thread.stretches.length > most && loops.length > 1) {
    const { stretches, advice, wasted } = loops.shift()!;
    settled.wasted = sum(settled.wasted, wasted);
    if (!advice) {
      settled.looped++;
      settled.to = thread.stretches
        .filter(({ id }) => stretches.includes(id))
        .reduce((to, each) => later(to, each.to), settled.to);
    }
    thread.stretches = thread.stretches.filter(({ id }) => !stretches.includes(id));
  }
}

/** Counts loops and waste anew. */
function recount(thread: Thread): void {
  thread.stale = false;
  const { settled } = thread;
  const loops = loopsOf(thread.stretches, settled.to);
  thread.looped = settled.looped + loops.filter(({ advice }) => !advice).length;
  thread.wasted = loops.reduce((all, { wasted }) => sum(all, wasted), settled.wasted);
}

function addPlan(
  thread: Thread,
  step: number,
  at: number,
  { id, streak, rung, recovery, shadow }: RecordedPlan,
): void {
  const stretch = thread.stretches.findLast((each) => each.streak === streak);
  if (stretch && stretch.plans.length < MAX_PLANS)
    stretch.plans.push({ id, step, at, rung, recovery, shadow });
  if (stretch && !shadow) stretch.tried = { plan: id, rung, recovery, step };
  if (rung !== 'block' || shadow) return;
  // What is refused does not run, so no detector sees it; the agent repeats itself all the same.
  for (const each of thread.stretches) {
    if (each.streak !== streak || step <= each.end || step - each.end > MAX_PAUSE) continue;
    each.end = step;
    each.refused++;
    mark(thread, each);
    thread.stale = true;
  }
}

function addOutcome(thread: Thread, { plan: id, outcome }: Outcome): void {
  for (const plan of plansIn(thread, id)) if (!plan.shadow) plan.outcome = outcome;
}

const plansIn = (thread: Thread, id: string): LoopPlan[] =>
  thread.stretches.flatMap(({ plans }) => plans.filter((plan) => plan.id === id));

/**
 * The stretches that were last seen at a step: what is shown of them beside the account is kept
 * under their ids.
 */
export const stretchesAt = (state: AccountState, agent: string, step: number): readonly Stretch[] =>
  state.threads.find(([name]) => name === agent)?.[1].stretches.filter(({ end }) => end === step) ??
  [];

/**
 * What the entries so far come to: of the whole session or, where `agent` is given, of one agent in
 * it; the session itself is ''.
 */
export function readAccount(state: AccountState, agent?: string): Account {
  const threads = state.threads.filter(([name]) => agent === undefined || name === agent);
  const sums = sumsIn(threads, agent === undefined ? state.closed : NOTHING);
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

function sumsIn(threads: AccountState['threads'], others: Sums): AccountSums {
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

/** Forgets what only matters while the run goes on: what its latest steps cost. */
export function restAccount({ threads }: AccountState): void {
  for (const [, thread] of threads) thread.marks = thread.marks.slice(-1);
}

function totalsOf(thread: Thread): Sums {
  if (thread.stale) recount(thread);
  return { ...thread, wasted: withWhole(thread, thread.wasted) };
}

/** What was spent on the whole run is wasted as far as its steps are. */
function withWhole({ whole, steps }: Thread, wasted: Waste): Waste {
  const share = wasted.steps / Math.max(1, steps);
  return {
    ...wasted,
    tokens: wasted.tokens + whole.tokens * share,
    usd: wasted.usd + whole.usd * share,
  };
}

/** A loop that was seen at one of the last steps, and nobody has spoken since. */
const isOpen = (thread: Thread, loop: Pick<LoopAccount, 'advice' | 'end'>): boolean =>
  !loop.advice && isFresh(thread, loop) && loop.end >= thread.spoke;

const isFresh = ({ next }: Thread, { end }: Pick<LoopAccount, 'end'>): boolean =>
  end >= next - FRESH;

/** Where a loop ended: rules in their order. */
function endingOf(
  { ended, well }: AccountState,
  thread: Thread,
  loop: Omit<LoopAccount, 'wasted'>,
): LoopEnding | null {
  const { advice, heard, tried, end } = loop;
  if (advice) return null;
  if (heard) return 'human';
  // Nothing was repeated since the run was told to stop.
  if (tried?.rung === 'stop' && tried.step >= end) return 'stop';
  if (isFresh(thread, loop)) {
    if (!ended) return null;
    if (!well) return 'never';
  }
  return tried?.rung ?? 'itself';
}
