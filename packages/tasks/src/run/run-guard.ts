import type { GuardOptions } from '@unrut/engine/guard';
import { recommended } from '@unrut/engine/presets';

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
