import type { RecordedPlan } from '@unrut/engine/account/entry';
import { isRecordedStep } from '@unrut/engine/account/entry';
import type { Rung } from '@unrut/engine/event';
import { present } from '@unrut/engine/json';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import type { Fault, Signal } from '@unrut/engine/signal';
import { withinRange } from '../figures/session-figures.ts';
import type { LedgerEntry } from '../ledger.ts';
import { asRecorded, isProposal, type RecordedEvent } from '../reports/recorded-entry.ts';
import { type RunEvent, wordsOf } from './timeline-words.ts';

/** The meaning of each timeline character. */
export const TIMELINE = {
  u: 'a user message',
  m: 'a message',
  n: 'a call that made progress',
  '-': 'a call with nothing new',
  e: 'a call that failed',
  w: 'a wait or a poll',
  b: 'a call that Unrut blocked',
  '?': 'a call with an unknown result',
} as const;

/** A plan, and whether it was performed. */
export interface PlanShown extends RecordedPlan {
  /** The adapter's report: the performed rung, or that it failed. Undefined without a report. */
  performed?: { rung: Rung; failed: boolean };
  /** Its final outcome, if known. */
  outcome?: Outcome['outcome'];
}

/** A moment of a session: a step, or something else, such as a message of the user. */
export interface Moment {
  /** The step's number; undefined for other moments. */
  step?: number;
  /** The nested agent that it belongs to. */
  agent?: string;
  at: number;
  tool?: string;
  /** Tool and target, or the speaker; empty if not recorded. */
  what: string;
  /** Its result, in words. */
  brought: string;
  /** Its outcome, as a letter of `TIMELINE`. */
  letter: keyof typeof TIMELINE;
  /** Its cost, if the host reports it. */
  tokens?: number;
  usd?: number;
  /** How much of its result was new to the session, 0 to 1. Undefined if unknown. */
  novelty?: number;
  /** The call returned the same as the last time. */
  same?: true;
  signals: Signal[];
  plans: PlanShown[];
  outcomes: Outcome[];
  faults: Fault[];
}

/** A session's moments, put together entry by entry. */
export interface Timeline {
  /** Adds an entry; entries come oldest first, or in the order of recording. */
  add(entry: LedgerEntry): void;
  /** Oldest first. A returned list does not change when moments are added. */
  moments(): Moment[];
}

/** The history of a session as moments. Signals and plans about a step belong to its moment. */
export function timelineOf(entries: readonly LedgerEntry[]): Moment[] {
  const timeline = createTimeline();
  for (const entry of entries) timeline.add(entry);
  return timeline.moments();
}

/** Begins a timeline. */
export function createTimeline(): Timeline {
  const moments: Moment[] = [];
  const steps = new Map<string, Moment>();
  const plans = new Map<string, PlanShown>();

  function begin({ agent, at }: LedgerEntry, step?: number): Moment {
    const moment: Moment = {
      ...present({ step }),
      at,
      what: '',
      brought: '',
      letter: '?',
      signals: [],
      plans: [],
      outcomes: [],
      faults: [],
    };
    if (agent !== undefined) moment.agent = agent;
    moments.push(moment);
    return moment;
  }

  function stepOf(entry: LedgerEntry): Moment {
    const key = withinRange(entry, String(entry.step));
    const moment = steps.get(key) ?? begin(entry, entry.step);
    steps.set(key, moment);
    return moment;
  }

  function addEvent(entry: LedgerEntry, event: RunEvent): void {
    if (event.type === 'plan-performed' && event.recovery === undefined) {
      const plan = plans.get(withinRange(entry, event.plan ?? ''));
      if (plan && event.rung) plan.performed = { rung: event.rung, failed: event.failed ?? false };
    } else if (isRecordedStep(event)) Object.assign(stepOf(entry), withTool(event));
    else if (isProposal(event)) {
      const moment = stepOf(entry);
      if (moment.what === '') Object.assign(moment, withTool(event));
    } else {
      const words = wordsOf(event);
      if (words.what !== '') Object.assign(begin(entry), words, { letter: letterOf(event) });
    }
    if (event.cost)
      addCost(steps.get(withinRange(entry, String(entry.step))) ?? moments.at(-1), event.cost);
  }

  return {
    add(given) {
      const entry = asRecorded(given);
      if (entry.kind === 'event') addEvent(given, entry.data);
      else if (entry.kind === 'signal') stepOf(given).signals.push(entry.data);
      else if (entry.kind === 'fault') stepOf(given).faults.push(entry.data);
      else if (entry.kind === 'plan') {
        const plan: PlanShown = { ...entry.data };
        plans.set(withinRange(entry, plan.id), plan);
        stepOf(given).plans.push(plan);
      } else {
        stepOf(given).outcomes.push(entry.data);
        const plan = plans.get(withinRange(entry, entry.data.plan));
        if (plan) plan.outcome = entry.data.outcome;
      }
    },
    moments: () => withoutEmpty([...moments].sort((one, other) => one.at - other.at)),
  };
}

