import { expect, it } from 'vitest';
import { lettersBetween, nearestName } from './nearest-name.ts';

it.each([
  ['scan', 'scan', 0],
  ['scna', 'scan', 1],
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

it.each([
  ['scna', ['scan', 'sessions'], 'scan'],
  ['sess', ['scan', 'sessions'], 'sessions'],
  ['Shadow', ['shadow'], 'shadow'],
  ['file_read', ['read', 'write'], 'read'],
  ['maxAtempts', ['maxAttempts', 'maxErrors'], 'maxAttempts'],
  ['st', ['stats', 'status'], undefined],
  ['scan', ['scan'], undefined],
  ['publish', ['scan', 'explain'], undefined],
])('by %j of %j is meant %j', (given, names, meant) =>
  expect(nearestName(given, names)).toBe(meant),
);
