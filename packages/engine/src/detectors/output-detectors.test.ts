import { readFileSync } from 'node:fs';
import { casesOf } from '@unrut/test/full-runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOutput } from '../fingerprint/output.ts';
import type { Evidence } from '../signal.ts';
import type { Detector } from './detector.ts';
import { outputSignature } from './output-signature/detector.ts';
import { similarOutput } from './similar-output/detector.ts';

/** Shows the outputs to a detector alone; its state goes through JSON after every one. */
function run(
  detector: Detector,
  outputs: readonly string[],
  options: object = {},
): { evidence: (Evidence | null)[]; state: unknown; bytes: number } {
  let state: unknown = detector.start();
  let bytes = 0;
  const evidence = outputs.map((output, step) => {
    const seen = {
      type: 'output-finished' as const,
      step,
      tick: step,
      at: step * 1000,
      silence: 1000,
      gap: 1000,
      speaker: '',
      batch: '',
      announced: false,
      neutral: null,
      progress: null,
      output: readOutput(output),
    };
    const found = detector.step(state, seen, { ...detector.options, ...options });
    const json = JSON.stringify(state);
    bytes = Math.max(bytes, new TextEncoder().encode(json).length);
    expect(JSON.parse(json)).toEqual(state);
    state = JSON.parse(json);
    if (found !== null) {
      expect(JSON.parse(JSON.stringify(found))).toEqual(found);
      expect(detector.explain(found)).not.toMatch(/`undefined`|NaN|\[object/);
      expect(found.strength).toBeGreaterThan(0);
      expect(found.strength).toBeLessThanOrEqual(1);
    }
    return found;
  });
  return { evidence, state, bytes };
}

const fired = (detector: Detector, outputs: readonly string[], options: object = {}): number[] =>
  run(detector, outputs, options).evidence.flatMap((found, i) => (found === null ? [] : [i + 1]));

const ERROR = "Error: TypeError - Cannot read property 'id' of null at auth.ts:45";
const FIX = 'Fixed auth.ts - added null check';

describe('output-signature', () => {
  it('fires at the third of three alike and at every further one, with a growing count', () => {
    const { evidence } = run(outputSignature, [ERROR, ERROR, ERROR, ERROR]);
    expect(evidence.map((found) => found?.count ?? 0)).toEqual([0, 0, 3, 4]);
    expect(evidence[2]).toMatchObject({
      variant: 'error',
      since: 0,
      facts: { signature: 'error:TypeError-null-auth.ts' },
    });
    expect(evidence[3]!.keys).toEqual(evidence[2]!.keys);
  });

  it.each([
    ['a, b, a, a', [ERROR, FIX, ERROR, ERROR], []],
    ['a, b, a, a, a', [ERROR, FIX, ERROR, ERROR, ERROR], [5]],
    [
      '3, 2, 1 failing',
      [
        '3 tests failing - auth, login, logout',
        '2 tests failing - auth, login',
        '1 test failing - auth',
      ],
      [],
    ],
    [
      'other work on a file',
      [FIX, 'Fixed auth.ts - updated validation', 'Fixed auth.ts - refactored handler'],
      [],
    ],
    ['empty outputs', ['', '', '', ' \n '], []],
  ])('%s', (_name, outputs, expected) => {
    expect(fired(outputSignature, outputs)).toEqual(expected);
  });

  it.each([
    ['error', ERROR],
    ['tests', '2 tests failing - auth, login'],
    ['files', FIX],
    ['search', "Searched GitHub for 'oauth2 refresh token', found 3 patterns..."],
    ['text', 'Nothing to do.'],
  ])('names the class: %s', (variant, output) => {
    expect(run(outputSignature, [output, output, output]).evidence[2]?.variant).toBe(variant);
  });

  it('takes another threshold', () => {
    expect(fired(outputSignature, [FIX, FIX, FIX, FIX], { threshold: 2 })).toEqual([2, 3, 4]);
    expect(fired(outputSignature, [FIX, FIX, FIX, FIX], { threshold: 4 })).toEqual([4]);
  });

  it('keeps no more than its window', () => {
    const { state } = run(
      outputSignature,
      Array.from({ length: 40 }, (_, i) => `Fixed part-${i}.ts - added check`),
    );
    expect((state as { recent: string[] }).recent).toHaveLength(5);
  });
});

const PAGE =
  'The page shows the login form. The button is grey and a click on it changes nothing, so I tried it again with the keyboard. ';

describe('similar-output', () => {
  it('finds a round of six outputs only with a window of twelve, and says how many lie between', () => {
    const round = [
      'The cache is the heart of the matter.',
      'On the history of login forms, and what they teach us.',
      'Testing is a way of thinking.',
      'Three kinds of tokens, and a fourth.',
      'Where do queues come from?',
      'A short theory of retries.',
    ];
    const outputs = [...round, ...round, ...round];
    expect(fired(similarOutput, outputs)).toEqual([]);
    const { evidence } = run(similarOutput, outputs, { window: 12 });
    expect(similarOutput.explain(evidence.at(-1)!)).toContain('with 5 others between');
  });

  it('fires at the third alike and at every further one, as one streak', () => {
    const { evidence } = run(
      similarOutput,
      ['a', 'b', 'c', 'd'].map((end) => PAGE + end),
    );
    expect(evidence.map((found) => found?.count ?? 0)).toEqual([0, 0, 3, 4]);
    expect(evidence[3]!.keys).toEqual(evidence[2]!.keys);
    expect(evidence[2]).toMatchObject({ variant: 'similar', since: 0, facts: { matches: 2 } });
  });

  it.each([
    ['one retry', [PAGE, PAGE, 'Something else entirely came of it.'], []],
    [
      'two of the last five',
      [PAGE, 'First other thing.', PAGE, 'A second, rather longer one.', PAGE],
      [5],
    ],
    [
      'beyond the window',
      [
        PAGE,
        'one',
        'two apples',
        'three green pears',
        PAGE,
        'four yellow plums',
        'five',
        'six of them left over',
        PAGE,
      ],
      [],
    ],
    ['empty outputs', ['', '', '', ''], []],
    ['falling failures', [9, 7, 4, 2].map((n) => `${PAGE}${n} tests failing`), []],
    ['a falling count', [9, 8, 7, 6].map((n) => `${PAGE}${n} pages left`), []],
    ['a share that rises', [10, 20, 30, 40].map((n) => `${PAGE}${n} of 200`), []],
    ['failures that stop falling', [9, 7, 7, 7].map((n) => `${PAGE}${n} tests failing`), [4]],
  ])('%s', (_name, outputs, expected) => {
    expect(fired(similarOutput, outputs)).toEqual(expected);
  });

  it('fires at one match if configured so', () => {
    expect(fired(similarOutput, [PAGE, PAGE], { matches: 1 })).toEqual([2]);
  });

  it('keeps less than 24 KB, whatever is printed, and no secret', () => {
    for (const piece of [
      'plain words ',
      '"\\',
      '\n',
      '\u0001\u0002x',
      '\u4f60\u597d',
      '\ud83d\ude00',
      '\ud83d ',
    ]) {
      const outputs = Array.from(
        { length: 8 },
        (_, i) => `password=hunter2 ${i} ${piece.repeat(20_000)} ${i}`,
      );
      const { bytes, state } = run(similarOutput, outputs);
      expect(bytes).toBeLessThan(24_000);
      expect(JSON.stringify(state)).not.toContain('hunter2');
    }
  });
});

it('both name a streak alike when the outputs are the same, so that it counts as one', () => {
  const outputs = [FIX, FIX, FIX];
  expect(run(similarOutput, outputs).evidence[2]!.keys).toEqual(
    run(outputSignature, outputs).evidence[2]!.keys,
  );
});

it.each([outputSignature, similarOutput])('$name takes any text without a fault', (detector) => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 8 }),
      (outputs) => {
        run(detector, outputs);
      },
    ),
    { numRuns: casesOf(100) },
  );
});

it.each(['vitest', 'jest', 'pytest', 'go', 'cargo', 'tsc', 'eslint', 'node'])(
  'real output of %s: the same failure thrice is a loop, another one is not',
  (tool) => {
    const recorded = (run: string): string =>
      readFileSync(
        new URL(`../../../../test/fixtures/outputs/${tool}-${run}.txt`, import.meta.url),
        'utf8',
      );
    expect(
      fired(outputSignature, [recorded('first'), recorded('second'), recorded('first')]),
    ).toEqual([3]);
    expect(
      fired(outputSignature, [recorded('first'), recorded('second'), recorded('other')]),
    ).toEqual([]);
  },
);
