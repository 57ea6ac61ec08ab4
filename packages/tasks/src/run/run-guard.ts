import type { GuardOptions } from '@unrut/engine/guard';
import { recommended } from '@unrut/engine/presets';
import type { RunState } from './run-state.ts';

/** The detectors of a guard with their options in force, as a run keeps them to be explained. */
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
 * The guard of a run: outputs are all that it is shown. A threshold that was given for the run
 * beats the settings of the detectors; else they hold.
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

/** The guard of a roadmap, as `explain` replays it: the number of attempts is that of the run. */
export const roadmapGuard = (guard: GuardOptions, maxAttempts: number): GuardOptions => ({
  ...guard,
  options: {
    ...guard.options,
    'task-loop': { ...guard.options?.['task-loop'], threshold: maxAttempts },
  },
});
