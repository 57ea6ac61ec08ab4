/** How many letters to put in, take out or replace make one word of the other; `limit` when there are as many or more. */
export function lettersBetween(one: string, other: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++)
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + Number(one[i - 1] !== other[j - 1]));
    row = next;
  }
  return Math.min(limit, row[other.length]!);
}
