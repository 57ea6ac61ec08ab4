import { evidenceOf, type SeenStep, spokenAt } from '@unrut/test/detector-steps';
import { describe, expect, test } from 'vitest';
import { stalling } from './stalling/detector.ts';

const ERROR = { class: 'e', kind: '', label: '', words: [], transient: false, refusal: null };
/** An act whose long answer is known. */
const act = (i: number, change: SeenStep = {}): SeenStep => ({
  ...change,
  call: { key: `k${i}`, verb: 'execute', label: `act ${i}`, ...change.call },
  result: { digest: `d${i}`, size: 80, ...change.result },
});
const acts = (count: number, change: SeenStep = {}) =>
  Array.from({ length: count }, (_, i) => act(i, change));
const failing = (...classes: string[]) =>
  classes.map((each, i) =>
    act(i, each === '' ? {} : { result: { error: { ...ERROR, class: each } } }),
  );

test('the configured number of calls without progress fires', () => {
  expect(spokenAt(stalling, acts(6))).toEqual(['4 no-progress 5', '5 no-progress 6']);
  expect(evidenceOf(stalling, acts(5)).at(-1)).toEqual({
    variant: 'no-progress',
    count: 5,
    since: 0,
    keys: ['k0', 'k1', 'k2', 'k3', 'k4'],
    strength: 0.5,
    facts: { call: 'act 4' },
  });
});

test('progress resets the count', () => {
  const steps = acts(8);
  steps[2] = { ...steps[2]!, progress: 'novel' };
  expect(spokenAt(stalling, steps)).toEqual(['7 no-progress 5']);
  expect(evidenceOf(stalling, steps).at(-1)?.since).toBe(3);
});

describe('a look elsewhere, or an action that is only confirmed, does not count', () => {
  test.each<[string, SeenStep, boolean]>([
    ['a look', { call: { verb: 'read' } }, false],
    ['a short answer', { result: { size: 79 } }, false],
    ['an answer that nobody saw', { result: { known: false } }, false],
    ['a look that fails', { call: { verb: 'read' }, result: { error: ERROR } }, true],
    ['a short error', { result: { size: 9, error: ERROR } }, true],
  ])('%s', (_, change, counts) => {
    const steps = acts(5);
    steps[1] = act(1, change);
    expect(spokenAt(stalling, steps)).toEqual(counts ? ['4 no-progress 5'] : []);
  });

  test('the second time it counts', () => {
    const looks = [0, 1, 2].map((i) => act(i, { call: { verb: 'read', key: 'k' } }));
    expect(spokenAt(stalling, looks, { calls: 2 })).toEqual(['2 no-progress 2']);
  });
});

test('calls of one response count once', () => {
  expect(
    spokenAt(
      stalling,
      acts(5).map((step, i) => (i === 1 ? { ...step, batch: 'b0' } : step)),
    ),
  ).toEqual([]);
});

describe('most of the last five calls failed', () => {
  test.each<[string, string[], string[]]>([
    ['three, two of them alike', ['a', 'b', 'a'], ['2 failing 3']],
    ['three, all different', ['a', 'b', 'c'], []],
    ['two', ['a', 'a'], []],
    ['three of five', ['a', '', 'a', '', 'b'].slice(0, 5), ['4 failing 3']],
    ['three of six', ['a', '', '', 'a', '', 'b'], []],
  ])('%s', (_, classes, said) =>
    expect(spokenAt(stalling, failing(...classes), { calls: 20 })).toEqual(said),
  );

  test('progress clears the failures', () => {
    const steps = failing('a', 'a', 'b', 'a');
    steps[1] = { ...steps[1]!, progress: 'novel' };
    expect(spokenAt(stalling, steps)).toEqual([]);
  });
});

describe('a round that is made again', () => {
  const round = (period: number, count: number) =>
    Array.from({ length: count }, (_, i) => act(i % period));

  test('counts when it breaks, and when it has been made three times', () => {
    expect(spokenAt(stalling, round(2, 4))).toEqual([]);
    expect(spokenAt(stalling, round(2, 5))).toEqual([]);
    expect(spokenAt(stalling, round(2, 6))).toEqual(['5 no-progress 6']);
    expect(spokenAt(stalling, [...round(2, 4), act(9)])).toEqual(['4 no-progress 5']);
  });

  test('of three steps, too, and of eight, but not of nine', () => {
    expect(spokenAt(stalling, round(3, 9), { calls: 4 })).toEqual(['8 no-progress 9']);
    expect(spokenAt(stalling, round(8, 16), { calls: 9 })).toEqual([]);
    expect(spokenAt(stalling, round(9, 18), { calls: 10 })).not.toEqual([]);
  });
});
