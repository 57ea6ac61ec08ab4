/** What two sets share, as a part of all that they hold; two empty sets share nothing. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const item of a) if (b.has(item)) shared++;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}
