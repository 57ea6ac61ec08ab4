import { expect, test } from 'vitest';
import { canonical } from './canonical.ts';

test.each([
  ['key order', { a: 1, b: { d: 2, c: 3 } }, { b: { c: 3, d: 2 }, a: 1 }],
  ['missing and undefined', { a: 1 }, { a: 1, b: undefined }],
  [
    'volatile names, however they are written',
    { a: 1, request_id: 'x', 'Trace-Id': 1 },
    { a: 1, requestId: 'y' },
  ],
  ['what the model says of its intent', { a: 1, intent: 'look' }, { a: 1, intent: 'look again' }],
])('%s makes no difference', (_, a, b) => {
  expect(canonical(a)).toBe(canonical(b));
});

test.each([
  ['a list and a text with a comma', ['a,b'], ['a', 'b']],
  ['a number and its text', { a: 1 }, { a: '1' }],
  ['null and nothing', { a: null }, {}],
  ['another value', { path: 'a.ts' }, { path: 'b.ts' }],
  [
    'long texts that differ at the end',
    { text: `${'x'.repeat(9000)}a` },
    { text: `${'x'.repeat(9000)}b` },
  ],
  ['a timestamp that is all there is', { timestamp: 1 }, { timestamp: 2 }],
])('%s differ', (_, a, b) => {
  expect(canonical(a)).not.toBe(canonical(b));
});

test('declared identity alone counts', () => {
  const identity = ['order.id'];
  expect(canonical({ order: { id: 1 }, note: 'a' }, { identity })).toBe(
    canonical({ order: { id: 1 }, note: 'b' }, { identity }),
  );
  expect(canonical({ order: { id: 1 } }, { identity })).not.toBe(
    canonical({ order: { id: 2 } }, { identity }),
  );
});

test('cycles, depth and size end, and the arguments are not changed', () => {
  const cyclic: Record<string, unknown> = { b: 1, a: 2 };
  cyclic.self = cyclic;
  expect(canonical(cyclic).length).toBeLessThan(5000);
  expect(Object.keys(cyclic)).toEqual(['b', 'a', 'self']);
  expect(canonical(Array.from({ length: 100_000 }, (_, i) => i)).length).toBeLessThan(100_000);
});
