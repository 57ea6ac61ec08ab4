/** The name that was probably meant: two letters or a third of them differ, and no more than `most`. */
export function nearest(given: string, names: readonly string[], most = 4): string | undefined {
  let best: string | undefined;
  let least = Math.min(most, Math.max(2, Math.floor(given.length / 3))) + 1;
  for (const name of names) {
    const steps = distance(given.toLowerCase(), name.toLowerCase());
    if (steps < least) [best, least] = [name, steps];
  }
  return best;
}

/** Letters to put in, take out or replace. */
function distance(from: string, to: string): number {
  // What nobody could have mistyped is not measured.
  if (Math.abs(from.length - to.length) > 4) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[to.length]!;
}
