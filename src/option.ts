/** A number or a switch that users may change: plain data, so that nothing is built before somebody asks. */
export interface Option<Value extends number | boolean = number | boolean> extends Range {
  default: Value;
  /** What it is, in one sentence. The reason for its default is in the README. */
  about: string;
  integer?: boolean;
}

/** The smallest and the largest number allowed. */
export interface Range {
  from?: number;
  to?: number;
}

/** What a detector or recovery declares, by the name of the option. */
export type Declared = Readonly<Record<string, Option>>;

/** The values that `step` and `plan` are given. */
export type ValuesOf<Options extends Declared> = { [Name in keyof Options]: Options[Name]['default'] };

const number = (value: number, range: Range, about: string): Option<number> => ({ default: value, ...range, about });

/** Declares an option: its default, its range, and one sentence of what it is. */
export const option = {
  integer: (value: number, range: Range, about: string): Option<number> => ({ ...number(value, range, about), integer: true }),
  number,
  /** A part of one: from 0 to 1. */
  share: (value: number, about: string): Option<number> => number(value, { from: 0, to: 1 }, about),
  flag: (value: boolean, about: string): Option<boolean> => ({ default: value, about }),
};

/** Whether a number or switch is within what is declared. */
export const isAllowed = ({ from = -Infinity, to = Infinity }: Range, value: number | boolean): boolean =>
  typeof value === 'boolean' || (value >= from && value <= to);

export const defaultsOf = <Options extends Declared>(declared: Options): ValuesOf<Options> =>
  Object.fromEntries(Object.entries(declared).map(([name, option]) => [name, option.default])) as ValuesOf<Options>;
