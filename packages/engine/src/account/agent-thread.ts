import { isAdvice, isOnTrial } from '../detectors/index.ts';
import type { EventType } from '../event.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { Signal } from '../signal.ts';
import { type EventFacts, isRecordedStep, type RecordedPlan } from './entry.ts';
import {
  higher,
  type LoopAccount,
  type LoopMark,
  type LoopPlan,
  later,
  loopsOf,
  MAX_PLANS,
  noWaste,
  type Stretch,
  sum,
  type Waste,
} from './loop.ts';

/** What is counted of an agent or of several. */
export interface ThreadSums {
  steps: number;
  tokens: number | null;
  usd: number | null;
  looped: number;
  wasted: Waste;
}

/** The session itself or a nested agent, which counts steps of its own. */
export interface AgentThread extends ThreadSums {
  /** The number of the first step that is known, and of the one that comes next. */
  first: number;
  next: number;
  /** The number of the first step since a person last spoke. */
  spoke: number;
  /** Spending of the whole run without times: distributed over its steps. */
  whole: { tokens: number; usd: number };
  /** Spending before each of the latest steps. */
  marks: LoopMark[];
  /** In the order in which they were noticed. */
  stretches: Stretch[];
  stretchId: number;
  /** The figures of the stretches must be recomputed. */
  stale: boolean;
  /** The sums of stretches that are no longer stored, and the end of the last one. */
  settled: Pick<ThreadSums, 'looped' | 'wasted'> & { to: LoopMark };
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
/** The number of stretches above the limit at which the oldest are dropped. */
const SPARE = 50;
/** A loop continues if one of this many last steps was part of it. */
const FRESH = 2;

export const startThread = (): AgentThread => ({
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

export const NO_SUMS: ThreadSums = {
  steps: 0,
  tokens: null,
  usd: null,
  looped: 0,
  wasted: noWaste(),
};

export const added = (one: ThreadSums, other: ThreadSums): ThreadSums => ({
  steps: one.steps + other.steps,
  tokens: plus(one.tokens, other.tokens ?? undefined),
  usd: plus(one.usd, other.usd ?? undefined),
  looped: one.looped + other.looped,
  wasted: sum(one.wasted, other.wasted),
});

const plus = (known: number | null, more: number | undefined): number | null =>
  more === undefined ? known : (known ?? 0) + more;

/** A user message ends open stretches, unless they are seen again. */
export function hearThread(thread: AgentThread): void {
  for (const stretch of thread.stretches) if (isFreshLoop(thread, stretch)) stretch.heard = true;
  thread.spoke = thread.next;
}

export function addEvent(thread: AgentThread, step: number, event: EventFacts): void {
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
  thread: AgentThread,
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

/** Assigns later spending to this step. */
function reach(thread: AgentThread, step: number): void {
  const last = thread.marks.at(-1);
  if (last && last.step >= step) return;
  thread.marks.push({ step, ...spentBy(thread) });
  if (thread.marks.length > MAX_MARKS) thread.marks.shift();
}

/** All that was spent before a step that is one of the latest, or has not come yet. */
function markAt(thread: AgentThread, step: number): LoopMark {
  const { tokens, usd } = thread.marks.find((mark) => mark.step >= step) ?? spentBy(thread);
  return { step, tokens, usd };
}

/** All that was spent on steps so far. */
const spentBy = ({ tokens, usd, whole }: AgentThread): Pick<LoopMark, 'tokens' | 'usd'> => ({
  tokens: (tokens ?? 0) - whole.tokens,
  usd: (usd ?? 0) - whole.usd,
});

export function addSignal(thread: AgentThread, step: number, at: number, signal: Signal): void {
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
    if (thread.stretches.length > MAX_STRETCHES + SPARE) settleThread(thread);
  }
  thread.stale = true;
}

/** Updates the waste of a stretch. The length of its first lap is recomputed while it is recent. */
function mark(thread: AgentThread, stretch: Stretch): void {
  const { start, end, count, refused } = stretch;
  const from = Math.max(
    start + Math.max(1, Math.round((end - start + 1) / Math.max(1, count + refused))),
    thread.first,
  );
  if (from >= (thread.marks[0]?.step ?? 0)) stretch.from = markAt(thread, from);
  stretch.to = markAt(thread, Math.min(end + 1, thread.next));
}

/** Beyond the most that are kept, the oldest loops are only counted. */
export function settleThread(thread: AgentThread, most = MAX_STRETCHES): void {
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

/** Counts loops and waste again. */
function recount(thread: AgentThread): void {
  thread.stale = false;
  const { settled } = thread;
  const loops = loopsOf(thread.stretches, settled.to);
  thread.looped = settled.looped + loops.filter(({ advice }) => !advice).length;
  thread.wasted = loops.reduce((all, { wasted }) => sum(all, wasted), settled.wasted);
}

export function addPlan(
  thread: AgentThread,
  step: number,
  at: number,
  { id, streak, rung, recovery, shadow }: RecordedPlan,
): void {
  const stretch = thread.stretches.findLast((each) => each.streak === streak);
  if (stretch && stretch.plans.length < MAX_PLANS)
    stretch.plans.push({ id, step, at, rung, recovery, shadow });
  if (stretch && !shadow) stretch.tried = { plan: id, rung, recovery, step };
  if (rung !== 'block' || shadow) return;
  // Blocked calls do not run, so no detector sees them, but they are repetitions.
  for (const each of thread.stretches) {
    if (each.streak !== streak || step <= each.end || step - each.end > MAX_PAUSE) continue;
    each.end = step;
    each.refused++;
    mark(thread, each);
    thread.stale = true;
  }
}

export function addOutcome(thread: AgentThread, { plan: id, outcome }: Outcome): void {
  for (const plan of plansIn(thread, id)) if (!plan.shadow) plan.outcome = outcome;
}

const plansIn = (thread: AgentThread, id: string): LoopPlan[] =>
  thread.stretches.flatMap(({ plans }) => plans.filter((plan) => plan.id === id));

export function totalsOf(thread: AgentThread): ThreadSums {
  if (thread.stale) recount(thread);
  return { ...thread, wasted: withWhole(thread, thread.wasted) };
}

/** The whole run's spending is wasted in proportion to its wasted steps. */
export function withWhole({ whole, steps }: AgentThread, wasted: Waste): Waste {
  const share = wasted.steps / Math.max(1, steps);
  return {
    ...wasted,
    tokens: wasted.tokens + whole.tokens * share,
    usd: wasted.usd + whole.usd * share,
  };
}

export const isFreshLoop = ({ next }: AgentThread, { end }: Pick<LoopAccount, 'end'>): boolean =>
  end >= next - FRESH;
