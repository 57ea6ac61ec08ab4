/**
 * Normalised indel similarity of two texts: twice their longest common subsequence divided by their
 * total length, 0..1, exact. With `atLeast`, any smaller similarity may be reported as 0, which is
 * much cheaper. Two empty texts have similarity 1.
 */
export function similarity(a: string, b: string, atLeast = 0): number {
  if (a === b) return 1;
  const total = a.length + b.length;
  const needed = Math.ceil((atLeast * total) / 2 - 1e-9);
  if (Math.min(a.length, b.length) < needed) return 0;

  let start = 0;
  let endA = a.length;
  let endB = b.length;
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  const shared = start + a.length - endA;
  // The shorter middle becomes the columns, one bit each, so that each character of the longer one
  // costs fewer words.
  const swap = endA - start > endB - start;
  const rows = swap ? a.slice(start, endA) : b.slice(start, endB);
  const columns = swap ? b.slice(start, endB) : a.slice(start, endA);
  const common = columns.length === 0 ? 0 : commonSubsequence(columns, rows, needed - shared);
  return common < needed - shared ? 0 : (2 * (shared + common)) / total;
}

/** Length of the longest common subsequence, or -1 as soon as it cannot reach `needed`. */
function commonSubsequence(columns: string, rows: string, needed: number): number {
  const words = (columns.length + 31) >>> 5;
  const letters = new Map<number, number>();
  for (let i = 0; i < columns.length; i++) {
    const code = columns.charCodeAt(i);
    if (!letters.has(code)) letters.set(code, letters.size);
  }
  // One extra row without matches, as the partner of a last row that has none.
  const places = new Int32Array((letters.size + 1) * words);
  const unmatched = new Int32Array(letters.size);
  for (let i = 0; i < columns.length; i++) {
    const letter = letters.get(columns.charCodeAt(i))!;
    places[letter * words + (i >>> 5)]! |= 1 << (i & 31);
    unmatched[letter]!++;
  }
  // Only rows whose letter occurs in a column can change anything.
  const starts = new Int32Array(rows.length);
  const at = new Int32Array(rows.length);
  let count = 0;
  let most = 0;
  for (let j = 0; j < rows.length; j++) {
    const letter = letters.get(rows.charCodeAt(j));
    if (letter === undefined) continue;
    starts[count] = letter * words;
    at[count++] = j;
    if (unmatched[letter]! > 0) {
      unmatched[letter]!--;
      most++;
    }
  }
  if (most < needed) return -1;

  // A path that reaches `needed` skips at most this many columns and rows, so only a band around
  // the diagonal matters.
  const spareColumns = columns.length - Math.max(needed, 0);
  const spareRows = rows.length - Math.max(needed, 0);
  // A cleared bit is a column at which the length of the common subsequence grows (Hyyrö's row
  // update).
  const row = new Int32Array(words).fill(-1);
  // Two rows at a time: their carries are independent, which saves a third of the time.
  for (let k = 0; k < count; k += 2) {
    const pairs = k + 1 < count;
    const first = starts[k]!;
    const second = pairs ? starts[k + 1]! : letters.size * words;
    const from = Math.max(0, at[k]! - spareRows) >>> 5;
    const to = Math.min(words, ((at[pairs ? k + 1 : k]! + spareColumns) >>> 5) + 1);
    let carry = 0;
    let carry2 = 0;
    for (let w = from; w < to; w++) {
      const v = row[w]!;
      const matches = places[first + w]!;
      const u = v & matches;
      const sum = (v + u + carry) | 0;
      carry = (u | (v & ~sum)) >>> 31;
      const v2 = sum | (v & ~matches);
      const matches2 = places[second + w]!;
      const u2 = v2 & matches2;
      const sum2 = (v2 + u2 + carry2) | 0;
      carry2 = (u2 | (v2 & ~sum2)) >>> 31;
      row[w] = sum2 | (v2 & ~matches2);
    }
  }
  return cleared(row, columns.length);
}

function cleared(row: Int32Array, length: number): number {
  let count = 0;
  for (let w = 0; w < row.length; w++) {
    const used = length - (w << 5);
    let bits = ~row[w]! & (used >= 32 ? -1 : (1 << used) - 1);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
