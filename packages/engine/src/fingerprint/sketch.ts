/**
 * Small samples of large sets: only the smallest hashes are kept. Two such samples tell how much
 * their sets overlap.
 */

/** Adds `hash` to the sorted `values` if it is new and among the `size` smallest. */
export function keepSmallest(values: number[], hash: number, size: number): void {
  const length = values.length;
  if (length === size && hash >= values[length - 1]!) return;
  // From the end: for so few values, a simple loop is faster than a binary search.
  let at = length;
  while (at > 0 && values[at - 1]! > hash) at--;
  if (at > 0 && values[at - 1] === hash) return;
  for (let i = length < size ? length : size - 1; i > at; i--) values[i] = values[i - 1]!;
  values[at] = hash;
}

/**
 * Adds the sorted `others`, a sketch of at least `size`, as if the whole set behind it had been
 * added.
 */
export function mergeSmallest(values: number[], others: readonly number[], size: number): void {
  for (const hash of others) {
    if (values.length === size && hash >= values[size - 1]!) return;
    keepSmallest(values, hash, size);
  }
}

/**
 * Collects the smallest hashes of a set of any size. Past the first few, almost every `add` is a
 * single comparison.
 */
export class Sketch {
  /** How many hashes it keeps. */
  readonly size: number;
  /**
   * The smallest hashes so far, sorted, without duplicates. Plain JSON: a sketch can be resumed
   * from them.
   */
  readonly values: number[];

  constructor(size: number, values: number[] = []) {
    this.size = size;
    this.values = values;
  }

  add(hash: number): void {
    keepSmallest(this.values, hash, this.size);
  }

  /**
   * Adds the values of another sketch of at least this size, as if its whole set had been added.
   */
  merge(values: readonly number[]): void {
    mergeSmallest(this.values, values, this.size);
  }
}

/**
 * The share that two sets have in common (Jaccard), estimated from their sketches; 0 if either is
 * empty. If `size`, the capacity of each sketch, is given and neither is full, the result is exact.
 */
export function overlap(a: readonly number[], b: readonly number[], size = 0): number {
  if (a.length === 0 || b.length === 0) return 0;
  // Only the smallest values of the union are known to both: a full sketch has dropped the larger
  // ones.
  const known =
    a.length < size && b.length < size ? a.length + b.length : Math.max(a.length, b.length);
  let shared = 0;
  let seen = 0;
  let i = 0;
  let j = 0;
  while (seen < known && (i < a.length || j < b.length)) {
    const left = i < a.length ? a[i]! : Number.POSITIVE_INFINITY;
    const right = j < b.length ? b[j]! : Number.POSITIVE_INFINITY;
    if (left === right) shared++;
    if (left <= right) i++;
    if (right <= left) j++;
    seen++;
  }
  return shared / seen;
}
