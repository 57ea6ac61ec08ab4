import { lettersBetween } from '../text/letters-between.ts';

/** Of these names the one that is most like another, if it is much like it: few other letters, or the same words and some more. */
export function nearestName(wrong: string, names: readonly string[]): string | null {
  const asked = wrong.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(asked.length / 4)) + 1;
  for (const name of [...names].sort()) {
    const given = name.toLowerCase();
    const isLonger =
      asked.length >= 5 && (given.startsWith(asked) || given.endsWith(asked) || (given.length >= 5 && asked.endsWith(given)));
    const distance = isLonger ? 1 : lettersBetween(asked, given, bestDistance);
    if (distance >= bestDistance || given === asked) continue;
    best = name;
    bestDistance = distance;
  }
  return best;
}
