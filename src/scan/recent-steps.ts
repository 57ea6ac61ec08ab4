import type { AgentEvent } from '../event.ts';
import type { Verdict } from '../guard.ts';
import { whatHappened } from '../report/step-text.ts';
import { inputOf, outputOf } from './excerpt.ts';
import type { StepShown } from './report.ts';

/** A step as long as it may still be asked for. */
export interface RecentStep {
  step: number;
  event: AgentEvent;
  verdict: Verdict;
  at: number | undefined;
}

/** As far back as a loop that is just noticed is shown step by step. */
const MOST = 48;
/** Runs whose last steps are held at once: whole results are large, and a file may hold thousands of runs. */
const MOST_RUNS = 24;

export interface RecentSteps {
  /** A step, or what is known of it by now. */
  add(step: RecentStep): void;
  /** The steps from `start` on that repeat the last one, or, where only the last one is like itself, all of them. */
  repeatsSince(start: number): RecentStep[];
  /** The first step from `start` on that is like the last one. */
  firstSince(start: number): number | undefined;
}

/** The steps of each run, the one that was added to last at the end. */
const held = new Set<RecentStep[]>();

export function createRecentSteps(): RecentSteps {
  const steps: RecentStep[] = [];
  let last: RecentStep | undefined;
  const alikeSince = (start: number): RecentStep[] =>
    steps.filter((step) => step.step >= start && last !== undefined && isAlike(step, last));
  return {
    add(step) {
      held.delete(steps);
      held.add(steps);
      if (held.size > MOST_RUNS) {
        const [oldest] = held;
        oldest!.length = 0;
        held.delete(oldest!);
      }
      last = step;
      const at = steps.findLastIndex((each) => each.step <= step.step);
      if (steps[at]?.step === step.step) steps[at] = step;
      else steps.splice(at + 1, 0, step);
      if (steps.length > MOST) steps.shift();
    },
    repeatsSince(start) {
      const alike = alikeSince(start);
      return alike.length > 1 ? alike : steps.filter(({ step }) => step >= start && last !== undefined && step <= last.step);
    },
    firstSince: (start) => alikeSince(start)[0]?.step,
  };
}

function isAlike(one: RecentStep, other: RecentStep): boolean {
  const a = one.verdict.seen;
  const b = other.verdict.seen;
  if (!a || !b) return false;
  if (!a.call || !b.call) return a.type === b.type && !a.call && !b.call;
  if (a.call.tool !== b.call.tool) return false;
  if (a.call.key === b.call.key || a.call.shape === b.call.shape || (a.call.target !== null && a.call.target === b.call.target))
    return true;
  if (!a.result || !b.result) return false;
  return a.result.error ? a.result.error.class === b.result.error?.class : a.result.known && a.result.digest === b.result.digest;
}

/** A step in words; this is where its texts are redacted. */
export function show({ step, event, verdict, at }: RecentStep): StepShown {
  const said = verdict.seen && whatHappened(verdict.seen);
  return {
    step,
    ...(at === undefined ? {} : { at }),
    what: said?.what ?? verdict.seen?.call?.label ?? event.type,
    brought: said?.brought ?? '',
    input: inputOf(event, verdict.seen?.call?.tool),
    output: outputOf(event),
  };
}
