import { RUNGS, type Rung } from '../event.ts';
import type { Plan } from '../policy/plan.ts';
import type { Signal } from '../signal.ts';
import { type RecentStep, show } from './recent-steps.ts';
import type { Loop, StepShown } from './report.ts';

const MOST_PLANS = 12;
/** After more steps without a signal it is another stretch: the longest lap that is looked for. */
const LONGEST_PAUSE = 8;
/** Of the repeats the first and the last ones are shown. */
const FIRST = 3;
const MOST_REPEATS = 6;
/** Loops of one run whose repeats are shown: a reader will not look at more. */
const MOST_SHOWN = 200;

/** A loop while it is being put together: one streak of one detector. */
interface Growing extends Loop {
  streak: string;
}

export interface Loops {
  /** A signal at a step of the source. `startAfter` tells the first of the repeated steps after a step, -1 for the first of all. */
  signal(signal: Signal, step: number, startAfter: (step: number) => number, light: boolean): void;
  /** A plan at a step of the source. */
  plan(plan: Plan, step: number): void;
  /** Steps to show of a streak: all of them where none is shown yet, else the last. */
  repeats(streak: string, steps: readonly RecentStep[]): void;
  /** All loops, those that are one stretch seen by several detectors put together, in order of their start. */
  take(): Loop[];
}

const higher = (one: Rung, other: Rung): Rung => (RUNGS.indexOf(one) >= RUNGS.indexOf(other) ? one : other);

/** Puts signals together into stretches that go in circles. */
export function createLoops(): Loops {
  const loops: Growing[] = [];
  const latest = new Map<string, Growing>();
  const byStreak = new Map<string, Growing>();
  return {
    signal({ detector, variant, streak, rung, count, strength, text }, step, startAfter, light) {
      const key = `${streak} ${detector}`;
      const known = latest.get(key);
      if (known) byStreak.set(streak, known);
      const pause = known ? step - known.end : 0;
      const start = startAfter(known && pause > LONGEST_PAUSE ? known.end : -1);
      if (!known || pause > LONGEST_PAUSE || start > known.end) {
        const begun = { streak, detector, variant, also: [], light, start, firedAt: step, end: step, rung, count, strength, text };
        const loop: Growing = { ...begun, wastedSteps: 0, plans: [], repeats: [] };
        latest.set(key, loop);
        byStreak.set(streak, loop);
        loops.push(loop);
        return;
      }
      known.rung = higher(known.rung, rung);
      known.light &&= light;
      Object.assign(known, {
        end: Math.max(known.end, step),
        count: Math.max(known.count, count),
        strength: Math.max(known.strength, strength),
        text,
        variant,
      });
    },
    plan({ streak, rung, recovery, toModel, toHuman }, step) {
      const loop = byStreak.get(streak);
      if (loop && loop.plans.length < MOST_PLANS) loop.plans.push({ step, rung, recovery, toModel, toHuman });
    },
    repeats(streak, steps) {
      const loop = byStreak.get(streak);
      if (!loop || loops.length > MOST_SHOWN) return;
      const wanted =
        loop.repeats.length > 0 ? steps.slice(-1) : [...steps.slice(0, FIRST), ...steps.slice(FIRST).slice(FIRST - MOST_REPEATS)];
      addRepeats(loop.repeats, wanted.map(show));
    },
    take() {
      return merge(loops.map(({ streak: _, ...loop }) => loop)).map((loop) => ({
        ...loop,
        wastedSteps: loop.end - loop.start + 1 - lapOf(loop),
        repeats: loop.repeats.filter(({ step }) => step >= loop.start),
      }));
    },
  };
}

/** Steps of the first lap. */
export const lapOf = ({ start, end, count }: Pick<Loop, 'start' | 'end' | 'count'>): number =>
  Math.max(1, Math.round((end - start + 1) / Math.max(1, count)));

function addRepeats(repeats: StepShown[], shown: readonly StepShown[]): void {
  for (const step of shown) if (repeats.every((known) => known.step !== step.step)) repeats.push(step);
  repeats.sort((one, other) => one.step - other.step);
  if (repeats.length > MOST_REPEATS) repeats.splice(FIRST, repeats.length - MOST_REPEATS);
}

/** Stretches that lie for half of the shorter one over each other are the same loop. */
function merge(loops: readonly Loop[]): Loop[] {
  const merged: Loop[] = [];
  for (const loop of [...loops].sort((one, other) => one.start - other.start || other.end - one.end)) {
    const into = merged.findLast((each) => isOneWith(each, loop));
    if (into) Object.assign(into, together(into, loop));
    else merged.push({ ...loop });
  }
  return merged;
}

function isOneWith(one: Loop, other: Loop): boolean {
  const shared = Math.min(one.end, other.end) - Math.max(one.start, other.start) + 1;
  return shared * 2 >= Math.min(one.end - one.start, other.end - other.start) + 1;
}

function together(one: Loop, other: Loop): Loop {
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
    plans: [...one.plans, ...other.plans].sort((a, b) => a.step - b.step).slice(0, MOST_PLANS),
    repeats,
  };
}

/** A real loop before a note, then the surer one, then the one that was noticed first. */
function isSurer(one: Loop, other: Loop): boolean {
  if (one.light !== other.light) return other.light;
  return one.strength !== other.strength ? one.strength > other.strength : one.firedAt <= other.firedAt;
}
