import { flag, integer, number, type Option, type Range, share } from './option-kinds.ts';

export type { Option, Range };

/** Declares an option: its default, its range, and one sentence of what it is. Ours use the functions, which bundlers know to be pure. */
export const option = { integer, number, share, flag };

/** What a detector or recovery declares, by the name of the option. */
export type Declared = Readonly<Record<string, Option>>;

/** The values that `step` and `plan` are given. */
export type ValuesOf<Options extends Declared> = { [Name in keyof Options]: Options[Name]['default'] };

/** Whether a number or switch is within what is declared. */
export const isAllowed = ({ from = -Infinity, to = Infinity }: Range, value: number | boolean): boolean =>
  typeof value === 'boolean' || (value >= from && value <= to);

export const defaultsOf = <Options extends Declared>(declared: Options): ValuesOf<Options> =>
  Object.fromEntries(Object.entries(declared).map(([name, option]) => [name, option.default])) as ValuesOf<Options>;
