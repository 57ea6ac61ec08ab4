import { UnrutError } from '@unrut/engine/errors';
import { notExpected } from '@unrut/engine/schema/sentences';

/** The gates in their order. */
export const GATE_NAMES = [
  'done-gate',
  'force-fill',
  'force-submit',
  'director',
  'top-click-guard',
  'loop-recovery',
] as const;

/**
 * Everything that can be switched off for an ablation: gates, rules of the recovery, and observers.
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
 * Permissions for what is off by default: submitting a form when the brain clicks around, scrolling
 * after clicks at the top, another kind of action in place of looping clicks; within the last,
 * Return while a field has the focus, and Return on buttons that are irreversible, priced, or in an
 * unsupported language.
 */
export const PERMISSIONS = [
  'loop-recovery',
  'returnInFocusedField',
  'press_return_for_submit',
  'force-submit',
  'top-click-guard',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const isSwitch = (name: Permission): name is Permission & Switch =>
  SWITCHES.includes(name as Switch);

/** The permissions that these parts need. */
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

/** Reads names from the options and the environment. */
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

/** The permissions from the options and the environment (`UNRUT_LOOP_RECOVERY=enabled`). */
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
 * The parts that are off, from the options and the environment (`UNRUT_LOOP_RECOVERY=disabled`).
 */
export const readSwitches = (
  off: readonly Switch[] = [],
  environment: Environment = process.env,
): ReadonlySet<Switch> =>
  readNames('turn off', off, SWITCHES, (name) =>
    OFF.test(environment[variableOf(name)]?.trim() ?? ''),
  );

/** One line for each switch variable with an invalid value. Such a variable is ignored. */
export const switchProblems = (environment: Environment): string[] =>
  SWITCHES.flatMap((name) => {
    const value = environment[variableOf(name)]?.trim();
    if (!value || ON.test(value) || OFF.test(value)) return [];
    return [
      `${notExpected([], 'enabled or disabled', value, { name: variableOf(name) }).text} Ignored.`,
    ];
  });
