import { evidenceOf, type SeenStep, spokenAt } from '@unrut/test/detector-steps';
import { describe, expect, test } from 'vitest';
import type { Paragraph } from '../fingerprint/text-print.ts';
import { monologue } from './monologue/detector.ts';
import { repeatedMessage } from './repeated-message/detector.ts';
import { repeatedThought } from './repeated-thought/detector.ts';

const range = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from + i);
const times = <T>(count: number, make: (i: number) => T): T[] => range(0, count).map(make);
const print = (change: Partial<Paragraph>): Paragraph => ({
  words: 20,
  key: 1,
  shape: 1,
  trigrams: [],
  vocabulary: [],
  references: [],
  ...change,
});
const said = (
  message: Paragraph,
  change: SeenStep = {},
  channel: 'answer' | 'thinking' = 'answer',
): SeenStep => ({
  type: 'text-added',
  ...change,
  text: { channel, grams: '', paragraphs: [message], message, reportsLoop: null },
});
describe('monologue', () => {
  /** So many of ten words are those of the others. */
  const message = (i: number, common: number, change: Partial<Paragraph> = {}): Paragraph =>
    print({
      key: i,
      shape: i,
      vocabulary: [...range(0, common), ...range(100 + 20 * i, 10 - common)],
      ...change,
    });
  const says = (steps: SeenStep[], options: object = {}): string[] =>
    spokenAt(monologue, steps, options);

  test('the third message in much the same words fires', () => {
    expect(says(times(4, (i) => said(message(i, 8))))).toEqual(['2 alike 3', '3 alike 4']);
    expect(says(times(4, () => said(message(1, 8))))).toEqual(['2 equal 3', '3 equal 4']);
  });

  test('only equal messages count as equal evidence', () => {
    const last = (steps: SeenStep[]) => evidenceOf(monologue, steps).at(-1);
    expect(last(times(3, (i) => said(message(i, 8))))).toMatchObject({
      equal: false,
      strength: 0.8,
      since: 0,
      keys: ['0'],
    });
    expect(last(times(3, () => said(message(40, 8))))).toMatchObject({
      equal: true,
      strength: 0.95,
      since: 0,
      keys: ['14'],
    });
    expect(
      last([said(message(1, 8)), said(message(2, 8)), said(message(2, 8)), said(message(2, 8))]),
    ).toMatchObject({
      equal: true,
      count: 4,
    });
    expect(last([said(message(1, 8)), said(message(2, 8)), said(message(2, 8))])).toMatchObject({
      equal: false,
      count: 3,
    });
  });

  test.each<[string, SeenStep]>([
    ['a call', {}],
    ['the user', { ...said(message(9, 0)), type: 'user-spoke' }],
    ['another speaker', said(message(9, 8), { speaker: 'b' })],
    ['a message about something else', said(message(9, 0))],
  ])('%s in between restarts the count', (_, odd) => {
    const steps = [
      said(message(0, 8)),
      said(message(1, 8)),
      odd,
      said(message(2, 8)),
      said(message(3, 8)),
    ];
    expect(says(steps)).toEqual([]);
  });

  test('reasoning does not count', () => {
    expect(says(times(5, (i) => said(message(i, 8), {}, 'thinking')))).toEqual([]);
    expect(
      says([
        said(message(0, 8)),
        said(message(1, 8)),
        said(message(9, 0), {}, 'thinking'),
        said(message(2, 8)),
      ]),
    ).toEqual(['3 alike 3']);
  });

  test('more than half of the words must be the same, or half of the trigrams', () => {
    const share = (common: number) => says(times(3, (i) => said(message(i, common)))).length;
    // 8 of 12 different words; 7 of 13.
    expect([share(8), share(7)]).toEqual([1, 0]);
    const trigrams = (common: number) =>
      says(
        times(3, (i) =>
          said(
            message(i, 0, { trigrams: [...range(0, common), ...range(100 + 20 * i, 6 - common)] }),
          ),
        ),
      ).length;
    expect([trigrams(4), trigrams(3)]).toEqual([1, 0]);
  });

  test('the share does not count if there are few words', () => {
    const few = (count: number) =>
      says(times(3, (i) => said(print({ key: i, shape: i, vocabulary: range(0, count) })))).length;
    expect([few(8), few(7)]).toEqual([1, 0]);
  });

  test('a short message counts if it is equal, and a very short one takes one more', () => {
    const short = (words: number, key: (i: number) => number) =>
      says(times(4, (i) => said(message(key(i), 8, { words }))));
    expect(short(8, (i) => i)).toEqual(['2 alike 3', '3 alike 4']);
    expect(short(7, (i) => i)).toEqual([]);
    expect(short(5, () => 1)).toEqual(['2 equal 3', '3 equal 4']);
    const begun = (...steps: SeenStep[]) => says([said(message(9, 8)), ...steps]);
    expect(begun(...times(4, () => said(message(1, 8, { words: 4 }))))).toEqual(['4 equal 4']);
    expect(short(4, () => 1)).toEqual([]);
  });

  test('a message with more than a third of new names, or with any if the sentences are the same, is a different one', () => {
    const naming = (fresh: number, shape: (i: number) => number) =>
      says(
        times(3, (i) =>
          said(
            message(i, 8, {
              shape: shape(i),
              references: [...range(0, 3 - fresh), ...range(100 + 10 * i, fresh)],
            }),
          ),
        ),
      ).length;
    expect([naming(0, (i) => i), naming(1, (i) => i), naming(2, (i) => i)]).toEqual([1, 1, 0]);
    expect([naming(0, () => 1), naming(1, () => 1)]).toEqual([1, 0]);
  });

  test('similar messages count from the first of them', () => {
    const steps = [
      said(message(0, 0)),
      said(message(1, 8)),
      said(message(2, 8)),
      said(message(3, 8)),
    ];
    expect(evidenceOf(monologue, steps).at(-1)).toMatchObject({ count: 3, since: 1, keys: ['1'] });
  });
});

