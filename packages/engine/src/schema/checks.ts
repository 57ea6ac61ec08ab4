import { UnrutError } from '../errors.ts';
import { isObject } from '../json.ts';
import { isAllowed, type Option } from '../option.ts';
import {
  namesWords,
  notExpected,
  numberWords,
  type Path,
  unknownKey,
  type ValueProblem,
} from './sentences.ts';

/**
 * Returns what is wrong with a value. Written by hand: a page that imports `unrut/core` should not
 * load a schema library for a dozen options.
 */
export type OptionCheck = (value: unknown, path: Path) => ValueProblem[];

const is =
  (isRight: (value: unknown) => boolean, words: string, names?: readonly string[]): OptionCheck =>
  (value, path) =>
    isRight(value) ? [] : [notExpected(path, words, value, names && { names })];

const flag = is((value) => typeof value === 'boolean', 'true or false');
const text = is((value) => typeof value === 'string', 'a string');
const anObject = (words = 'an object') => is(isObject, words);

const number = (range: Pick<Option, 'from' | 'to' | 'integer'>): OptionCheck =>
  is(
    (value) =>
      (range.integer ? Number.isInteger(value) : Number.isFinite(value)) &&
      isAllowed(range, value as number),
    numberWords(range),
  );

const oneOf = (names: readonly string[]): OptionCheck =>
  is((value) => names.includes(value as string), namesWords(names), names);

const listOf =
  (item: OptionCheck, words = 'a list of strings'): OptionCheck =>
  (value, path) =>
    Array.isArray(value)
      ? value.flatMap((each, i) => item(each, [...path, i]))
      : [notExpected(path, words, value)];

/** An object with any keys. */
const mapOf =
  (item: OptionCheck, words: string): OptionCheck =>
  (value, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, each]) => item(each, [...path, key]))
      : [notExpected(path, words, value)];

/** An object with these keys and no others. Any of them may be missing. */
const keysOf =
  (checks: Readonly<Record<string, OptionCheck>>, words?: string): OptionCheck =>
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
const namedOneOf = (names: readonly string[], words: string): OptionCheck =>
  is((value) => names.includes(value as string), words, names);

const aFunction: OptionCheck = is((value) => typeof value === 'function', 'a function');

/** An object that has these methods. */
const withMethods = (...names: readonly string[]): OptionCheck =>
  is(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function'),
    `an object with ${names.map((name) => `\`${name}()\``).join(' and ')}`,
  );

/** Checks of options that a program passes, to be put together. */
export const optionChecks = {
  aFunction,
  anObject,
  flag,
  is,
  keysOf,
  listOf,
  mapOf,
  namedOneOf,
  number,
  oneOf,
  text,
  withMethods,
};

/** Throws one error that has a line for each problem. `who` is a tag: `[tasks]`. */
export function assertOptions(who: string, options: unknown, check: OptionCheck): void {
  const lines = check(options, []).map(({ text }) => text);
  if (lines.length > 0) throw new UnrutError('bad-option', `${who} ${lines.join('\n')}`);
}
