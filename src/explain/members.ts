import type { Loop } from '../scan/report.ts';
import { sharedWords } from './equal-steps.ts';
import type { Followed, Raised, Step } from './follow.ts';

const ALIKE = 0.2;

/** What a stretch is: the steps of a loop, or of one all but found. */
export type Stretch = Pick<Loop, 'start' | 'end'>;

/** Signals that were raised in a stretch by the detectors that a loop is of. */
export const signalsOf = ({ signals }: Followed, loop: Loop): Raised[] =>
  signals.filter(({ step, signal }) => step >= loop.start && step <= loop.end && [loop.detector, ...loop.also].includes(signal.detector));

/** The steps of a loop that repeat: those which bear one of the fingerprints that the evidence names. */
export function membersOf(followed: Followed, loop: Loop): Step[] {
  const raised = signalsOf(followed, loop);
  const main = raised.filter(({ signal }) => signal.detector === loop.detector);
  const keys = new Set(main.flatMap(({ signal }) => signal.evidence.keys));
  const targets = new Set(main.flatMap(({ signal }) => signal.evidence.target ?? []));
  const inside = followed.steps.filter(({ step }) => step >= loop.start && step <= loop.end);
  const named = inside.filter((step) => marksOf(step).some((mark) => keys.has(mark)));
  if (named.length > 1) return named;
  const onTarget = inside.filter(({ seen: { call } }) => call?.target && targets.has(call.target) && call.verb === 'write');
  if (onTarget.length > 1) return onTarget;
  const thoughts = main.some(({ byThought }) => byThought) ? inside.flatMap(({ thought }) => thought ?? []) : [];
  if (thoughts.length > 1) return likeLast(thoughts, main);
  return likeLast(inside, main);
}

/** The steps that are like the last at which something was raised; all of them when none is. */
export function likeLast(steps: readonly Step[], raised: readonly { step: number }[]): Step[] {
  const last = steps.findLast((step) => raised.some((each) => each.step === step.step));
  const alike = steps.filter((step) => last && isAlike(step, last));
  return alike.length > 1 ? alike : [...steps];
}

/** Messages that share a fifth of their words; else steps of one kind. */
function isAlike(one: Step, other: Step): boolean {
  if (one.event.type !== other.event.type) return false;
  const share = sharedWords(one, other);
  return share === null || share >= ALIKE;
}

/** The names under which evidence may speak of a step. */
function marksOf({ seen: { call, result, output, task } }: Step): string[] {
  return [call?.key, result?.error && `error:${result.error.class}`, output?.key, task?.key].filter((mark) => typeof mark === 'string');
}
