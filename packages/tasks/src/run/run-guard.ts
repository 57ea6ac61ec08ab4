import type { GuardOptions } from '@unrut/engine/guard';
import { recommended } from '@unrut/engine/presets';
import type { RunState } from './run-state.ts';

/**
 * A guard's detectors with their options, stored with the run so that it can be explained later.
 */
export const detectorsOf = ({
  preset = recommended,
  options = {},
}: GuardOptions): NonNullable<RunState['detectors']> =>
  structuredClone(
    Object.fromEntries(
      preset.detectors.map(({ name, options: own }) => [
        name,
        { ...own, ...(options as Record<string, object>)[name] },
      ]),
    ),
  ) as NonNullable<RunState['detectors']>;

/**
 * The guard of a run. It sees only outputs. A threshold given for the run overrides the detectors'
 * settings.
 */
export function runGuard(guard: GuardOptions, loopThreshold: number | undefined): GuardOptions {
  const can = ['note', 'hint', 'escalate', 'stop'] as const;
  if (loopThreshold === undefined) return { ...guard, can };
  const names = new Set((guard.preset ?? recommended).detectors.map(({ name }) => name));
  const given: Record<string, object> = {
    'output-signature': { threshold: loopThreshold },
    'similar-output': { matches: loopThreshold - 1 },
    'nothing-changed': { threshold: loopThreshold, talk: loopThreshold + 2 },
  };
  const ours = Object.entries(given).filter(([name]) => names.has(name));
  const options = Object.fromEntries(
    ours.map(([name, each]) => [name, { ...guard.options?.[name], ...each }]),
  );
  return { ...guard, options: { ...guard.options, ...options }, can };
}

/** The guard of a roadmap for `explain`, with the run's number of attempts. */
export const roadmapGuard = (guard: GuardOptions, maxAttempts: number): GuardOptions => ({
  ...guard,
  options: {
    ...guard.options,
    'task-loop': { ...guard.options?.['task-loop'], threshold: maxAttempts },
  },
});
