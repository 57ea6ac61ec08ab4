import type { AgentEvent } from '@unrut/engine/event';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { casesOf } from '../full-runs.ts';
import { verdictsOf } from './loops.ts';

const ANSWER = 'The quick answer to that is a blue lantern on a wooden table.';
const NOISE = [
  'request_id',
  'requestId',
  'correlation_id',
  'correlationId',
  'trace_id',
  'traceId',
  'timestamp',
  'ts',
  'nonce',
  'idempotency_key',
  'idempotencyKey',
];

const run = (calls: { tool: string; args: unknown }[], result: unknown = ANSWER) =>
  verdictsOf(
    calls.map(
      (call, index) =>
        ({
          type: 'call-finished',
          session: 's',
          at: 1_760_000_000_000 + index * 5_000,
          call: { id: `c${index}`, ...call },
          result,
        }) as AgentEvent,
    ),
  );
const firesAt = (verdicts: ReturnType<typeof run>) =>
  verdicts.findIndex(({ signals }) => signals.length > 0) + 1;
const repeatedCall = (verdicts: ReturnType<typeof run>) =>
  verdicts.flatMap(({ signals }) => signals.filter(({ detector }) => detector === 'repeated-call'));

/** Keys that carry meaning: none that a list of noise could hold. */
const key = fc.stringMatching(/^(field|part|column)[a-j]{1,4}$/);
const value = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
);
const args = fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value, { maxKeys: 4 })), {
  minKeys: 1,
  maxKeys: 6,
});

const reversed = (given: unknown): unknown =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? Object.fromEntries(
        Object.entries(given)
          .reverse()
          .map(([name, inner]) => [name, reversed(inner)]),
      )
    : given;
const rotated = (given: Record<string, unknown>) => {
  const entries = Object.entries(given);
  return Object.fromEntries([...entries.slice(1), ...entries.slice(0, 1)]);
};

describe('what never makes another call', () => {
  test('the order of keys', () => {
    fc.assert(
      fc.property(args, (given) => {
        const same = [given, reversed(given), rotated(given)].map((variant) => ({
          tool: 'alpha',
          args: variant,
        }));
        expect(firesAt(run(same))).toBe(3);
      }),
      { numRuns: casesOf(200) },
    );
  });

  test('listed noise keys with any value', () => {
    const noise = fc.dictionary(
      fc.constantFrom(...NOISE),
      fc.oneof(
        fc.uuid(),
        fc.nat().map(String),
        fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }),
      ),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(args, noise, noise, noise, (given, first, second, third) => {
        const same = [first, second, third].map((extra) => ({
          tool: 'fetch_record',
          args: { ...extra, ...given },
        }));
        expect(firesAt(run(same))).toBe(3);
      }),
      { numRuns: casesOf(200) },
    );
  });

  test.each(NOISE)('the noise key %s at every level', (noisy) => {
    const same = [1, 2, 3].map((index) => ({
      tool: 'alpha',
      args: { path: 'a', [noisy]: `x${index}7f`, meta: { [noisy]: index, page: 2 } },
    }));
    expect(firesAt(run(same))).toBe(3);
  });

  test('undefined against missing', () => {
    expect(
      firesAt(
        run([
          { tool: 'alpha', args: { a: 1, b: undefined } },
          { tool: 'alpha', args: { a: 1 } },
          { tool: 'alpha', args: { b: undefined, a: 1 } },
        ]),
      ),
    ).toBe(3);
  });

  test('the description of a Bash call', () => {
    fc.assert(
      fc.property(fc.tuple(fc.string(), fc.string(), fc.string()), (descriptions) => {
        expect(
          firesAt(
            run(
              descriptions.map((description) => ({
                tool: 'Bash',
                args: { command: 'ls -la src', description },
              })),
            ),
          ),
        ).toBe(3);
      }),
      { numRuns: casesOf(100) },
    );
  });

  test('whitespace between the words of a shell command', () => {
    const commands = [
      ['ls', '-la', 'src'],
      ['grep', '-rn', "'two  words'", 'src', 'docs'],
      ['git', 'log', '--oneline', '-5'],
      ['npm', 'run', 'lint', '--', '--fix'],
    ];
    const space = fc.stringMatching(/^[ \t]{1,3}$/);
    const edge = fc.stringMatching(/^[ \t]{0,3}$/);
    fc.assert(
      fc.property(
        fc.constantFrom(...commands),
        fc.array(fc.tuple(edge, space, edge), { minLength: 3, maxLength: 3 }),
        (words, spaces) => {
          const same = spaces.map(([before, between, after]) => ({
            tool: 'Bash',
            args: { command: `${before}${words.join(between)}${after}` },
          }));
          expect(firesAt(run(same))).toBe(3);
        },
      ),
      { numRuns: casesOf(100) },
    );
  });
});

