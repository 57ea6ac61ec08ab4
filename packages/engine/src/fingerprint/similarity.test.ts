import { processorTime } from '@unrut/test/processor-time';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { similarity } from './similarity.ts';

/** The textbook table, row by row. */
function plain(a: string, b: string): number {
  if (a.length + b.length === 0) return 1;
  let above = new Array<number>(b.length + 1).fill(0);
  for (let i = 1; i <= a.length; i++) {
    const row = [0];
    for (let j = 1; j <= b.length; j++)
      row.push(a[i - 1] === b[j - 1] ? above[j - 1]! + 1 : Math.max(above[j]!, row[j - 1]!));
    above = row;
  }
  return (2 * above[b.length]!) / (a.length + b.length);
}

it.each([
  ['', '', 1],
  ['', 'a', 0],
  ['abc', 'abc', 1],
  ['abc', 'xyz', 0],
  ['abcd', 'abxd', 0.75],
  ['ab', 'ba', 0.5],
  ['kitten', 'sitting', (2 * 4) / 13],
])('%j and %j are alike by %d', (a, b, expected) => {
  expect(similarity(a, b)).toBeCloseTo(expected, 12);
  expect(similarity(b, a)).toBeCloseTo(expected, 12);
});

const fewLetters = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'd', '\u2713', '\n'),
  maxLength: 200,
});

it('agrees with the textbook table', () => {
  const agrees = (a: string, b: string) => {
    expect(similarity(a, b)).toBeCloseTo(plain(a, b), 12);
  };
  fc.assert(fc.property(fewLetters, fewLetters, agrees), { numRuns: 400 });
  fc.assert(fc.property(fc.string({ maxLength: 90 }), fc.string({ maxLength: 90 }), agrees));
});

it('agrees with the textbook table on texts that were edited in a few places', () => {
  const edits = fc.array(fc.tuple(fc.nat(500), fc.nat(9), fc.string({ maxLength: 6 })), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.string({ minLength: 100, maxLength: 500 }), edits, (a, cuts) => {
      const b = cuts.reduce(
        (text, [at, gone, put]) => text.slice(0, at) + put + text.slice(at + gone),
        a,
      );
      const exact = plain(a, b);
      expect(similarity(a, b)).toBeCloseTo(exact, 12);
      expect(similarity(a, b, exact - 0.05)).toBeCloseTo(exact, 12);
      expect(similarity(a, b, exact + 0.001)).toBe(exact === 1 ? 1 : 0);
    }),
    { numRuns: 300 },
  );
});

it('is exact from the asked likeness up, and under it otherwise', () => {
  const asked = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fewLetters, fewLetters, asked, (a, b, atLeast) => {
      const exact = similarity(a, b);
      const found = similarity(a, b, atLeast);
      if (exact >= atLeast) expect(found).toBe(exact);
      else expect(found).toBeLessThan(atLeast);
    }),
    { numRuns: 1000 },
  );
});

it('does not compare two texts of 4 KB letter by letter with each other', () => {
  const words =
    'the cart test still fails because total ignores the count of each item in the list'.split(' ');
  const text = (seed: number) =>
    Array.from({ length: 900 }, (_, i) => words[(i * seed + (i >> 3)) % words.length])
      .join(' ')
      .slice(0, 4096);
  const [a, b] = [text(7), text(11)];
  const rounds = 50;
  const time = processorTime(() => {
    for (let i = 0; i < rounds; i++) similarity(a!, b!);
  });
  expect(time / rounds).toBeLessThan(10);
});
