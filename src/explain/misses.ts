import type { Loop } from '../scan/report.ts';
import { because } from './because.ts';
import { differenceOf } from './differences.ts';
import { neighbours } from './equal-steps.ts';
import { findWith } from './find-with.ts';
import type { Followed } from './follow.ts';
import { type Repetition, repetitions } from './repetitions.ts';
import type { MissExplained } from './report.ts';
import { stepBrought } from './step-brought.ts';
import type { Workshop } from './workshop.ts';

const MOST = 8;
const SHOWN_STEPS = 4;

/** Stretches with repetition that nobody called a loop, the nearest to one first: why not, and what would have found them. */
export function misses(followed: Followed, workshop: Workshop): { misses: MissExplained[]; leftOut: number } {
  const { loops } = followed.trajectory;
  const found = distinct(repetitions(followed, workshop.voiced).filter((each) => !isFound(each, loops)));
  return {
    misses: found.slice(0, MOST).map((each) => explain(each, followed, workshop)),
    leftOut: Math.max(0, found.length - MOST),
  };
}

/** Most of it lies in loops that were found. */
const isFound = ({ steps }: Repetition, loops: readonly Loop[]): boolean =>
  steps.filter(({ step }) => loops.some(({ start, end }) => step >= start && step <= end)).length * 2 >= steps.length;

/** Repeats that brought nothing. */
const inVain = ({ steps }: Repetition): number => steps.slice(1).filter(({ seen }) => !seen.progress).length;

/** Those with most repeats in vain first, then the longest; what mostly lies over an earlier one is the same stretch seen otherwise. */
function distinct(found: readonly Repetition[]): Repetition[] {
  const kept: Repetition[] = [];
  for (const each of [...found].sort((one, other) => inVain(other) - inVain(one) || other.steps.length - one.steps.length)) {
    const isKnown = kept.some(({ steps }) => {
      const [start, end] = [steps[0]!.step, steps.at(-1)!.step];
      return each.steps.filter(({ step }) => step >= start && step <= end).length * 2 >= each.steps.length;
    });
    if (!isKnown) kept.push(each);
  }
  return kept;
}

function explain(repetition: Repetition, followed: Followed, workshop: Workshop): MissExplained {
  const { kind, what, steps } = repetition;
  const [start, end] = [steps[0]!.step, steps.at(-1)!.step];
  const settings = findWith(repetition, workshop);
  const pairs = neighbours(steps);
  // The pair that tells most: the first whose results are not the same.
  const telling = pairs.find(([one, other]) => one.seen.result?.digest !== other.seen.result?.digest) ?? pairs[0];
  return {
    kind,
    what,
    start,
    end,
    repeats: steps.map(({ step }) => step),
    steps: [...steps.slice(0, SHOWN_STEPS / 2), ...steps.slice(SHOWN_STEPS / 2).slice(-SHOWN_STEPS / 2)].map(stepBrought),
    because: because(repetition, followed, workshop, settings),
    differs: telling ? differenceOf(...telling) : null,
    settings,
  };
}
