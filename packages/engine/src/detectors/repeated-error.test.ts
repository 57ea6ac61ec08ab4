import { evidenceOf, type SeenStep, spokenAt } from '@unrut/test/detector-steps';
import { describe, expect, test } from 'vitest';
import type { ErrorPrint } from '../prints.ts';
import { repeatedError } from './repeated-error/detector.ts';

const error = (change: Partial<ErrorPrint> = {}): ErrorPrint => ({
  class: 'e',
  kind: '',
  label: 'it broke',
  words: [],
  transient: false,
  refusal: null,
  ...change,
});
const fail = (i: number, change: SeenStep = {}, kind: Partial<ErrorPrint> = {}): SeenStep => ({
  ...change,
  call: {
    key: `k${i}`,
    tool: 'run',
    verb: 'execute',
    effect: 'any',
    words: [10 * i + 1, 10 * i + 2],
    ...change.call,
  },
  result: { error: error(kind), ...change.result },
});
const fails = (count: number, change: SeenStep = {}, kind: Partial<ErrorPrint> = {}) =>
  Array.from({ length: count }, (_, i) => fail(i, change, kind));
const works = (change: SeenStep = {}): SeenStep => ({
  ...change,
  call: { key: 'w', tool: 'edit', verb: 'write', effect: 'target', ...change.call },
});

describe('errors of one kind from one tool', () => {
  test('the third fires', () => {
    expect(spokenAt(repeatedError, fails(4))).toEqual(['2 persistent 3', '3 persistent 4']);
    expect(evidenceOf(repeatedError, fails(3)).at(-1)).toEqual({
      variant: 'persistent',
      rule: 'errors-in-a-row',
      count: 3,
      since: 0,
      keys: ['error:e', 'k0', 'k1', 'k2'],
      equal: false,
      strength: 0.8,
      facts: { tool: 'run', error: 'it broke', first: 0 },
    });
  });

  test('count as equal only for one call, with nothing done in between', () => {
    const again = [fail(1), fail(1), fail(1)];
    expect(evidenceOf(repeatedError, again).at(-1)?.equal).toBe(true);
    expect(evidenceOf(repeatedError, fails(3)).at(-1)?.equal).toBe(false);
    expect(
      evidenceOf(repeatedError, [
        fail(1),
        fail(1),
        works({ call: { effect: 'none' } }),
        fail(1),
      ]).at(-1)?.equal,
    ).toBe(true);
    expect(evidenceOf(repeatedError, [fail(1), fail(1), works(), fail(1)]).at(-1)?.equal).toBe(
      false,
    );
  });

  test.each<[string, SeenStep[], string[]]>([
    [
      'another kind begins again',
      [fail(0), fail(1, {}, { class: 'f' }), fail(2), fail(3), fail(4)],
      ['4 persistent 3'],
    ],
    [
      'a success of the tool ends it',
      [fail(0), fail(1), works({ call: { tool: 'run' } }), fail(2), fail(3)],
      [],
    ],
    [
      'a success of another tool does not',
      [fail(0), fail(1), works(), fail(2)],
      ['3 persistent 3'],
    ],
    [
      'fewer failures begin again',
      [fail(0), fail(1, { progress: 'falling' }), fail(2), fail(3)],
      ['3 persistent 3'],
    ],
    [
      'a message that is new begins again',
      [fail(0), fail(1, { progress: 'novel' }), fail(2), fail(3)],
      ['3 persistent 3'],
    ],
    [
      'a new answer to the same call begins again',
      [fail(0), fail(0, { result: { novelty: 0.2 } }), fail(0), fail(0)],
      ['3 persistent 3'],
    ],
    [
      'an answer that is hardly new does not',
      [fail(0), fail(0, { result: { novelty: 0.19 } }), fail(0)],
      ['2 persistent 3'],
    ],
    [
      'nor does one that came before',
      [fail(0), fail(0, { result: { novelty: 0.5, sameInARow: 2 } }), fail(0)],
      ['2 persistent 3'],
    ],
    [
      'a second tool counts by itself',
      [fail(0), fail(1, { call: { tool: 'other' } }), fail(2), fail(3)],
      ['3 persistent 3'],
    ],
  ])('%s', (_, steps, said) => expect(spokenAt(repeatedError, steps)).toEqual(said));

  test('"not found" to a reworded question counts, however new the message is', () => {
    const asked = (verb: 'read' | 'execute') =>
      [0, 1, 2].map((i) =>
        fail(i, { progress: i === 0 ? null : 'novel', call: { verb, words: [1, 2, 3, 10 + i] } }),
      );
    expect(spokenAt(repeatedError, asked('read'))).toEqual(['2 persistent 3']);
    expect(spokenAt(repeatedError, asked('execute'))).toEqual([]);
  });

  test('a call that uses words of the message restarts the count', () => {
    const tries = (fresh: number) => [
      fail(0, { call: { words: [1, 2] } }, { words: [7] }),
      fail(1, { call: { words: [1, fresh] } }, { words: [7] }),
      fail(2, { call: { words: [1, fresh] } }),
      fail(3, { call: { words: [1, fresh] } }),
    ];
    expect(spokenAt(repeatedError, tries(7))).toEqual(['3 persistent 3']);
    expect(spokenAt(repeatedError, tries(8))).toEqual(['2 persistent 3', '3 persistent 4']);
  });

  test('names its target', () => {
    expect(evidenceOf(repeatedError, fails(3, { call: { target: 'file:a' } })).at(-1)?.target).toBe(
      'file:a',
    );
    expect(evidenceOf(repeatedError, fails(3)).at(-1)).not.toHaveProperty('target');
  });

  test('at most six calls are named', () => {
    expect(evidenceOf(repeatedError, fails(8)).at(-1)?.keys).toEqual([
      'error:e',
      'k2',
      'k3',
      'k4',
      'k5',
      'k6',
      'k7',
    ]);
  });

  test('with a ninth tool, the first is forgotten', () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        fail(50 + i, { call: { tool: `other${i}` } }, { class: `o${i}` }),
      );
    const speaks = (count: number) =>
      spokenAt(repeatedError, [fail(0), fail(1), ...others(count), fail(2)]).length;
    expect([speaks(7), speaks(8)]).toEqual([1, 0]);
  });
});

