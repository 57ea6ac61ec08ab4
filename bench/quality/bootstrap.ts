import { quantile, type Score } from './metrics/tally.ts';

/**
 * A score with the 95 % interval of its resamples; without an interval if there are too few runs.
 */
export interface Estimate {
  value: Score;
  low: Score;
  high: Score;
}

/**
 * Which runs each resample draws. Whatever is measured on the same draws can be compared pair by
 * pair.
 */
export type Draws = readonly (readonly number[])[];

/** Resampling fewer runs than this gives an interval that only looks like one. */
const FEWEST = 5;
const SEED = 20_240_229;

/**
 * Draws as many runs as there are, with replacement, this often. The same arguments give the same
 * draws.
 */
export function draw(runs: number, resamples: number): Draws {
  if (runs < FEWEST) return [];
  const next = randomNumbers(SEED);
  return Array.from({ length: resamples }, () =>
    Array.from({ length: runs }, () => Math.floor(next() * runs)),
  );
}

/** The value of all items, and its interval over the draws. */
export function estimate<T>(
  items: readonly T[],
  draws: Draws,
  score: (items: readonly T[]) => Score,
): Estimate {
  return estimates(items, draws, (chosen) => ({ score: score(chosen) })).score;
}

/** The same for several scores at once. */
export function estimates<T, Name extends string>(
  items: readonly T[],
  draws: Draws,
  scores: (items: readonly T[]) => Record<Name, Score>,
): Record<Name, Estimate> {
  const values = scores(items);
  const resampled = draws.map((chosen) => scores(chosen.map((i) => items[i]!)));
  const interval = (name: Name): Estimate => {
    // A resample without a single loop or alarm has nothing to divide by.
    const known = resampled.map((each) => each[name]).filter((score) => score !== null);
    const enough = values[name] !== null && known.length > resampled.length / 2;
    return {
      value: values[name],
      low: enough ? quantile(known, 0.025) : null,
      high: enough ? quantile(known, 0.975) : null,
    };
  };
  return Object.fromEntries(
    Object.keys(values).map((name) => [name, interval(name as Name)]),
  ) as Record<Name, Estimate>;
}

/** Marsaglia's xorshift: the same seed gives the same numbers from 0 to 1 on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
