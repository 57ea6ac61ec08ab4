/**
 * A number or a switch that users may change, made by `option.integer(5, { from: 1, to: 9 }, about)`,
 * `option.number(0.5, { from: 0 }, about)`, `option.share(0.8, about)` for a share from 0 to 1, or
 * `option.flag(true, about)`. Plain data, so that nothing is built before it is needed.
 */
export interface Option<Value extends number | boolean = number | boolean> extends Range {
  default: Value;
  /** Its meaning in one sentence. The reason for its default is in the README. */
  about: string;
  integer?: boolean;
}

/** The smallest and the largest number allowed. */
export interface Range {
  from?: number;
  to?: number;
}

/* @__NO_SIDE_EFFECTS__ */
function integer(value: number, range: Range, about: string): Option<number> {
  return { ...number(value, range, about), integer: true };
}

/* @__NO_SIDE_EFFECTS__ */
function number(value: number, range: Range, about: string): Option<number> {
  return { default: value, ...range, about };
}

/** A share, from 0 to 1. */
/* @__NO_SIDE_EFFECTS__ */
function share(value: number, about: string): Option<number> {
  return number(value, { from: 0, to: 1 }, about);
}

/* @__NO_SIDE_EFFECTS__ */
function flag(value: boolean, about: string): Option<boolean> {
  return { default: value, about };
}

export { flag, integer, number, share };