describe('repeated-message', () => {
  const message = (i: number, common: number, change: Partial<Paragraph> = {}): Paragraph =>
    print({
      key: i,
      vocabulary: [...range(0, common), ...range(100 + 20 * i, 10 - common)],
      ...change,
    });
  const call = (change: SeenStep = {}): SeenStep => ({
    ...change,
    result: { size: 40, ...change.result },
  });
  const says = (steps: SeenStep[], options: object = {}): string[] =>
    spokenAt(repeatedMessage, steps, options);

  test('the third message without calls in between fires if six tenths of the words are the same', () => {
    expect(says(times(3, (i) => said(message(i, 8))))).toEqual(['2 only-talk 3']);
    expect(says(times(4, (i) => said(message(i, 7))))).toEqual([]);
  });

  test('with calls in between that bring little, a smaller share is enough', () => {
    const between = (common: number, change: SeenStep = {}) =>
      says([
        said(message(0, common)),
        call(change),
        said(message(1, common)),
        call(change),
        said(message(2, common)),
      ]);
    expect(between(7)).toEqual(['4 in-vain 3']);
    expect(between(6)).toEqual([]);
    expect(between(9, { result: { size: 39 } })).toEqual(['4 in-vain 3']);
    expect(between(8, { result: { size: 39 } })).toEqual([]);
    expect(between(8, { result: { known: false } })).toEqual([]);
    expect(between(7, { result: { novelty: 0.35 } })).toEqual(['4 in-vain 3']);
    expect(between(7, { result: { novelty: 0.36 } })).toEqual([]);
    expect(between(9, { progress: 'write' })).toEqual([]);
    expect(between(9, { progress: 'screen' })).toEqual([]);
    expect(between(9, { progress: 'novel' })).toEqual(['4 in-vain 3']);
  });

  test('reports its first step and how many calls were in between', () => {
    const steps = [
      said(message(0, 8)),
      call(),
      said(message(1, 8)),
      call(),
      call(),
      said(message(2, 8)),
    ];
    expect(evidenceOf(repeatedMessage, steps).at(-1)).toMatchObject({
      count: 3,
      since: 0,
      strength: 0.6,
      facts: { tried: 3 },
    });
  });

  test('each speaker is compared only with itself', () => {
    expect(says(times(4, (i) => said(message(i, 8), { speaker: i % 2 ? 'a' : 'b' })))).toEqual([]);
    expect(says(times(5, (i) => said(message(i, 8), { speaker: i % 2 ? 'a' : 'b' })))).toEqual([
      '4 only-talk 3',
    ]);
  });

  test('a short message counts if nearly all its words are the same, and a very short one never', () => {
    const short = (words: number, common: number) =>
      says(times(3, (i) => said(message(i, common, { words })))).length;
    expect([short(12, 8), short(11, 8), short(11, 10), short(6, 10), short(5, 10)]).toEqual([
      1, 0, 1, 1, 0,
    ]);
  });

  test('the messages must be among the last eight of the speaker', () => {
    const far = (count: number) =>
      says([
        said(message(0, 8)),
        said(message(1, 8)),
        ...times(count, (i) => said(message(50 + i, 0))),
        said(message(2, 8)),
      ]).length;
    expect([far(5), far(6)]).toEqual([1, 0]);
  });

  test('five short messages in which several speakers only agree fire', () => {
    const agree = (count: number, speakers: number, change: Partial<Paragraph> = {}) =>
      says([
        said(print({ key: 99, vocabulary: range(0, 12), words: 60 }), { speaker: 's0' }),
        ...times(count, (i) =>
          said(print({ key: i, words: 8, vocabulary: [i, 100 + i], ...change }), {
            speaker: `s${i % speakers}`,
          }),
        ),
      ]);
    expect(agree(5, 2)).toEqual(['5 assent 5']);
    expect(agree(4, 2)).toEqual([]);
    expect(agree(5, 1)).toEqual([]);
    expect(agree(6, 2, { words: 41 })).toEqual([]);
    expect(agree(6, 2, { vocabulary: [1, 100, 101] }).length).toBeGreaterThan(0);
  });
});

