export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** A figure rounded to this many significant digits. */
export const rounded = (value: number, digits = 2): number =>
  Math.round(value * 10 ** digits) / 10 ** digits;
