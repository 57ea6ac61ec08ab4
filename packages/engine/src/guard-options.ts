import { MOVE_NAMES } from './candidates/rank.ts';
import type { Detector } from './detectors/detector.ts';
import { UnrutError } from './errors.ts';
import { type Capability, RUNGS } from './event.ts';
import { isObject, type JsonObject } from './json.ts';
import type { BudgetOptions } from './policy/spending.ts';
import type { Preset } from './presets.ts';
import type { Verb } from './prints.ts';
import { type OptionCheck, optionChecks } from './schema/checks.ts';
import type { ToolDeclaration } from './tools/profile.ts';
import type { TrialOptions } from './trial.ts';

const { anObject, flag, is, keysOf, listOf, mapOf, namedOneOf, number, oneOf, text } = optionChecks;

/**
 * Options by detector name. If the compiler knows the preset's detectors, only their names and
 * options are allowed.
 */
export type DetectorOptions<Used extends Preset> = string extends Used['detectors'][number]['name']
  ? Readonly<Record<string, object>>
  : {
      readonly [Each in Used['detectors'][number] as Each['name']]?: Readonly<
        Partial<Each['options']>
      >;
    };

const CAPABILITIES: readonly Capability[] = RUNGS;

export const VERBS = Object.keys({
  read: true,
  write: true,
  verify: true,
  execute: true,
  wait: true,
  navigate: true,
  nothing: true,
  unknown: true,
} satisfies Record<Verb, true>) as Verb[];

/** What `allow` may name: recoveries, and candidates whose gate it opens. */
export const allowable = (recoveries: Preset['recoveries']): string[] => [
  ...recoveries.map(({ name }) => name),
  ...MOVE_NAMES,
];
export const ALLOW = 'a list of names of recoveries or candidates';
export const ALLOWED = 'the name of a recovery or a candidate';

const tool = keysOf({
  poll: flag,
  identity: listOf(text),
  verb: oneOf(VERBS),
  target: text,
  patch: listOf(text),
  look: listOf(text),
} satisfies Record<keyof ToolDeclaration, OptionCheck>);

const amount = number({ from: 0.01 });
const count = number({ integer: true, from: 1 });
export const budgetCheck = keysOf({
  usd: amount,
  minutes: amount,
  steps: count,
  subagents: count,
  day: keysOf({ usd: amount, steps: count }),
} satisfies Record<keyof BudgetOptions, OptionCheck>);

const trialCheck = keysOf({
  share: number({ from: 0, to: 1 }),
  name: text,
} satisfies Record<keyof TrialOptions, OptionCheck>);

const guardCheck = ({
  detectors,
  recoveries,
}: Pick<Preset, 'detectors' | 'recoveries'>): OptionCheck =>
  keysOf({
    can: listOf(oneOf(CAPABILITIES), 'a list of capabilities'),
    preset: is(isPreset, "a preset, such as `strict` of `import { strict } from 'unrut'`"),
    options: keysOf(
      Object.fromEntries(detectors.map(({ name }) => [name, anObject()])),
      'an object of options by detector name',
    ),
    tools: mapOf(tool, 'an object of declarations by tool name'),
    shadow: flag,
    trial: trialCheck,
    attended: flag,
    budget: budgetCheck,
    partial: flag,
    allow: listOf(namedOneOf(allowable(recoveries), ALLOWED), ALLOW),
    key: text,
    learned: mapOf(number({}), 'an object of numbers'),
    forgiven: listOf(anObject(), 'a list of false alarms'),
    hintFailures: flag,
    from: () => [],
    sessions: number({ integer: true, from: 1 }),
  });

function isPreset(value: unknown): value is Preset {
  const { detectors, recoveries } = (value ?? {}) as Partial<Record<string, unknown>>;
  return [detectors, recoveries].every(
    (list) => Array.isArray(list) && list.every((each) => typeof each?.name === 'string'),
  );
}

const NOTHING: Pick<Preset, 'detectors' | 'recoveries'> = { detectors: [], recoveries: [] };

/**
 * The preset's detectors with this guard's options. Throws one error that has a line for each
 * problem.
 */
export function checkedDetectors(given: { options?: object }, preset: Preset): Detector[] {
  const used = isPreset(preset) ? preset : NOTHING;
  const lines = guardCheck(used)(given, []).map(({ text }) => text);
  const options: JsonObject = isObject(given.options) ? given.options : {};
  for (const { name, declared = {} } of used.detectors) {
    const values = options[name];
    if (!isObject(values)) continue;
    const checks = Object.entries(declared).map(([key, option]) => [
      key,
      typeof option.default === 'boolean' ? flag : number(option),
    ]);
    for (const { path, text } of keysOf(Object.fromEntries(checks))(values, [])) {
      const usual = declared[path[0]!]?.default;
      lines.push(`${name}: ${text}${usual === undefined ? '' : ` The default is \`${usual}\`.`}`);
    }
  }
  if (lines.length > 0) throw new UnrutError('bad-option', `createGuard: ${lines.join('\n')}`);
  return preset.detectors.map((detector) => ({
    ...detector,
    options: { ...detector.options, ...defined(options[detector.name]) },
  }));
}

/** An option that is undefined keeps its default. */
const defined = (values: unknown = {}): object =>
  Object.fromEntries(Object.entries(values as object).filter(([, value]) => value !== undefined));
