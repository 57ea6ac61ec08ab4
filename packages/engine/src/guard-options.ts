import { MOVE_NAMES } from './candidates/rank.ts';
import type { Detector } from './detectors/detector.ts';
import { UnrutError } from './errors.ts';
import { type Capability, RUNGS } from './event.ts';
import { isObject, type JsonObject } from './json.ts';
import { isAllowed, type Option } from './option.ts';
import type { BudgetOptions } from './policy/spending.ts';
import type { Preset } from './presets.ts';
import type { Verb } from './prints.ts';
import {
  namesWords,
  notExpected,
  numberWords,
  type Path,
  unknownKey,
  type ValueProblem,
} from './schema/sentences.ts';
import type { ToolDeclaration } from './tools/profile.ts';

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

/**
 * Returns what is wrong with a value. Written by hand: a page that imports `unrut/core` should not
 * load a schema library for a dozen options.
 */
type Check = (value: unknown, path: Path) => ValueProblem[];

const is =
  (isRight: (value: unknown) => boolean, words: string, names?: readonly string[]): Check =>
  (value, path) =>
    isRight(value) ? [] : [notExpected(path, words, value, names && { names })];

const flag = is((value) => typeof value === 'boolean', 'true or false');
const text = is((value) => typeof value === 'string', 'a string');
const anObject = (words = 'an object') => is(isObject, words);

const number = (range: Pick<Option, 'from' | 'to' | 'integer'>): Check =>
  is(
    (value) =>
      (range.integer ? Number.isInteger(value) : Number.isFinite(value)) &&
      isAllowed(range, value as number),
    numberWords(range),
  );

const oneOf = (names: readonly string[]): Check =>
  is((value) => names.includes(value as string), namesWords(names), names);

const listOf =
  (item: Check, words = 'a list of strings'): Check =>
  (value, path) =>
    Array.isArray(value)
      ? value.flatMap((each, i) => item(each, [...path, i]))
      : [notExpected(path, words, value)];

/** An object with any keys. */
const mapOf =
  (item: Check, words: string): Check =>
  (value, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, each]) => item(each, [...path, key]))
      : [notExpected(path, words, value)];

/** An object with these keys and no others. Any of them may be missing. */
const keysOf =
  (checks: Readonly<Record<string, Check>>, words?: string): Check =>
  (value, path) => {
    if (!isObject(value)) return anObject(words)(value, path);
    const known = Object.keys(checks);
    const unknown = Object.keys(value).filter((key) => !known.includes(key));
    return [
      ...known.flatMap((key) =>
        value[key] === undefined ? [] : checks[key]!(value[key], [...path, key]),
      ),
      ...unknown.map((key) => unknownKey([...path, key], known)),
    ];
  };

/** A name out of many: the complaint does not list them all. */
const namedOneOf = (names: readonly string[], words: string): Check =>
  is((value) => names.includes(value as string), words, names);

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
} satisfies Record<keyof ToolDeclaration, Check>);

const amount = number({ from: 0.01 });
const count = number({ integer: true, from: 1 });
const budget = keysOf({
  usd: amount,
  minutes: amount,
  steps: count,
  subagents: count,
  day: keysOf({ usd: amount, steps: count }),
} satisfies Record<keyof BudgetOptions, Check>);

const guardCheck = ({ detectors, recoveries }: Pick<Preset, 'detectors' | 'recoveries'>): Check =>
  keysOf({
    can: listOf(oneOf(CAPABILITIES), 'a list of capabilities'),
    preset: is(isPreset, "a preset, such as `strict` of `import { strict } from 'unrut'`"),
    options: keysOf(
      Object.fromEntries(detectors.map(({ name }) => [name, anObject()])),
      'an object of options by detector name',
    ),
    tools: mapOf(tool, 'an object of declarations by tool name'),
    shadow: flag,
    attended: flag,
    budget,
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
