import { evidenceOf, type SeenStep, spokenAt } from '@unrut/test/detector-steps';
import { describe, expect, test } from 'vitest';
import type { ActionPrint } from '../fingerprint/action.ts';
import { isSameSpot } from './action-window.ts';
import { driftingClick } from './drifting-click/detector.ts';
import { frozenScreen } from './frozen-screen/detector.ts';
import { repeatedAction } from './repeated-action/detector.ts';

const action = (change: Partial<ActionPrint> = {}): ActionPrint => ({
  kind: 'click',
  key: 'k',
  points: [[100, 100]],
  tolerance: 8,
  target: '',
  call: 'c',
  state: 's',
  ...change,
});
/** Each step sees the last actions, as the reader gives them. */
const run = (actions: ActionPrint[]): SeenStep[] =>
  actions.map((_, i) => ({
    type: 'action-finished',
    actions: actions.slice(Math.max(0, i - 11), i + 1),
  }));
const same = (count: number, change: Partial<ActionPrint> = {}) =>
  Array.from({ length: count }, () => action(change));

describe('the same action', () => {
  test('fires softly at the third, and hard at the eighth, or at the seventh if all are of one kind', () => {
    expect(spokenAt(repeatedAction, run(same(8)))).toEqual([
      '2 soft 3',
      '3 soft 4',
      '4 soft 5',
      '5 soft 6',
      '6 hard 7',
      '7 hard 8',
    ]);
    expect(spokenAt(repeatedAction, run(same(8)), { adaptive: false })).toEqual([
      '2 soft 3',
      '3 soft 4',
      '4 soft 5',
      '5 soft 6',
      '6 soft 7',
      '7 hard 8',
    ]);
  });

  test('reports its first step and its calls', () => {
    const [, , third, fourth] = evidenceOf(
      repeatedAction,
      run([action({ key: 'other', call: 'o' }), ...same(3)]),
    );
    expect(third).toBeNull();
    expect(fourth).toMatchObject({
      since: 1,
      count: 3,
      keys: ['c'],
      strength: 0.8,
      facts: { action: 'search' },
    });
  });

  test('has less strength if the screen is unknown', () => {
    expect(evidenceOf(repeatedAction, run(same(3, { state: null }))).at(-1)?.strength).toBe(0.5);
    expect(
      evidenceOf(repeatedAction, run([...same(2), action({ state: null })])).at(-1)?.strength,
    ).toBe(0.5);
  });

  test('that reaches a new screen each time is not a loop, unless `adaptive` is off', () => {
    const forward = Array.from({ length: 4 }, (_, i) => action({ state: `s${i}` }));
    expect(spokenAt(repeatedAction, run(forward))).toEqual([]);
    expect(spokenAt(repeatedAction, run(forward), { adaptive: false })).toEqual([
      '2 soft 3',
      '3 soft 4',
    ]);
    expect(spokenAt(repeatedAction, run([...forward, ...same(2, { state: 's3' })]))).not.toEqual(
      [],
    );
  });

  test('restarts its count after another action', () => {
    expect(
      spokenAt(repeatedAction, run([...same(3), action({ key: 'other' }), ...same(3)])),
    ).toEqual(['2 soft 3', '6 soft 3']);
  });

  test('is not a loop if it scrolls and the screen changes', () => {
    const scroll = (states: string[]) =>
      states.map((state) => action({ kind: 'move-view', state }));
    expect(spokenAt(repeatedAction, run(scroll(['a', 'a', 'a'])))).toEqual(['2 soft 3']);
    expect(spokenAt(repeatedAction, run(scroll(['a', 'a', 'b'])))).toEqual([]);
  });
});

test('a screen is frozen if it shows the same after every action', () => {
  const varied = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      action({ key: `k${i}`, points: [[100 * i, 0]], kind: i % 2 ? 'other' : 'click' }),
    );
  expect(spokenAt(frozenScreen, run(varied(6)))).toEqual(['4 soft 5', '5 soft 6']);
  expect(spokenAt(frozenScreen, run(varied(4)), { adaptive: false })).toEqual([
    '2 soft 3',
    '3 soft 4',
  ]);
  expect(spokenAt(frozenScreen, run(varied(10))).filter((said) => said.includes('hard'))).toEqual([
    '9 hard 10',
  ]);
  expect(spokenAt(frozenScreen, run(varied(6).map((each) => ({ ...each, state: null }))))).toEqual(
    [],
  );
});

test('clicks drift if they are not all equal', () => {
  const clicks = (...xs: number[]) =>
    run(xs.map((x) => action({ key: `at ${x}`, points: [[x, 100]] })));
  expect(spokenAt(driftingClick, clicks(100, 104, 108))).toEqual(['2 soft 3']);
  expect(spokenAt(driftingClick, clicks(100, 100, 100))).toEqual([]);
  expect(spokenAt(driftingClick, clicks(100, 104, 109))).toEqual([]);
});

describe('the same spot', () => {
  test.each<[string, Partial<ActionPrint>, Partial<ActionPrint>, boolean]>([
    ['within the tolerance of the first', {}, { points: [[108, 92]] }, true],
    ['beyond it to the right', {}, { points: [[109, 100]] }, false],
    ['beyond it to the left', {}, { points: [[91, 100]] }, false],
    ['beyond it downwards', {}, { points: [[100, 109]] }, false],
    ['beyond it upwards', {}, { points: [[100, 91]] }, false],
    ['with a larger tolerance', { tolerance: 20 }, { points: [[120, 100]] }, true],
    ['only the tolerance of the first counts', {}, { points: [[120, 100]], tolerance: 20 }, false],
    ['on two things', { target: 'a' }, { target: 'b' }, false],
    ['on one thing', { target: 'a' }, { target: 'a' }, true],
    ['on a thing that only one names', { target: 'a' }, { target: '' }, true],
    ['on a thing that only the other names', { target: '' }, { target: 'a' }, true],
    ['of a click and a drag', {}, { kind: 'drag' }, false],
    ['of two drags', { kind: 'drag' }, { kind: 'drag' }, true],
    ['of what is neither', { kind: 'other' }, { kind: 'other' }, false],
    ['without a point', { points: [] }, { points: [] }, false],
    [
      'of one point and two',
      {},
      {
        points: [
          [100, 100],
          [1, 1],
        ],
      },
      false,
    ],
    [
      'of drags that end elsewhere',
      {
        kind: 'drag',
        points: [
          [1, 1],
          [50, 50],
        ],
      },
      {
        kind: 'drag',
        points: [
          [1, 1],
          [70, 50],
        ],
      },
      false,
    ],
  ])('%s', (_, first, other, expected) =>
    expect(isSameSpot(action(first), action(other))).toBe(expected),
  );
});
