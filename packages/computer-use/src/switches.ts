import { UnrutError } from '@unrut/engine/errors';
import { notExpected } from '@unrut/engine/schema/sentences';

/** The gates, in the order in which they are passed. */
export const GATE_NAMES = [
  'done-gate',
  'force-fill',
  'force-submit',
  'director',
  'top-click-guard',
  'loop-recovery',
] as const;

/**
 * What can be switched off, for an ablation: gates, rules of the recovery policy, and what watches.
 */
export const SWITCHES = [
  ...GATE_NAMES,
  'type-pending-value',
  'press-return-for-submit',
  'tab-to-next-field',
  'adaptive-window',
  'perceptual-diff',
  'nudge',
] as const;

export type Switch = (typeof SWITCHES)[number];

/**
 * What is off unless it is allowed: sending a form off when the brain clicks around, scrolling when
 * it clicks at the top, another kind of action in place of clicks that go round; and of these,
 * Return while a field has the focus, and Return on what a page says cannot be taken back, costs
 * something, or is in a language that is not covered.
 */
export const PERMISSIONS = [
  'force-submit',
  'top-click-guard',
  'returnInFocusedField',
  'press_return_for_submit',
  'loop-recovery',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const isSwitch = (name: Permission): name is Permission & Switch =>
  SWITCHES.includes(name as Switch);

/** What must be allowed for these to act at all. */
export const permissionsFor = (switches: readonly Switch[]): Permission[] => {
  const rules: readonly Switch[] = [
    'type-pending-value',
    'press-return-for-submit',
    'tab-to-next-field',
  ];
  return PERMISSIONS.filter((name) =>
    switches.some((each) => each === name || (name === 'loop-recovery' && rules.includes(each))),
  );
};

/** `UNRUT_LOOP_RECOVERY` for `loop-recovery`. */
export const variableOf = (name: Switch): string =>
  `UNRUT_${name.toUpperCase().replaceAll('-', '_')}`;

type Environment = Readonly<Record<string, string | undefined>>;

/** Names from the options, and those that the environment sets. */
function readNames<Name extends string>(
  what: string,
  given: readonly Name[],
  known: readonly Name[],
  isSet: (name: Name) => boolean,
): ReadonlySet<Name> {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UnrutError(
      'unknown-name',
      `[computer-use] Cannot ${what} \`${unknown}\`: unknown name. Known: ${known.join(', ')}.`,
    );
  return new Set([...given, ...known.filter(isSet)]);
}

const ON = /^(?:enabled|on|true|1|yes)$/i;
const OFF = /^(?:disabled|off|false|0|no)$/i;

/**
 * What is allowed: named in the options, or enabled by the environment
 * (`UNRUT_LOOP_RECOVERY=enabled`).
 */
export const readPermissions = (
  allow: readonly string[] = [],
  environment: Environment = process.env,
): ReadonlySet<Permission> =>
  readNames(
    'allow',
    allow as readonly Permission[],
    PERMISSIONS,
    (name) => isSwitch(name) && ON.test(environment[variableOf(name)]?.trim() ?? ''),
  );

/**
 * What is off: named in the options, or disabled by the environment
 * (`UNRUT_LOOP_RECOVERY=disabled`).
 */
export const readSwitches = (
  off: readonly Switch[] = [],
  environment: Environment = process.env,
): ReadonlySet<Switch> =>
  readNames('turn off', off, SWITCHES, (name) =>
    OFF.test(environment[variableOf(name)]?.trim() ?? ''),
  );

/**
 * One line for each variable of a switch that says neither on nor off. Such a variable changes
 * nothing.
 */
export const switchProblems = (environment: Environment): string[] =>
  SWITCHES.flatMap((name) => {
    const value = environment[variableOf(name)]?.trim();
    if (!value || ON.test(value) || OFF.test(value)) return [];
    return [
      `${notExpected([], 'enabled or disabled', value, { name: variableOf(name) }).text} Ignored.`,
    ];
  });
