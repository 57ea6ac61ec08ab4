import { casesOf } from '@unrut/test/full-runs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextAdded } from '../event.ts';
import { overlap, Sketch } from './sketch.ts';
import { endMessage, readText, startText, type TextState } from './text.ts';
import type { Paragraph } from './text-print.ts';

const SEED = 0x5eed;

const added = (text: string, more: Partial<TextAdded> = {}): TextAdded => ({
  type: 'text-added',
  session: 's',
  at: 0,
  channel: 'answer',
  text,
  ...more,
});

/** Reads a text in the given pieces, through JSON after every one. */
function read(pieces: readonly string[], more: Partial<TextAdded> = {}, seed = SEED) {
  let state = startText();
  let grams = '';
  const paragraphs: Paragraph[] = [];
  let message: Paragraph | null = null;
  pieces.forEach((piece, i) => {
    const print = readText(state, added(piece, { done: i === pieces.length - 1, ...more }), seed);
    grams += print.grams;
    paragraphs.push(...print.paragraphs);
    message = print.message;
    state = JSON.parse(JSON.stringify(state));
  });
  return { grams, paragraphs, message: message as Paragraph | null, state };
}

const only = (text: string): Paragraph => read([text]).message!;

/**
 * Text as it comes: words, paths, quotes, list marks, blank lines, ideographs, emoji, lone halves
 * of a pair.
 */
const piece = fc.oneof(
  fc.constantFrom(
    'I',
    'will',
    'the',
    'src/a.ts',
    'fooBar',
    'snake_case',
    '42',
    '3.14',
    '10:30',
    "don't",
    'ÄÖ',
    'Привет',
    '检查文件',
    '🎉',
    '\ud83c',
    '\udf89',
  ),
  fc.constantFrom(
    ' ',
    '\n',
    '\n\n',
    '\r\n',
    '\t',
    '. ',
    '... ',
    ', ',
    '--',
    '::',
    '://',
    '"',
    '`',
    "'",
    '“',
    '”',
    '- ',
    '1. ',
    '\u00a0',
    '\u3000',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ maxLength: 30 }),
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 80 }).map((parts) => parts.join('')),
  fc.array(piece, { minLength: 200, maxLength: 400 }).map((parts) => parts.join('')),
);
const cut = fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 30 });

function cutUp(whole: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, i = 0; at < whole.length; i++) {
    const size = sizes[i % sizes.length]! || (i % sizes.length === 0 ? 1 : 0);
    pieces.push(whole.slice(at, at + size));
    at += size;
  }
  return pieces.length > 0 ? pieces : [''];
}

describe('reading text in deltas', () => {
  test('however a text is cut, even inside a character, the prints are the same', () => {
    fc.assert(
      fc.property(text, cut, (whole, sizes) => {
        const { grams, paragraphs, message } = read(cutUp(whole, sizes));
        const expected = read([whole]);
        expect({ grams, paragraphs, message }).toEqual({
          grams: expected.grams,
          paragraphs: expected.paragraphs,
          message: expected.message,
        });
      }),
      { numRuns: casesOf(400) },
    );
  });

  test('a message that a call ends gives the same prints as one that says it is done', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const state = startText();
        const print = readText(state, added(whole), SEED);
        const ended = endMessage(state, 'answer', SEED);
        const expected = read([whole]);
        expect([...print.paragraphs, ...(ended?.paragraphs ?? [])]).toEqual(expected.paragraphs);
        expect(ended?.message ?? null).toEqual(expected.message);
        expect(state).toEqual(startText());
      }),
    );
  });

  test('grams stay in the range that no surrogate is in, one for each character, runs of white space as one', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const { grams } = read([whole]);
        for (let i = 0; i < grams.length; i++) {
          expect(grams.charCodeAt(i)).toBeGreaterThanOrEqual(0x100);
          expect(grams.charCodeAt(i)).toBeLessThanOrEqual(0x80ff);
        }
      }),
      { numRuns: casesOf(100) },
    );
    expect(read(['one two']).grams).toHaveLength(7);
    expect(read(['one \n\t  two']).grams).toBe(read(['one two']).grams);
  });

  test('the channels do not meet', () => {
    const state = startText();
    readText(state, added('The answer be'), SEED);
    readText(state, added('a thought in between', { channel: 'thinking', done: true }), SEED);
    expect(readText(state, added('gins here', { done: true }), SEED).message).toEqual(
      only('The answer begins here'),
    );
  });

  test('without a channel both are ended, and the answer is the message', () => {
    const state = startText();
    expect(endMessage(state)).toBeNull();
    readText(state, added('What I think of it', { channel: 'thinking' }), SEED);
    readText(state, added('What I say to it'), SEED);
    const ended = endMessage(state, undefined, SEED)!;
    expect(ended.channel).toBe('answer');
    expect(ended.message).toEqual(only('What I say to it'));
    expect(ended.paragraphs).toEqual([
      ...read(['What I think of it']).paragraphs,
      ...read(['What I say to it']).paragraphs,
    ]);
    expect(endMessage(state)).toBeNull();
  });
});

