import { expect, it } from 'vitest';
import { lettersBetween } from './letters-between.ts';

it.each([
  ['scan', 'scan', 0],
  ['scna', 'scan', 2],
  ['sca', 'scan', 1],
  ['', 'scan', 4],
  ['kitten', 'sitting', 3],
])('%j and %j are %d letters apart', (one, other, apart) => {
  expect(lettersBetween(one, other)).toBe(apart);
  expect(lettersBetween(other, one)).toBe(apart);
});

it('counts no further than its limit', () => {
  expect([2, 3, 4].map((limit) => lettersBetween('kitten', 'sitting', limit))).toEqual([2, 3, 3]);
  expect(lettersBetween('a', 'abcdef', 3)).toBe(3);
});