describe('repeated-thought', () => {
  const thought = (i: number, change: Partial<Paragraph> = {}): Paragraph =>
    print({ key: i, shape: i, trigrams: range(0, 10), ...change });
  const says = (steps: SeenStep[], options: object = {}): string[] =>
    spokenAt(repeatedThought, steps, options);
  const think = (paragraph: Paragraph, change: SeenStep = {}) =>
    said(paragraph, change, 'thinking');

  test('the fourth similar paragraph fires', () => {
    expect(says(times(5, () => think(thought(1))))).toEqual(['3 exact 4', '4 exact 5']);
    expect(says(times(4, (i) => think(thought(i, { shape: 1 }))))).toEqual(['3 templated 4']);
    expect(says(times(4, (i) => think(thought(i))))).toEqual(['3 overlap 4']);
    const share = (common: number) =>
      says(
        times(4, (i) =>
          think(
            thought(i, { trigrams: [...range(0, common), ...range(100 + 20 * i, 18 - common)] }),
          ),
        ),
      ).length;
    // 16 of 20 different ones; 15 of 21.
    expect([share(16), share(15)]).toEqual([1, 0]);
  });

  test('the least similar paragraph determines the variant and the strength', () => {
    const last = (steps: SeenStep[]) => evidenceOf(repeatedThought, steps).at(-1);
    expect(last(times(4, () => think(thought(1))))).toMatchObject({
      equal: true,
      strength: 0.9,
      since: 0,
      keys: ['1'],
    });
    expect(
      last([...times(3, () => think(thought(1))), think(thought(2, { shape: 1 }))]),
    ).toMatchObject({
      variant: 'templated',
      equal: false,
      strength: 0.8,
    });
  });

  test.each<[string, SeenStep, number]>([
    ['the user', { ...think(thought(9, { trigrams: [] })), type: 'user-spoke' }, 0],
    ['progress', { type: 'call-finished', progress: 'novel' }, 0],
    ['a call that brings nothing', { type: 'call-finished' }, 1],
    ['another thought', think(thought(9, { trigrams: range(500, 9) })), 1],
  ])('%s in between', (_, odd, speaks) => {
    expect(
      says([...times(2, () => think(thought(1))), odd, ...times(2, () => think(thought(1)))]),
    ).toHaveLength(speaks);
  });

  test('paragraphs that each name something new are work', () => {
    expect(says(times(6, (i) => think(thought(i, { references: [i] }))))).toEqual([]);
    expect(says(times(5, (i) => think(thought(i, { references: [i === 0 ? 1 : 0] }))))).not.toEqual(
      [],
    );
  });

  test('short thoughts count only in a row and if equal', () => {
    const short = (keys: number[], channel: 'thinking' | 'answer' = 'thinking') =>
      says(keys.map((key) => said(thought(key, { words: 7 }), {}, channel)));
    expect(short(times(6, () => 1))).toEqual(['5 short 6']);
    expect(short([1, 1, 1, 2, 1, 1, 1])).toEqual([]);
    expect(
      short(
        times(8, () => 1),
        'answer',
      ),
    ).toEqual([]);
    expect(says(times(8, () => think(thought(1, { words: 0 }))))).toEqual([]);
    expect(
      says([
        ...times(3, () => think(thought(1, { words: 7 }))),
        think(thought(5)),
        ...times(3, () => think(thought(1, { words: 7 }))),
      ]),
    ).toEqual([]);
  });

  test('twelve reshuffled paragraphs fire with at most a hint, even if each names something new', () => {
    const shuffled = (count: number, words: number, channel: 'thinking' | 'answer' = 'thinking') =>
      evidenceOf(
        repeatedThought,
        times(count, (i) => said(thought(i, { words, references: [i] }), {}, channel)),
      ).at(-1);
    expect(shuffled(12, 24)).toMatchObject({
      variant: 'reshuffled',
      cap: 'hint',
      strength: 0.7,
      facts: { alike: 12 },
    });
    expect(shuffled(11, 24)).toBeNull();
    expect(shuffled(12, 23)).toBeNull();
    expect(shuffled(14, 24, 'answer')).toBeNull();
  });

  test('thoughts are compared per speaker, and sixteen are kept', () => {
    expect(says(times(6, (i) => think(thought(1), { speaker: `s${i % 2}` })))).toEqual([]);
    const far = (count: number) =>
      says([
        ...times(3, () => think(thought(1))),
        ...times(count, (i) => think(thought(50 + i, { trigrams: range(1000 + 20 * i, 9) }))),
        think(thought(1)),
      ]).length;
    expect([far(13), far(14)]).toEqual([1, 0]);
  });
});