describe('paragraphs', () => {
  const counts = (whole: string) => read([whole]).paragraphs.map((paragraph) => paragraph.words);

  test.each([
    ['blank lines part them', 'one two\n\nthree four five\n\n\nsix', [2, 3, 1]],
    ['a blank line may hold white space', 'one two\r\n \t\r\nthree', [2, 1]],
    ['line ends alone do not', 'one\ntwo\nthree', [3]],
    ['a ruler is none', 'one\n\n-----\n\ntwo', [1, 1]],
    [
      'a long one without blank lines ends at a line end',
      `${'word '.repeat(90)}\nnext line\nand more`,
      [90, 4],
    ],
    ['an empty text has none', ' \n\n ', []],
    ['an ideograph is a word', '检查文件', [4]],
  ])('%s', (_, whole, expected) => {
    expect(counts(whole)).toEqual(expected);
  });

  test('layout, case and punctuation do not change the key, words and their order do', () => {
    const { key } = only('Let me read the file again, then decide.');
    expect(only('let me read\nthe FILE again; then decide').key).toBe(key);
    expect(only('Let me read the file, then decide again.').key).not.toBe(key);
    expect(only('Let me read the files again, then decide.').key).not.toBe(key);
  });

  test('a message is its paragraphs together', () => {
    const { paragraphs, message } = read([
      'Read src/a.ts first, it is short.\n\nThen run the tests of src/b.ts.',
    ]);
    const union = new Sketch(32);
    for (const { vocabulary } of paragraphs) union.merge(vocabulary);
    expect(message!.vocabulary).toEqual(union.values);
    expect(message!.words).toBe(paragraphs[0]!.words + paragraphs[1]!.words);
  });

  test('another seed gives other fingerprints', () => {
    const one = read(['Read src/a.ts again'], {}, 1);
    const two = read(['Read src/a.ts again'], {}, 2);
    expect(one.grams).not.toBe(two.grams);
    expect(one.message!.key).not.toBe(two.message!.key);
    expect(one.message!.references).not.toEqual(two.message!.references);
  });
});

describe('what a text names', () => {
  test.each([
    ['a path', 'look at src/deep/file.ts now', 1],
    ['an absolute path', 'look in /work now', 1],
    ['a URL', 'see https://example.com/a/b for it', 1],
    ['camel case', 'call getUserName here', 1],
    ['snake case', 'call get_user_name here', 1],
    ['a dotted name', 'set window.location here', 1],
    ['a number', 'it took 42 of them', 1],
    ['a name with a digit', 'in utf8 it works', 1],
    ['a quotation', 'it says "file missing" again', 1],
    ['a quotation in back-ticks', 'run `the tests` again', 1],
    ['the same thing twice', 'src/a.ts and again SRC/A.ts', 1],
    ['plain words', "Let me look again, e.g. at the well-known file, don't stop.", 0],
    ['the ordinals of a list', '1. first\n2. second\n3) third', 0],
    ['an end without a space after it', 'Wait... --really', 0],
    ['an emphasised word', 'a _very_ *good* idea', 0],
    ['a long quotation', `"${'word '.repeat(20)}"`, 0],
  ])('%s', (_, whole, expected) => {
    expect(only(whole).references).toHaveLength(expected);
  });

  test('trailing punctuation does not belong to a name', () => {
    const { references } = only('open src/a.ts now');
    for (const whole of ['open src/a.ts.', '(src/a.ts)', 'open src/a.ts: now', '**src/a.ts**'])
      expect(only(whole).references).toEqual(references);
  });

  test('numbers are masked in trigrams and vocabulary, and everything named in the shape', () => {
    const one = only('Attempt 12 at step3 of src/a.ts went wrong');
    const two = only('Attempt 7 at step45 of src/a.ts went wrong');
    expect(two.trigrams).toEqual(one.trigrams);
    expect(two.vocabulary).toEqual(one.vocabulary);
    expect(two.references).not.toEqual(one.references);
    expect(only('Attempt 7 at otherName of lib/b.ts went wrong').shape).toBe(one.shape);
    expect(only('Attempt 7 at otherName of lib/b.ts went well').shape).not.toBe(one.shape);
  });

  test('common words are not vocabulary', () => {
    expect(only("I will not do it, and you don't have to").vocabulary).toEqual([]);
    expect(only('The reactor would explode.').vocabulary).toHaveLength(2);
  });
});

