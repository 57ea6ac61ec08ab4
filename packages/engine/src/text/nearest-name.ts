/**
 * How many letters must be inserted, removed, replaced or swapped with a neighbour to turn one word
 * into the other; at most `limit`.
 */
export function lettersBetween(
  one: string,
  other: string,
  limit = Number.POSITIVE_INFINITY,
): number {
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSwapped =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(
        next[j - 1]! + 1,
        row[j]! + 1,
        row[j - 1]! + Number(one[i - 1] !== other[j - 1]),
        isSwapped ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return Math.min(limit, row[other.length]!);
}

/** Shorter words are the beginning or end of too many others. */
const TELLING = 4;

/**
 * The name that was probably meant, ignoring case: one that begins or ends with the given name or
 * the other way round, or differs in few letters (default: one in three, at most four). Of equally
 * near names, the first; never the given name itself.
 */
export function nearestName(
  given: string,
  names: readonly string[],
  most = Math.min(4, Math.floor(given.length / 3)),
): string | undefined {
  const wrong = given.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, most) + 1;
  for (const name of names) {
    const right = name.toLowerCase();
    const [short, long] = right.length > wrong.length ? [wrong, right] : [right, wrong];
    const isPart = short.length >= TELLING && (long.startsWith(short) || long.endsWith(short));
    const apart = isPart ? 1 : lettersBetween(wrong, right, least);
    if (apart < least && name !== given) [best, least] = [name, apart];
  }
  return best;
}