describe('what always makes another call', () => {
  const three = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.uniqueArray(arbitrary, {
      minLength: 3,
      maxLength: 3,
      selector: (item) => JSON.stringify(item),
    });
  const word = fc.stringMatching(/^[a-z]{2,9}$/);
  const never = (calls: { tool: string; args: unknown }[]) =>
    expect(repeatedCall(run(calls))).toEqual([]);

  const kinds: [string, fc.Arbitrary<{ tool: string; args: unknown }[]>][] = [
    [
      'another file to read',
      three(word).map((names) =>
        names.map((name) => ({ tool: 'Read', args: { file_path: `/repo/src/${name}.ts` } })),
      ),
    ],
    [
      'another file in a command',
      three(word).map((names) =>
        names.map((name) => ({ tool: 'Bash', args: { command: `cat src/${name}.ts` } })),
      ),
    ],
    [
      'another flag',
      three(fc.constantFrom('-l', '-a', '-R', '-S', '--author', '--full-time')).map((flags) =>
        flags.map((flag) => ({ tool: 'Bash', args: { command: `ls ${flag} src` } })),
      ),
    ],
    [
      'another test name',
      three(word).map((names) =>
        names.map((name) => ({ tool: 'Bash', args: { command: `npx vitest run -t ${name}` } })),
      ),
    ],
    [
      'another test file',
      three(word).map((names) =>
        names.map((name) => ({ tool: 'Bash', args: { command: `pytest tests/test_${name}.py` } })),
      ),
    ],
    [
      'another quoted argument',
      three(word).map((names) =>
        names.map((name) => ({ tool: 'Bash', args: { command: `git commit -m "fix ${name}"` } })),
      ),
    ],
    [
      'another number',
      three(fc.integer()).map((numbers) =>
        numbers.map((page) => ({ tool: 'fetch_record', args: { page, table: 'orders' } })),
      ),
    ],
    [
      'another number in a command',
      three(fc.nat(9_999)).map((numbers) =>
        numbers.map((line) => ({ tool: 'Bash', args: { command: `sed -n ${line}p src/a.ts` } })),
      ),
    ],
    [
      'another text',
      three(word).map((texts) => texts.map((query) => ({ tool: 'alpha', args: { query } }))),
    ],
    [
      'another nested value',
      three(fc.integer()).map((numbers) =>
        numbers.map((to) => ({ tool: 'alpha', args: { filter: { range: [1, { to }] } } })),
      ),
    ],
    [
      'another tool',
      three(word).map((names) => names.map((name) => ({ tool: `tool_${name}`, args: { a: 1 } }))),
    ],
    [
      'another kind of value',
      fc
        .shuffledSubarray(['1', 1, true, null, [1], { 1: 1 }], { minLength: 3, maxLength: 3 })
        .map((items) => items.map((item) => ({ tool: 'alpha', args: { item } }))),
    ],
    [
      'another grouping',
      fc.constant(
        [['a,b'], ['a', 'b'], ['a', ['b']], [['a', 'b']], ['a b']].map((list) => ({
          tool: 'alpha',
          args: { list },
        })),
      ),
    ],
  ];

  test.each(kinds)('%s', (_, calls) => {
    fc.assert(
      fc.property(calls, (different) => {
        never(different);
      }),
      { numRuns: casesOf(100) },
    );
  });
});
