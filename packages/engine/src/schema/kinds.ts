import * as v from 'valibot';
import { isObject } from '../json.ts';
import type { Declared, Option, Range } from '../option.ts';
import { namesWords, numberWords } from './sentences.ts';

/**
 * The message of every schema here says what was expected, as part of a sentence: `sentences.ts`
 * makes the sentence.
 */

export const aFlag = () => v.boolean('true or false');

/** Text that is not empty. */
export const aText = (words = 'a non-empty string') => v.pipe(v.string(words), v.nonEmpty(words));

export const oneOf = <const Names extends readonly string[]>(names: Names) =>
  v.picklist(names, namesWords(names));

export const aListOf = <Item extends v.GenericSchema>(item: Item, words = 'a list of strings') =>
  v.array(item, words);

export function aNumber({
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
  integer = false,
}: Range & { integer?: boolean }) {
  const words = numberWords({ from, to, integer });
  return v.pipe(
    v.number(words),
    integer ? v.integer(words) : v.finite(words),
    ...(from > -Infinity ? [v.minValue<number, number, string>(from, words)] : []),
    ...(to < Infinity ? [v.maxValue<number, number, string>(to, words)] : []),
  );
}

/** Text with something to read in it. */
export const aFilledText = (words = 'a non-empty string') =>
  v.pipe(v.string(words), v.regex(/\S/, words));

/** The message of an object: what it should be, or what a key that is missing should be. */
export const expectedWords =
  (entries: v.ObjectEntries, words: string) =>
  ({ path }: v.BaseIssue<unknown>): string =>
    path ? v.safeParse(entries[path[0].key as string]!, undefined).issues![0].message : words;

/** The fields of an object, and no others. Of an unknown one the message lists the known ones. */
export const fields = <Entries extends v.ObjectEntries>(entries: Entries, words = 'an object') =>
  v.objectWithRest(
    entries,
    v.never(Object.keys(entries).join(', ')),
    expectedWords(entries, words),
  );

export const anObject = <Entries extends v.ObjectEntries>(entries: Entries, words = 'an object') =>
  v.pipe(plainObject(words), fields(entries, words)) as v.GenericSchema<
    unknown,
    v.InferOutput<v.ObjectSchema<Entries, undefined>>
  >;

/**
 * An object in which every key may be missing. The schema of a key is made when a value has that
 * key: a hook cannot wait for all of them.
 */
export const anOptional = (entries: Entries, words?: string) =>
  anObject(
    Object.fromEntries(
      Object.entries(entries).map(([key, make]) => [key, v.optional(v.lazy(make))]),
    ),
    words,
  );

type Entries = Readonly<Record<string, () => v.GenericSchema>>;

/** An object with any names, each with a value of this kind. */
export const aMapOf = <Value extends v.GenericSchema>(value: Value, words = 'an object') =>
  v.pipe(plainObject(words), v.objectWithRest({}, value, words));

/** Valibot takes a list for an object. */
const plainObject = (words: string) => v.custom<object>(isObject, words);

/** What a declared option may be. */
const optionSchema = (option: Option): v.GenericSchema =>
  typeof option.default === 'boolean' ? aFlag() : aNumber(option);

/** The options of a detector or recovery, each described and with its default. */
export const optionSchemas = (declared: Declared): Entries =>
  Object.fromEntries(
    Object.entries(declared).map(([name, option]) => [
      name,
      () => described(optionSchema(option), option.about, { default: option.default }),
    ]),
  );

/** What JSON Schema says of a value besides its kind. */
export interface Metadata {
  description?: string;
  default?: unknown;
  examples?: readonly string[];
  /** May be a secret: is never shown. */
  writeOnly?: boolean;
}

export const described = <Schema extends v.GenericSchema>(
  schema: Schema,
  description: string,
  about: Omit<Metadata, 'description'> = {},
) => v.pipe(schema, v.metadata({ description, ...about }));
