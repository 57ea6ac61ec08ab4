import { evidenceOf, type SeenStep, spokenAt } from '@unrut/test/detector-steps';
import { describe, expect, test } from 'vitest';
import { sameAnswer } from './same-answer/detector.ts';

const ask = (i: number, change: SeenStep = {}): SeenStep => ({
  ...change,
  call: { key: `k${i}`, words: [10 * i + 1, 10 * i + 2], ...change.call },
  result: { empty: true, ...change.result },
});
const asks = (count: number, change: SeenStep = {}): SeenStep[] =>
  Array.from({ length: count }, (_, i) => ask(i, change));
/** The second of five questions in vain is another one. */
const withOdd = (odd: SeenStep): string[] =>
  spokenAt(
    sameAnswer,
    asks(5).map((step, i) => (i === 1 ? { ...step, ...odd } : step)),
  );
const ERROR = { class: 'e', kind: '', label: '', words: [], transient: false, refusal: null };

test('the fourth question in vain fires with at most a note', () => {
  expect(spokenAt(sameAnswer, asks(5))).toEqual(['3 empty 4', '4 empty 5']);
  expect(evidenceOf(sameAnswer, asks(4)).at(-1)).toEqual({
    variant: 'empty',
    count: 4,
    since: 0,
    keys: ['answer:search', 'k0', 'k1', 'k2', 'k3'],
    strength: 0.7,
    cap: 'note',
    rule: 'nothing-found',
    facts: { tool: 'search', reworded: false },
  });
});

describe('of five questions in vain', () => {
  test.each<[string, SeenStep, string[]]>([
    ['one that was asked before does not count', ask(0), ['4 empty 4']],
    ['two of one response count once', { ...ask(1), batch: 'b0' }, ['4 empty 4']],
    [
      'one with an error neither counts nor ends',
      ask(1, { result: { error: ERROR } }),
      ['4 empty 4'],
    ],
    [
      'one without a known answer neither counts nor ends',
      ask(1, { result: { known: false } }),
      ['4 empty 4'],
    ],
    ['a write neither counts nor ends', ask(1, { call: { verb: 'write' } }), ['4 empty 4']],
    ['an answer with something in it ends', ask(1, { result: { empty: false } }), []],
    ['a page ends it, too', ask(1, { result: { empty: false, size: 200, digest: 'x' } }), []],
    ['another tool counts by itself', ask(1, { call: { tool: 'other' } }), ['4 empty 4']],
  ])('%s', (_, odd, said) => expect(withOdd(odd)).toEqual(said));

  test('three steps with progress end the streak, two do not', () => {
    const after = (steps: number) => [
      ...asks(3),
      ...Array.from(
        { length: steps },
        (): SeenStep => ({ call: { verb: 'write' }, progress: 'write' }),
      ),
      ask(7),
    ];
    expect(spokenAt(sameAnswer, after(2))).toEqual(['5 empty 4']);
    expect(spokenAt(sameAnswer, after(3))).toEqual([]);
  });
});

test('shell commands that find nothing do not count, unless they are no-ops', () => {
  expect(spokenAt(sameAnswer, asks(6, { call: { shell: true } }))).toEqual([]);
  const nothing = asks(4, { call: { shell: true, verb: 'nothing' } });
  expect(spokenAt(sameAnswer, nothing)).toEqual(['3 no-op 4']);
  expect(evidenceOf(sameAnswer, nothing).at(-1)).not.toHaveProperty('cap');
  expect(
    spokenAt(
      sameAnswer,
      [ask(0), ask(1), ask(0), ask(1), ask(0)].map((step) => ({
        ...step,
        call: { ...step.call, verb: 'nothing' },
      })),
    ),
  ).toEqual(['3 no-op 4', '4 no-op 5']);
});

describe('one page for all questions', () => {
  const pages = (count: number, change: SeenStep = {}) =>
    asks(count, {
      ...change,
      result: { empty: false, size: 200, digest: 'page', ...change.result },
    });

  test('fires if it is long enough', () => {
    expect(spokenAt(sameAnswer, pages(4))).toEqual(['3 page 4']);
    expect(spokenAt(sameAnswer, pages(6, { result: { size: 199 } }))).toEqual([]);
  });

  test.each<[string, SeenStep]>([
    ['files may well hold the same', { call: { target: 'file:a' } }],
    ['a confirmation is no page', { result: { acknowledgement: true } }],
    ['a shell command is no question to an agent', { call: { verb: 'execute', shell: true } }],
    ['what is done to something is no question', { call: { verb: 'execute', target: 'page:x' } }],
  ])('%s', (_, change) => expect(spokenAt(sameAnswer, pages(6, change))).toEqual([]));

  test('from another agent, a report of twenty characters is enough if the prompts are rewordings', () => {
    const prompts = (words: (i: number) => number[], size: number) =>
      spokenAt(
        sameAnswer,
        pages(4).map((step, i) => ({
          ...step,
          call: { ...step.call, verb: 'execute', words: words(i) },
          result: { ...step.result, size },
        })),
      );
    const alike = (i: number) => [1, 2, 100 + 10 * i, 101 + 10 * i];
    expect(prompts(alike, 20)).toEqual(['3 page 4']);
    expect(prompts(alike, 19)).toEqual([]);
    expect(prompts((i) => [1, 2 + i], 20)).toEqual([]);
    expect(prompts((i) => [100 * i + 1, 100 * i + 2, 100 * i + 3, 100 * i + 4], 20)).toEqual([]);
    expect(prompts((i) => [100 * i + 1, 100 * i + 2, 100 * i + 3, 100 * i + 4], 200)).toEqual([
      '3 page 4',
    ]);
  });
});

test('the same question in other words may get more than a note', () => {
  const last = (words: number[], call: object = {}) => {
    const steps = asks(4, { result: { empty: false, size: 200, digest: 'page' } }).map((step) => ({
      ...step,
      call: { ...step.call, ...call },
    }));
    steps[2]!.call.words = [1, 2, 3, 4, 5];
    steps[3]!.call.words = words;
    return evidenceOf(sameAnswer, steps).at(-1)!;
  };
  expect(last([1, 2, 3, 7, 8])).not.toHaveProperty('cap');
  expect(last([1, 2, 6, 7, 8])).toMatchObject({ cap: 'note', facts: { reworded: false } });
  expect(last([1, 2, 3, 7, 8], { shell: true })).toMatchObject({
    cap: 'note',
    facts: { reworded: false },
  });
});

test('calls are called differently worded only if all of them are', () => {
  const last = (first: number[]) => {
    const steps = asks(4, { result: { empty: false, size: 200, digest: 'page' } });
    const words = [first, [1, 2, 3, 9], [1, 2, 3, 8], [1, 2, 3, 7]];
    return evidenceOf(
      sameAnswer,
      steps.map((step, i) => ({ ...step, call: { ...step.call, words: words[i]! } })),
    ).at(-1)!;
  };
  expect(last([1, 2, 3, 4])).toMatchObject({ facts: { reworded: true } });
  expect(last([5, 6, 7, 8])).toMatchObject({ facts: { reworded: false } });
});

test('with a seventeenth tool, the first is forgotten', () => {
  const others = (count: number) =>
    asks(count).map((step, i) => ({ ...step, call: { ...step.call, tool: `other${i}` } }));
  const speaks = (count: number) =>
    spokenAt(sameAnswer, [...asks(3), ...others(count), ask(7)]).length;
  expect([speaks(15), speaks(16)]).toEqual([1, 0]);
});
