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

export interface RecentSteps {
  add(step: RecentStep): void;
  /** The steps from `start` on that repeat the last one, or, where only the last one is like itself, all of them. */
  repeatsSince(start: number): RecentStep[];
  /** The first step from `start` on that is like the last one. */
  firstSince(start: number): number | undefined;
}

export function createRecentSteps(): RecentSteps {
  const steps: RecentStep[] = [];
  const alikeSince = (start: number): RecentStep[] => {
    const last = steps.at(-1);
    return steps.filter((step) => step.step >= start && last !== undefined && isAlike(step, last));
  };
  return {
    add(step) {
      const last = steps.at(-1);
      if (last?.step === step.step) steps.pop();
      steps.push(step);
      if (steps.length > MOST) steps.shift();
    },
    repeatsSince(start) {
      const alike = alikeSince(start);
      return alike.length > 1 ? alike : steps.filter(({ step }) => step >= start);
    },
    firstSince: (start) => alikeSince(start)[0]?.step,
  };
}

function isAlike(one: RecentStep, other: RecentStep): boolean {
  const a = one.verdict.seen;
  const b = other.verdict.seen;
  if (!a || !b) return false;
  if (a.call && b.call) {
    const sameError = a.result?.error != null && a.result.error.class === b.result?.error?.class;
    const sameCall = a.call.key === b.call.key || a.call.shape === b.call.shape || a.call.target === b.call.target;
    return a.call.tool === b.call.tool && (sameCall || sameError || a.result?.digest === b.result?.digest);
  }
  return a.type === b.type && a.call === b.call;
}

/** A step in words; this is where its texts are redacted. */
export function show({ step, event, verdict, at }: RecentStep): StepShown {
  const said = verdict.seen && whatHappened(verdict.seen);
  return {
    step,
    ...(at === undefined ? {} : { at }),
    what: said?.what ?? event.type,
    brought: said?.brought ?? '',
    input: inputOf(event, verdict.seen?.call?.tool),
    output: outputOf(event),
  };
}