describe('after edits one more is needed', () => {
  test('if each error came after one', () => {
    const edited = [0, 1, 2, 3].flatMap((i) => [fail(i), works({ progress: 'write' })]);
    expect(spokenAt(repeatedError, edited)).toEqual(['6 after-edits 4']);
    expect(evidenceOf(repeatedError, edited)[6]).toMatchObject({ strength: 0.7, equal: false });
    expect(spokenAt(repeatedError, [...edited.slice(0, 3), fail(2), fail(3)])).toEqual([
      '3 persistent 3',
      '4 persistent 4',
    ]);
  });

  test('if a write failed and something else went through', () => {
    const write = (i: number) => fail(i, { call: { verb: 'write' } });
    expect(spokenAt(repeatedError, [write(0), write(1), write(2)])).toEqual(['2 persistent 3']);
    expect(spokenAt(repeatedError, [write(0), works(), write(1), write(2), write(3)])).toEqual([
      '4 persistent 4',
    ]);
  });
});

describe('a transient condition', () => {
  const passing = (count: number) =>
    fails(count, { neutral: 'transient-error' }, { transient: true });

  test('fires at the third, with at most a note', () => {
    expect(spokenAt(repeatedError, passing(4))).toEqual(['2 transient 3', '3 transient 4']);
    expect(evidenceOf(repeatedError, passing(3)).at(-1)).toMatchObject({
      keys: ['transient:run'],
      cap: 'note',
      strength: 0.6,
      since: 0,
    });
  });

  test('is counted separately from persistent errors', () => {
    expect(spokenAt(repeatedError, [...passing(2), fail(5), fail(6), fail(7)])).toEqual([
      '4 persistent 3',
    ]);
  });
});

describe('errors with something else in common', () => {
  const kind = { kind: 'one kind', class: '' };
  const bySeveral = (count: number, change: SeenStep = {}) =>
    Array.from({ length: count }, (_, i) =>
      fail(
        i,
        { ...change, call: { tool: `run${i}`, ...change.call } },
        { ...kind, class: `c${i}` },
      ),
    );

  test('one kind from several tools fires at the fourth', () => {
    expect(spokenAt(repeatedError, bySeveral(5))).toEqual([
      '3 several-tools 4',
      '4 several-tools 5',
    ]);
    expect(evidenceOf(repeatedError, bySeveral(4)).at(-1)).toEqual({
      variant: 'several-tools',
      rule: 'error-of-several-tools',
      count: 4,
      since: 0,
      keys: ['error:c3', 'k0', 'k1', 'k2', 'k3'],
      strength: 0.7,
      facts: { tool: 'run1`, `run2`, `run3', error: 'it broke', first: 0 },
    });
  });

  test('one call with a different message each time fires at the fourth', () => {
    const other = (i: number, change: SeenStep = {}) => fail(1, change, { class: `c${i}` });
    expect(
      spokenAt(
        repeatedError,
        [0, 1, 2, 3].map((i) => other(i)),
      ),
    ).toEqual(['3 other-words 4']);
    expect(
      spokenAt(
        repeatedError,
        [0, 1, 2, 3].map((i) => other(i, { result: { known: false } })),
      ),
    ).toEqual([]);
    expect(
      spokenAt(
        repeatedError,
        [0, 1, 2, 3].map((i) => other(i, { call: { shell: true, words: [] } })),
      ),
    ).toEqual([]);
    expect(
      spokenAt(
        repeatedError,
        [0, 1, 2, 3].map((i) => other(i, { call: { shell: true } })),
      ),
    ).toEqual(['3 other-words 4']);
  });

  test('any progress ends both', () => {
    const [a, b, c, d] = bySeveral(4);
    expect(spokenAt(repeatedError, [a!, b!, works({ progress: 'write' }), c!, d!])).toEqual([]);
    expect(spokenAt(repeatedError, [a!, b!, works(), c!, d!])).toEqual(['4 several-tools 4']);
    expect(spokenAt(repeatedError, [a!, b!, { ...c!, progress: 'falling' }, d!])).toEqual([]);
    expect(spokenAt(repeatedError, [a!, b!, { ...c!, progress: 'novel' }, d!])).toEqual([
      '3 several-tools 4',
    ]);
  });
});
