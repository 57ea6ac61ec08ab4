import { expect, it } from 'vitest';
import { movedOn } from './counts.ts';

it.each([
  ['3 tests failing', '2 tests failing'],
  ['2 tests failing', '1 test failing'],
  ['12 files remaining', '11 files remaining'],
  ['errors: 5', 'errors: 4'],
  ['converted 3 of 10', 'converted 4 of 10'],
  ['batch 3/10', 'batch 4/10'],
  ['40% done', '50% done'],
  ['7 passed', '8 passed'],
  ['Task 12 complete', 'Task 13 complete'],
  ['8 warnings and 3 errors', '9 warnings and 2 errors'],
])('from %j to %j things have moved on', (before, after) => {
  expect(movedOn(before, after)).toBe(true);
  expect(movedOn(after, before)).toBe(before.includes('warnings'));
  expect(movedOn(before, before)).toBe(false);
});

it.each([
  ['took 312 ms', 'took 280 ms'],
  ['line 45', 'line 30'],
  ['auth.ts:45:3', 'auth.ts:30:2'],
  ['process 9646', 'process 944'],
  ['at 10:05', 'at 10:01'],
  ['Duration 215ms (import 46%, tests 25%)', 'Duration 201ms (import 43%, tests 21%)'],
  ['Iteration 4: nothing', 'Iteration 3: nothing'],
  ['no numbers', 'no numbers at all'],
])('from %j to %j nothing is known to have moved', (before, after) => {
  expect(movedOn(before, after)).toBe(false);
});