function addCost(
  moment: Moment | undefined,
  { tokens, usd }: NonNullable<RecordedEvent['cost']>,
): void {
  if (!moment) return;
  if (tokens !== undefined) moment.tokens = (moment.tokens ?? 0) + tokens;
  if (usd !== undefined) moment.usd = (moment.usd ?? 0) + usd;
}

/**
 * Signals and plans about a missing step, as when the run ends before it, are moved to the previous
 * moment, of the same agent if it has one.
 */
function withoutEmpty(moments: readonly Moment[]): Moment[] {
  const kept: Moment[] = [];
  for (const moment of moments) {
    const before = kept.findLast(({ agent }) => agent === moment.agent) ?? kept.at(-1);
    if (moment.what !== '' || before === undefined) {
      kept.push({ ...moment });
      continue;
    }
    before.signals = [...before.signals, ...moment.signals];
    before.plans = [...before.plans, ...moment.plans];
    before.outcomes = [...before.outcomes, ...moment.outcomes];
    before.faults = [...before.faults, ...moment.faults];
  }
  return kept;
}

const withTool = (
  event: RunEvent,
): Pick<Moment, 'tool' | 'what' | 'brought' | 'letter' | 'novelty' | 'same'> => ({
  ...(event.tool === undefined ? {} : { tool: event.tool }),
  ...wordsOf(event),
  letter: letterOf(event),
  ...newsOf(event),
});

/** A call that was only proposed, or blocked, has no result. */
function newsOf({ seen }: RunEvent): Pick<Moment, 'novelty' | 'same'> {
  const { result } = seen ?? {};
  if (!result?.known || seen?.neutral === 'own') return {};
  const isSame = (result.sameInARow ?? result.run ?? 1) > 1;
  return { novelty: result.novelty, ...(isSame ? { same: true } : {}) };
}

/** The timeline letter of an event. */
export function letterOf({ type, seen, turn }: RunEvent): Moment['letter'] {
  if (type === 'user-spoke') return turn === undefined ? 'u' : '?';
  if (type === 'text-added' || type === 'output-finished') return 'm';
  if (seen?.neutral === 'wait' || seen?.neutral === 'poll' || type === 'idle') return 'w';
  if (seen?.neutral === 'own') return 'b';
  if (seen?.result?.error) return 'e';
  if (seen?.progress || seen?.neutral === 'reread') return 'n';
  return seen?.result?.known ? '-' : '?';
}

/**
 * The numbers of moments as users see them: steps; in runs the iterations, or the attempts from 1
 * on, as in `unrut explain`.
 */
export function numbersOf(moments: readonly Moment[]): (number | undefined)[] {
  let attempts = 0;
  return moments.map(({ step, tool, what }) => {
    if (step === undefined || tool !== undefined) return step;
    const iteration = /^iteration (\d+)$/.exec(what)?.[1];
    if (iteration !== undefined) return Number(iteration);
    return what.startsWith('task ') ? ++attempts : step;
  });
}
