import type { AgentEvent } from '@unrut/engine/event';
import type { Verdict } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';
import type { StepShown } from '@unrut/ledger/report/scan-report';
import { whatHappened } from '@unrut/ledger/views/what-happened';
import { inputOf, outputOf } from './excerpt.ts';

/** A recent step that may still be shown. */
export interface RecentStep {
  step: number;
  event: AgentEvent;
  verdict: Verdict;
  at: number | undefined;
  /** Its description, once requested. */
  shown?: StepShown;
}

/** Max distance of the steps shown for a newly noticed loop. */
const MAX = 48;
/**
 * Max number of runs whose last steps are held: results are large, and a file may hold thousands of
 * runs.
 */
const MAX_RUNS = 24;
/** Number of first and of last repeats to show. */
const FIRST = 3;
const MAX_REPEATS = 6;
/** Max number of stretches per run whose repeats are shown. */
const MAX_SHOWN = 200;

/** The displayed repeats. Passed along with the account, and never stored. */
export interface Repeats {
  /** A step has ended. */
  add(step: RecentStep): void;
  /**
   * Called if the last step belongs to these stretches: selects the steps like it since their
   * start.
   */
  show(stretches: readonly { id: number; start: number }[]): void;
  /** The displayed repeats of stretches that form one loop, the main one first. */
  of(stretches: readonly number[]): StepShown[];
}

/** The steps of each run, the most recently extended last. */
const held = new Set<RecentStep[]>();

export function createRepeats(): Repeats {
  const steps: RecentStep[] = [];
  const shown = new Map<number, StepShown[]>();

  /** The steps from `start` that are like the last one; all of them if there are none. */
  function repeatsSince(start: number): RecentStep[] {
    const last = steps.at(-1);
    const inside = steps.filter(({ step }) => step >= start);
    const alike = inside.filter((step) => last !== undefined && isAlike(step, last));
    return alike.length > 1 ? alike : inside;
  }

  return {
    add(step) {
      held.delete(steps);
      held.add(steps);
      if (held.size > MAX_RUNS) {
        const [oldest] = held;
        oldest!.length = 0;
        held.delete(oldest!);
      }
      steps.push(step);
      if (steps.length > MAX) steps.shift();
    },
    show(stretches) {
      const last = steps.at(-1);
      for (const { id, start } of stretches) {
        const known = shown.get(id);
        if (known && last) append(known, last);
        else if (!known && shown.size < MAX_SHOWN) {
          const inside = repeatsSince(start);
          shown.set(id, joined([], firstAndLast(inside).map(inWords)));
        }
      }
    },
    of: ([main, ...others]) =>
      others.reduce(
        (all, id) => (all.length < 2 ? joined(all, shown.get(id) ?? []) : all),
        shown.get(main ?? -1) ?? [],
      ),
  };
}

/** Selects the repeats to show. */
export const firstAndLast = <Each>(repeats: readonly Each[]): Each[] => [
  ...repeats.slice(0, FIRST),
  ...repeats.slice(FIRST).slice(FIRST - MAX_REPEATS),
];

/** The description of a step, cached. */
function inWords(step: RecentStep): StepShown {
  step.shown ??= shownStep(step);
  return step.shown;
}

/** Adds the last step, and drops a middle one if there are many. */
function append(known: StepShown[], step: RecentStep): void {
  if (known.at(-1)?.step === step.step) return;
  known.push(inWords(step));
  if (known.length > MAX_REPEATS) known.splice(FIRST, 1);
}

/** Merges both in the order of steps, and drops middle ones. */
function joined(known: readonly StepShown[], more: readonly StepShown[]): StepShown[] {
  const steps = [
    ...known,
    ...more.filter(({ step }) => known.every((each) => each.step !== step)),
  ].sort((one, other) => one.step - other.step);
  if (steps.length > MAX_REPEATS) steps.splice(FIRST, steps.length - MAX_REPEATS);
  return steps;
}

function isAlike(one: RecentStep, other: RecentStep): boolean {
  const a = one.verdict.seen;
  const b = other.verdict.seen;
  if (!a || !b) return false;
  if (!a.call || !b.call) return a.type === b.type && !a.call && !b.call;
  if (a.call.tool !== b.call.tool) return false;
  if (
    a.call.key === b.call.key ||
    a.call.shape === b.call.shape ||
    (a.call.target !== null && a.call.target === b.call.target)
  )
    return true;
  if (!a.result || !b.result) return false;
  return a.result.error
    ? a.result.error.class === b.result.error?.class
    : a.result.known && a.result.digest === b.result.digest;
}

/** A step's description; its texts are redacted here. */
function shownStep({ step, event, verdict, at }: RecentStep): StepShown {
  const said = verdict.seen && whatHappened(verdict.seen);
  return {
    step,
    ...present({ at }),
    what: said?.what ?? verdict.seen?.call?.label ?? event.type,
    brought: said?.brought ?? '',
    input: inputOf(event, verdict.seen?.call?.tool),
    output: outputOf(event),
  };
}
