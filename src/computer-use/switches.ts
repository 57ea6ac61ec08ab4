import { UnrutError } from '../errors.ts';

/** What can be switched off, for an ablation: gates, rules of the recovery policy, and what watches. */
export const SWITCHES = [
  'done-gate',
  'force-fill',
  'force-submit',
  'director',
  'top-click-guard',
  'loop-recovery',
  'type-pending-value',
  'press-return-for-submit',
  'tab-to-next-field',
  'adaptive-window',
  'perceptual-diff',
  'nudge',
] as const;

export type Switch = (typeof SWITCHES)[number];

/** `UNRUT_LOOP_RECOVERY` for `loop-recovery`. */
export const variableOf = (name: Switch): string => `UNRUT_${name.toUpperCase().replaceAll('-', '_')}`;

const OFF = /^(?:disabled|off|false|0|no)$/i;

/** What is off: named in the options, or disabled by the environment (`UNRUT_LOOP_RECOVERY=disabled`). */
export function readSwitches(
  off: readonly Switch[] = [],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ReadonlySet<Switch> {
  const unknown = off.find((name) => !SWITCHES.includes(name));
  if (unknown !== undefined)
    throw new UnrutError('unknown-name', `[computer-use] Cannot turn off \`${unknown}\`: unknown name. Known: ${SWITCHES.join(', ')}.`);
  return new Set([...off, ...SWITCHES.filter((name) => OFF.test(environment[variableOf(name)] ?? ''))]);
}
