import { flag, integer, number, type Option, type Range, share } from './option-kinds.ts';

export type { Option, Range };

/**
 * Declares an option: its default, its range, and one sentence about its meaning. Our own code uses
 * the functions directly, because bundlers know that they are pure.
 */
export const option = { integer, number, share, flag };

/** The options that a detector or recovery declares, by name. */
export type Declared = Readonly<Record<string, Option>>;

/** The values that `step` and `plan` get. */
export type ValuesOf<Options extends Declared> = {
  [Name in keyof Options]: Options[Name]['default'];
};

/** Whether a number or switch is within its declared range. */
export const isAllowed = (
  { from = -Infinity, to = Infinity }: Range,
  value: number | boolean,
): boolean => typeof value === 'boolean' || (value >= from && value <= to);

export const defaultsOf = <Options extends Declared>(declared: Options): ValuesOf<Options> =>
  Object.fromEntries(
    Object.entries(declared).map(([name, option]) => [name, option.default]),
  ) as ValuesOf<Options>;
