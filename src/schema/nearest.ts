import { lettersBetween } from '../text/letters-between.ts';

/** The name that was probably meant: two letters or a third of them differ, and no more than `most`. */
export function nearest(given: string, names: readonly string[], most = 4): string | undefined {
  let best: string | undefined;
  let least = Math.min(most, Math.max(2, Math.floor(given.length / 3))) + 1;
  for (const name of names) {
    const steps = lettersBetween(given.toLowerCase(), name.toLowerCase(), least);
    if (steps < least) [best, least] = [name, steps];
  }
  return best;
}
