import type { AgentEvent } from '@unrut/engine/event';
import type { Verdict } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';
import type { StepShown } from '@unrut/ledger/report/scan-report';
import { whatHappened } from '@unrut/ledger/views/what-happened';
import { inputOf, outputOf } from './excerpt.ts';

/** A step as long as it may still be asked for. */
export interface RecentStep {
  step: number;
  event: AgentEvent;
  verdict: Verdict;
  at: number | undefined;
  /** In words, once they were asked for. */
  shown?: StepShown;
}

/** As far back as a loop that is just noticed is shown step by step. */
const MAX = 48;
/**
 * Runs whose last steps are held at once: whole results are large, and a file may hold thousands of
 * runs.
 */
const MAX_RUNS = 24;
/** Of the repeats the first and the last ones are shown. */
const FIRST = 3;
const MAX_REPEATS = 6;
/** Stretches of one run whose repeats are shown. */
const MAX_SHOWN = 200;

/**
 * The repeated steps that a reader sees. Passed along with the account, and never stored.
 */
export interface Repeats {
  /** A step has ended. */
  add(step: RecentStep): void;
  /** The last step belongs to these stretches: shows those since their start that are like it. */
  show(stretches: readonly { id: number; start: number }[]): void;
  /** What is shown of stretches that are one loop, the main one first. */
  of(stretches: readonly number[]): StepShown[];
}

/** The steps of each run, the one that was added to last at the end. */
const held = new Set<RecentStep[]>();

export function createRepeats(): Repeats {
  const steps: RecentStep[] = [];
  const shown = new Map<number, StepShown[]>();

  /** The steps from `start` on that are like the last one, or, where none is, all of them. */
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

/** Of many repeats, those that are shown. */
export const firstAndLast = <Each>(repeats: readonly Each[]): Each[] => [
  ...repeats.slice(0, FIRST),
  ...repeats.slice(FIRST).slice(FIRST - MAX_REPEATS),
];

/** The step in words, which are made once. */
function inWords(step: RecentStep): StepShown {
  step.shown ??= shownStep(step);
  return step.shown;
}

/** Adds the step that has just ended, and leaves out a middle one where there are many. */
function append(known: StepShown[], step: RecentStep): void {
  if (known.at(-1)?.step === step.step) return;
  known.push(inWords(step));
  if (known.length > MAX_REPEATS) known.splice(FIRST, 1);
}

/** Both in order of their steps, the middle ones left out. */
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

/** A step in words; this is where its texts are redacted. */
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
