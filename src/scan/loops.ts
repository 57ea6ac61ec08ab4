import { RUNGS, type Rung } from '../event.ts';
import type { Plan } from '../policy/plan.ts';
import type { Signal } from '../signal.ts';
import { type RecentStep, show } from './recent-steps.ts';
import type { Loop, PlanAt, StepShown } from './report.ts';

const MOST_PLANS = 12;
/** After more steps without a signal it is another stretch: the longest lap that is looked for. */
const LONGEST_PAUSE = 8;
/** Of the repeats the first and the last ones are shown. */
const FIRST = 3;
const MOST_REPEATS = 6;
/** Loops of one run whose repeats are shown: a reader will not look at more. */
const MOST_SHOWN = 200;

/** A loop before its costs are known, with the steps of its first lap. */
export type Found = Omit<Loop, 'wastedSteps'> & { lap: number };

/** A loop while it is being put together: one streak of one detector. Plans keep the order in which they were made. */
interface Growing extends Omit<Found, 'lap' | 'plans'> {
  plans: (PlanAt & { order: number })[];
}

export interface Loops {
  /** A signal at a step. `startAfter` tells the first of the repeated steps after a step, -1 for the first of all. */
  signal(signal: Signal, step: number, startAfter: (step: number) => number, light: boolean): void;
  /** A plan at a step. */
  plan(plan: Plan, step: number): void;
  /** Steps that repeat, of a streak that was just seen. */
  repeats(streak: string, steps: readonly RecentStep[]): void;
  /** All loops, those that are one stretch seen by several detectors put together, in order of their start. */
  take(): Found[];
}

const higher = (one: Rung, other: Rung): Rung => (RUNGS.indexOf(one) >= RUNGS.indexOf(other) ? one : other);

/** Puts signals together into stretches that go in circles. */
export function createLoops(): Loops {
  const loops: Growing[] = [];
  /** The latest stretch of each streak, by detector. */
  const latest = new Map<string, Map<string, Growing>>();
  let order = 0;
  return {
    signal({ detector, variant, streak, rung, count, strength, text }, step, startAfter, light) {
      const seenBy = latest.get(streak) ?? new Map<string, Growing>();
      latest.set(streak, seenBy);
      const known = seenBy.get(detector);
      const pause = known ? step - known.end : 0;
      const start = startAfter(known && pause > LONGEST_PAUSE ? known.end : -1);
      if (!known || pause > LONGEST_PAUSE || start > known.end) {
        const begun = { detector, variant, also: [], light, start, firedAt: step, end: step, rung, count, strength, text };
        const loop: Growing = { ...begun, plans: [], repeats: [] };
        seenBy.set(detector, loop);
        loops.push(loop);
        return;
      }
      known.rung = higher(known.rung, rung);
      known.light &&= light;
      known.end = Math.max(known.end, step);
      known.strength = Math.max(known.strength, strength);
      // The words of the moment at which most had been counted.
      if (count >= known.count) Object.assign(known, { count, text, variant });
    },
    plan({ streak, rung, recovery, toModel, toHuman }, step) {
      const loop = [...(latest.get(streak)?.values() ?? [])].at(-1);
      if (loop && loop.plans.length < MOST_PLANS) loop.plans.push({ step, rung, recovery, toModel, toHuman, order: order++ });
    },
    repeats(streak, steps) {
      const last = steps.at(-1);
      if (!last || loops.length > MOST_SHOWN) return;
      const shown = new Map<number, StepShown>();
      const showOnce = (step: RecentStep): StepShown => {
        const known = shown.get(step.step) ?? show(step);
        shown.set(step.step, known);
        return known;
      };
      for (const loop of latest.get(streak)?.values() ?? []) {
        if (loop.end !== last.step) continue;
        const inside = steps.filter(({ step }) => step >= loop.start);
        const wanted = loop.repeats.length > 0 ? [last] : [...inside.slice(0, FIRST), ...inside.slice(FIRST).slice(FIRST - MOST_REPEATS)];
        addRepeats(loop.repeats, wanted.map(showOnce));
      }
    },
    take: () =>
      merge(loops.map((loop) => ({ ...loop, lap: lapOf(loop) }))).map(({ plans, ...loop }) => ({ ...loop, plans: inOrder(plans) })),
  };
}

const inOrder = (plans: readonly (PlanAt & { order: number })[]): PlanAt[] =>
  [...plans]
    .sort((one, other) => one.order - other.order)
    .slice(0, MOST_PLANS)
    .map(({ order: _, ...plan }) => plan);

/** Steps of the first lap. */
const lapOf = ({ start, end, count }: Growing): number => Math.max(1, Math.round((end - start + 1) / Math.max(1, count)));

function addRepeats(repeats: StepShown[], shown: readonly StepShown[]): void {
  for (const step of shown) if (repeats.every((known) => known.step !== step.step)) repeats.push(step);
  repeats.sort((one, other) => one.step - other.step);
  if (repeats.length > MOST_REPEATS) repeats.splice(FIRST, repeats.length - MOST_REPEATS);
}

type Measured = Growing & { lap: number };

/** Stretches that lie for half of the shorter one over each other are the same loop. */
function merge(loops: readonly Measured[]): Measured[] {
  const merged: Measured[] = [];
  for (const loop of [...loops].sort((one, other) => one.start - other.start || other.end - one.end)) {
    const into = merged.findLast((each) => isOneWith(each, loop));
    if (into) Object.assign(into, together(into, loop));
    else merged.push({ ...loop });
  }
  return merged;
}

function isOneWith(one: Measured, other: Measured): boolean {
  const shared = Math.min(one.end, other.end) - Math.max(one.start, other.start) + 1;
  return shared * 2 >= Math.min(one.end - one.start, other.end - other.start) + 1;
}

function together(one: Measured, other: Measured): Measured {
  const main = isSurer(one, other) ? one : other;
  const repeats = [...main.repeats];
  if (repeats.length < 2) addRepeats(repeats, main === one ? other.repeats : one.repeats);
  const firedAt = Math.min(one.firedAt, other.firedAt);
  const names = new Set([one.detector, other.detector, ...one.also, ...other.also]);
  names.delete(main.detector);
  return {
    ...main,
    also: [...names],
    light: one.light && other.light,
    // The words of the surer one tell where it began, unless another had noticed by then.
    start: firedAt < main.start ? Math.min(one.start, other.start) : main.start,
    firedAt,
    end: Math.max(one.end, other.end),
    rung: higher(one.rung, other.rung),
    plans: [...one.plans, ...other.plans],
    repeats,
  };
}

/** A real loop before a note, then the surer one, then the one that was noticed first. */
function isSurer(one: Measured, other: Measured): boolean {
  if (one.light !== other.light) return other.light;
  return one.strength !== other.strength ? one.strength > other.strength : one.firedAt <= other.firedAt;
}
