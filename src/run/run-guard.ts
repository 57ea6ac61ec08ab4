import type { GuardOptions } from '../guard.ts';
import { recommended } from '../presets.ts';

/** The guard of a run: outputs are all that it is shown, and the threshold of the run counts for both detectors of them. */
export function runGuard(guard: GuardOptions, loopThreshold: number): GuardOptions {
  const names = new Set((guard.preset ?? recommended).detectors.map(({ name }) => name));
  const given: Record<string, object> = {
    'output-signature': { threshold: loopThreshold },
    'similar-output': { matches: loopThreshold - 1 },
  };
  const ours = Object.entries(given).filter(([name]) => names.has(name));
  const options = Object.fromEntries(ours.map(([name, each]) => [name, { ...guard.options?.[name], ...each }]));
  return { ...guard, options: { ...guard.options, ...options }, can: ['note', 'hint', 'escalate', 'stop'] };
}
