/** One run's contribution to the scores: counts, which are summed, and lists, which are joined. */
export type Tally<T> = { [Field in keyof T]: number | number[] };

/** A share, a rate or a number of steps; null for a zero denominator. */
export type Score = number | null;

/** Adds up tallies field by field. There must be at least one. */
export function total<T extends Tally<T>>(tallies: readonly T[]): T {
  const sum = { ...tallies[0]! };
  const fields = Object.keys(sum) as (keyof T)[];
  for (const field of fields) {
    if (Array.isArray(sum[field]))
      sum[field] = tallies.flatMap((tally) => tally[field] as number[]) as T[keyof T];
    else {
      let count = 0;
      for (const tally of tallies) count += tally[field] as number;
      sum[field] = count as T[keyof T];
    }
  }
  return sum;
}

export const share = (part: number, whole: number): Score => (whole === 0 ? null : part / whole);
export const perThousand = (part: number, whole: number): Score =>
  whole === 0 ? null : (part / whole) * 1000;

/**
 * The harmonic mean of precision and recall; zero for a silent system, if there was something to
 * find.
 */
export function f1(precision: Score, recall: Score): Score {
  if (recall === null) return null;
  return precision === null || precision + recall === 0
    ? 0
    : (2 * precision * recall) / (precision + recall);
}

/** The smallest of the values that at least this share of them does not exceed. */
export function quantile(values: readonly number[], q: number): Score {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? null;
}
