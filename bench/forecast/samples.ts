import { createGuard } from '../../src/guard.ts';
import type { Imported } from '../../src/importers/source.ts';
import type { Truth } from '../quality/run.ts';
import { readFeatures, startPast } from './features.ts';

/** What is known of one step when it is over. */
export interface Step {
  step: number;
  features: number[];
}

/** The steps of a run at which something was said or done, each with what its fingerprints alone tell. */
export function stepsOf(events: readonly Imported[]): Step[] {
  const guard = createGuard();
  const past = startPast();
  const steps = new Map<number, Step>();
  for (const { step, event } of events) {
    const { seen } = guard.observe(event);
    const features = seen && readFeatures(past, seen);
    if (features) steps.set(step, { step, features });
  }
  return [...steps.values()];
}

/**
 * Whether a step lies in a marked loop, from just before a person would step in; null where readers do not agree or marked no steps.
 * Daily work counts as not stuck.
 */
export function isStuck(truth: Truth, step: number): boolean | null {
  if (truth.kind !== 'spans') return truth.kind === 'unlabelled' ? false : null;
  if (truth.loops.some(({ stuckAt, end }) => step >= stuckAt - 1 && step <= end)) return true;
  return truth.borderline.some(({ start, end }) => step >= start && step <= end) ? null : false;
}
