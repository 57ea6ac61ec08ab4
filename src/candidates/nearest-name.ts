/** Of these names the one that is most like another, if it is much like it: few other letters, or the same words and some more. */
export function nearestName(wrong: string, names: readonly string[]): string | null {
  const asked = wrong.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(asked.length / 4)) + 1;
  for (const name of [...names].sort()) {
    const given = name.toLowerCase();
    const isLonger =
      asked.length >= 5 && (given.startsWith(asked) || given.endsWith(asked) || (given.length >= 5 && asked.endsWith(given)));
    const distance = isLonger ? 1 : distanceOf(asked, given, bestDistance);
    if (distance >= bestDistance || given === asked) continue;
    best = name;
    bestDistance = distance;
  }
  return best;
}

/** Letters to change, add or leave out; `limit` when there are as many or more. */
function distanceOf(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + Number(one[i - 1] !== other[j - 1]));
    }
    row = next;
  }
  return Math.min(limit, row[other.length]!);
}
