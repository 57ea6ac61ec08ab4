import { expect, test } from 'vitest';
import { wastedTime } from './wasted-time.ts';

const MINUTE = 60_000;
const loop = (end: number, steps: number, advice = false) => ({
  end,
  advice,
  wasted: { steps, tokens: 0, usd: 0 },
});
const TIMES = [0, 1, 2, 3, 4, 30].map((minute) => minute * MINUTE);

test('the time of wasted steps is added up, and a shared step counts once', () => {
  expect(wastedTime(TIMES, [])([loop(4, 2)])).toBe(2 * MINUTE);
  expect(wastedTime(TIMES, [])([loop(4, 2), loop(4, 3)])).toBe(3 * MINUTE);
});

test('advice, long pauses and the time before a message of the user are not wasted', () => {
  expect(wastedTime(TIMES, [])([loop(4, 2, true)])).toBe(0);
  expect(wastedTime(TIMES, [])([loop(5, 2)])).toBe(MINUTE);
  expect(wastedTime(TIMES, [4])([loop(4, 2)])).toBe(MINUTE);
});

test('the time is undefined if the source tells none', () => {
  expect(wastedTime([undefined, undefined], [])([loop(1, 1)])).toBeUndefined();
});
