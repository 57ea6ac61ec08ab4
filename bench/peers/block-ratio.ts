/** From this length on, characters that make up more than a hundredth of a text begin no block. */
const LONG = 200;

/**
 * How alike two texts are, 0 to 1, as Python's difflib counts: the longest common block, then the
 * same on both sides of it.
 */
export function blockRatio(a: string, b: string): number {
  if (a === b) return 1;
  return (2 * matching(a, b)) / (a.length + b.length);
}

/** The most that the ratio of texts of these lengths can be. */
export const highestBlockRatio = (a: string, b: string): number =>
  a === b ? 1 : (2 * Math.min(a.length, b.length)) / (a.length + b.length);

interface Block {
  inA: number;
  inB: number;
  length: number;
}

function matching(a: string, b: string): number {
  const places = placesIn(b);
  const open = [{ fromA: 0, toA: a.length, fromB: 0, toB: b.length }];
  let matched = 0;
  for (let part = open.pop(); part; part = open.pop()) {
    const { inA, inB, length } = longestBlock(a, b, places, part);
    if (length === 0) continue;
    matched += length;
    open.push(
      { ...part, toA: inA, toB: inB },
      { ...part, fromA: inA + length, fromB: inB + length },
    );
  }
  return matched;
}

function placesIn(text: string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let i = 0; i < text.length; i++) {
    const known = places.get(text[i]!);
    if (known) known.push(i);
    else places.set(text[i]!, [i]);
  }
  if (text.length < LONG) return places;
  const popular = Math.floor(text.length / 100) + 1;
  return new Map([...places].filter(([, found]) => found.length <= popular));
}

function longestBlock(
  a: string,
  b: string,
  places: ReadonlyMap<string, readonly number[]>,
  { fromA, toA, fromB, toB }: { fromA: number; toA: number; fromB: number; toB: number },
): Block {
  let best: Block = { inA: fromA, inB: fromB, length: 0 };
  let before = new Map<number, number>();
  for (let i = fromA; i < toA; i++) {
    const here = new Map<number, number>();
    for (const j of places.get(a[i]!) ?? []) {
      if (j < fromB || j >= toB) continue;
      const length = (before.get(j - 1) ?? 0) + 1;
      here.set(j, length);
      if (length > best.length) best = { inA: i + 1 - length, inB: j + 1 - length, length };
    }
    before = here;
  }
  let { inA, inB, length } = best;
  while (inA > fromA && inB > fromB && a[inA - 1] === b[inB - 1]) {
    inA--;
    inB--;
    length++;
  }
  while (inA + length < toA && inB + length < toB && a[inA + length] === b[inB + length]) length++;
  return { inA, inB, length };
}
