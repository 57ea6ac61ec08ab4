/**
 * How alike two texts are, 0 to 1, by the insertions and deletions between them: twice the longest
 * common subsequence over both lengths.
 */
export function indelRatio(a: string, b: string): number {
  const total = a.length + b.length;
  return total === 0 || a === b ? 1 : (2 * longestCommonSubsequence(a, b)) / total;
}

/**
 * One bit for each character of `a`, a row for each character of `b`; a bit that becomes 0 is a
 * character in common.
 */
function longestCommonSubsequence(a: string, b: string): number {
  const places = new Map<string, bigint>();
  for (const [i, character] of a.split('').entries())
    places.set(character, (places.get(character) ?? 0n) | (1n << BigInt(i)));
  const all = (1n << BigInt(a.length)) - 1n;
  let row = all;
  for (const character of b.split('')) {
    const matches = row & (places.get(character) ?? 0n);
    row = ((row + matches) | (row - matches)) & all;
  }
  const ones = row.toString(2).replaceAll('0', '').length;
  return a.length - ones;
}