describe('the state', () => {
  const worst = `${Array.from({ length: 400 }, (_, i) => `some_name${i}/with.dots "quoted thing ${i}" veryLongIdentifier${i}`).join(' ')} "open quo`;

  test('stays under 3 KB however much is read', () => {
    const state: TextState = startText();
    let largest = 0;
    for (let i = 0; i < 40; i++) {
      for (const channel of ['answer', 'thinking'] as const) {
        readText(state, added(i % 2 ? worst : `${worst}\n\n`, { channel }), SEED);
        largest = Math.max(largest, JSON.stringify(state).length);
      }
    }
    expect(largest).toBeLessThan(3072);
  });

  test('is under 3 KB even with every number at its longest', () => {
    const state = startText();
    for (const channel of [state.answer, state.thinking]) {
      const full = {
        trigrams: Array(24).fill(999_999),
        vocabulary: Array(32).fill(999_999),
        references: Array(16).fill(999_999),
      };
      const hash = -(2 ** 31);
      Object.assign(channel, {
        grams: { window: 0xffffff, last: 2 },
        last: 0xffff,
        flags: 255,
        tokenLength: 999_999,
        token: hash,
        masked: hash,
      });
      Object.assign(channel, {
        core: hash,
        coreMasked: hash,
        quote: 0x201d,
        quotedWords: 12,
        quoted: hash,
        length: 999_999,
        words: 999_999,
      });
      Object.assign(channel, { previous: [hash, hash], key: hash, shape: hash, paragraph: full });
      Object.assign(channel, {
        message: { words: 999_999, key: 2 ** 32 - 1, shape: 2 ** 32 - 1, ...full },
      });
    }
    expect(Object.keys(state.answer)).toEqual(Object.keys(startText().answer));
    expect(JSON.stringify(state).length).toBeLessThan(3072);
  });

  test('holds no more of the text than its last three characters', () => {
    const secret = 'sk-live-Zq81xXyYwW77';
    const state = startText();
    readText(state, added(`my key is ${secret}`), SEED);
    const strings = JSON.stringify(state, (_, value) =>
      typeof value === 'string' ? expect.fail(`a text: ${value}`) : value,
    );
    // The three codes are packed into one number; next to it only the last code stands alone.
    const codes = new Set([...secret].map((character) => character.charCodeAt(0)));
    const alone = (JSON.parse(strings) as TextState).answer;
    expect(alone.last).toBe('7'.charCodeAt(0));
    expect(alone.grams.window).toBe((87 << 16) | (55 << 8) | 55);
    for (const [name, value] of Object.entries(alone))
      if (typeof value === 'number' && name !== 'last' && name !== 'length')
        expect(codes.has(value)).toBe(false);
  });
});

describe('sketches', () => {
  test('keep the smallest, sorted, each once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 500 })),
        fc.integer({ min: 1, max: 20 }),
        (hashes, size) => {
          const sketch = new Sketch(size);
          for (const hash of hashes) sketch.add(hash);
          expect(sketch.values).toEqual([...new Set(hashes)].sort((a, b) => a - b).slice(0, size));
        },
      ),
    );
  });

  test('the overlap is symmetric, 1 for equal sets, 0 for disjoint and empty ones', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat()), fc.uniqueArray(fc.nat()), (a, b) => {
        a.sort((x, y) => x - y);
        b.sort((x, y) => x - y);
        expect(overlap(a, b)).toBe(overlap(b, a));
        expect(overlap(a, a)).toBe(a.length > 0 ? 1 : 0);
      }),
    );
    expect(overlap([], [])).toBe(0);
    expect(overlap([1, 2], [3, 4])).toBe(0);
  });

  test('with their size known, small sets are compared exactly', () => {
    expect(overlap([1, 2, 9], [1, 2, 3], 8)).toBe(0.5);
    expect(overlap([1], [1, 2, 3, 4], 8)).toBe(0.25);
  });

  test.each([0.2, 0.5, 0.8])('estimates a true overlap of %d', (share) => {
    const shared = Math.round((2000 * share) / (1 + share));
    let sum = 0;
    for (let trial = 0; trial < 60; trial++) {
      const one = new Sketch(24);
      const two = new Sketch(24);
      let x = trial * 7919 + 1;
      for (let i = 0; i < 2000 - shared; i++) {
        x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
        if (i < 1000) one.add(x >>> 4);
        if (i >= 1000 - shared) two.add(x >>> 4);
      }
      sum += overlap(one.values, two.values);
    }
    expect(sum / 60).toBeCloseTo(share, 1);
  });
});
