import { type AgentEvent, RUNGS } from '@unrut/engine/event';
import { EVENT_TYPES } from '@unrut/engine/read-event';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGuard } from '../../packages/cli/src/index.ts';
import { casesOf, isFull } from '../full-runs.ts';

type Guard = ReturnType<typeof createGuard>;

function expectVerdict(guard: Guard, event: unknown): void {
  const verdict = guard.observe(event as AgentEvent);
  expect(Array.isArray(verdict.signals)).toBe(true);
  expect(Array.isArray(verdict.faults)).toBe(true);
  expect(Array.isArray(verdict.outcomes)).toBe(true);
  for (const plan of [verdict.plan, verdict.shadow]) {
    if (plan === null) continue;
    expect(RUNGS).toContain(plan.rung);
    expect(typeof plan.toModel).toBe('string');
  }
  for (const fault of verdict.faults) expect(typeof fault.message).toBe('string');
}

const finished = (args: unknown, answer: object = {}, index = 0) => ({
  type: 'call-finished',
  session: 's',
  at: 1_760_000_000_000 + index * 5_000,
  call: { id: `c${index}`, tool: 'alpha', args },
  ...answer,
});

const wild = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: true,
  withNullPrototype: true,
});
const wellFormed = fc.record({
  tool: fc.oneof(
    fc.constantFrom('Bash', 'Read', 'Edit', 'alpha', 'patchWidget', 'apply_patch'),
    fc.string(),
  ),
  args: fc.oneof(
    wild,
    fc.record({ command: wild }),
    fc.record({ file_path: wild, old_string: wild }),
    fc.record({ spaceId: wild, widgetId: wild }),
  ),
  result: wild,
  error: fc.option(wild, { nil: undefined }),
  exitCode: fc.option(
    fc.oneof(fc.integer(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY)),
    { nil: undefined },
  ),
  annotations: fc.option(wild, { nil: undefined }),
  after: fc.option(wild, { nil: undefined }),
});

function nested(depth: number, array: boolean): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level++) value = array ? [value] : { in: value };
  return value;
}

describe('observe never throws and always answers with a verdict', () => {
  test('on anything at all', () => {
    const guard = createGuard();
    fc.assert(
      fc.property(wild, (event) => expectVerdict(guard, event)),
      { numRuns: casesOf(1_000) },
    );
  });

  test('on events of a known type with fields of any kind', () => {
    const guard = createGuard();
    const fields = [
      'call',
      'text',
      'channel',
      'output',
      'action',
      'target',
      'screen',
      'effect',
      'task',
      'status',
      'blockers',
      'work',
      'reason',
      'plan',
      'cost',
      'id',
      'agent',
    ];
    const event = fc.tuple(
      fc.constantFrom(...EVENT_TYPES),
      fc.dictionary(fc.constantFrom(...fields), wild),
      fc.double(),
    );
    fc.assert(
      fc.property(event, ([type, rest, at]) =>
        expectVerdict(guard, { type, session: 's', at, ...rest }),
      ),
      { numRuns: casesOf(1_000) },
    );
  });

  test('on calls with any arguments and any answer, each seen three times', () => {
    fc.assert(
      fc.property(fc.array(wellFormed, { minLength: 1, maxLength: 4 }), (calls) => {
        const guard = createGuard();
        let index = 0;
        for (const { tool, args, ...answer } of calls) {
          for (let time = 0; time < 3; time++) {
            index++;
            const base = { session: 's', at: index * 1_000, call: { id: `c${index}`, tool, args } };
            expectVerdict(guard, { ...base, type: 'call-proposed' });
            expectVerdict(guard, { ...base, ...answer, type: 'call-finished' });
          }
        }
        JSON.stringify(guard.snapshot());
      }),
      { numRuns: casesOf(500) },
    );
  });

  test('on texts and outputs of any characters, in pieces of any size', () => {
    const guard = createGuard();
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.constantFrom('\ud800', '\udfff\ud800', '\0'.repeat(500)),
    );
    fc.assert(
      fc.property(
        text,
        fc.boolean(),
        fc.constantFrom('answer', 'thinking'),
        (words, done, channel) => {
          expectVerdict(guard, {
            type: 'text-added',
            session: 's',
            at: 1,
            text: words,
            channel,
            done,
          });
          expectVerdict(guard, { type: 'output-finished', session: 's', at: 1, output: words });
        },
      ),
      { numRuns: casesOf(500) },
    );
  });

  /** Megabytes of large values. */
  const size = isFull ? 5 : 0.25;
  const big = 'The harbour opens at nine. '.repeat(40_000 * size);
  const wide = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`key-${index}`, index]),
  );
  const heavy = Object.fromEntries(
    Array.from({ length: 1_000 * size }, (_, index) => [`key-${index}`, 'x'.repeat(1_000)]),
  );
  const cyclic: Record<string, unknown> = { name: 'ring' };
  cyclic.self = cyclic;
  cyclic.list = [cyclic, { deeper: cyclic }];
  const throwing = {
    get path(): string {
      throw new Error('not for you');
    },
    toJSON(): never {
      throw new Error('nor like this');
    },
  };
  const proxy = new Proxy(
    {},
    {
      get() {
        throw new Error('no');
      },
      ownKeys() {
        throw new Error('no');
      },
    },
  );
  const values: [string, unknown][] = [
    [`a string of ${size} MB`, big],
    [`a string of ${size} MB without a space`, 'x'.repeat(size * 1_000_000)],
    [`a string of ${size} MB of lines`, 'line\n'.repeat(size * 200_000)],
    [`an object of ${size} MB`, heavy],
    [`the JSON of an object of ${size} MB`, JSON.stringify(heavy)],
    ['10,000 keys', wide],
    ['an array of 100,000 numbers', Array.from({ length: 100_000 }, (_, index) => index)],
    ['objects 1,000 deep', nested(1_000, false)],
    ['arrays 1,000 deep', nested(1_000, true)],
    ['objects 50,000 deep', nested(50_000, false)],
    ['the JSON of arrays 1,000 deep', `${'['.repeat(1_000)}1${']'.repeat(1_000)}`],
    ['the JSON of arrays 100,000 deep, unclosed', '['.repeat(100_000)],
    ['lone surrogates', { '\ud800': 'a\udc00b\ud800', list: ['\udfff'] }],
    [
      'NaN and infinities',
      { a: Number.NaN, b: Number.POSITIVE_INFINITY, c: -0, d: Number.NEGATIVE_INFINITY },
    ],
    ['a cyclic object', cyclic],
    ['getters that throw', throwing],
    ['a proxy that throws', proxy],
    [
      'BigInt, undefined, functions and symbols',
      { a: 10n, b: undefined, c: () => 1, d: Symbol('d'), [Symbol('e')]: 1 },
    ],
    [
      'dates, maps, sets and bytes',
      {
        a: new Date(Number.NaN),
        b: new Map([[{}, 1]]),
        c: new Set([1n]),
        d: new Uint8Array(size * 200_000),
      },
    ],
    [
      'names from Object.prototype',
      JSON.parse(
        '{"__proto__": {"polluted": true}, "constructor": 1, "hasOwnProperty": 2, "toString": null}',
      ),
    ],
    ['no prototype', Object.assign(Object.create(null), { path: 'a' })],
    ['a revoked proxy', revoked()],
  ];
  function revoked(): unknown {
    const { proxy: gone, revoke } = Proxy.revocable({}, {});
    revoke();
    return gone;
  }

  test.each(values)('on %s', (_, value) => {
    const guard = createGuard();
    const began = process.threadCpuUsage();
    for (let index = 0; index < 4; index++) {
      expectVerdict(guard, { ...finished(value, {}, index), type: 'call-proposed' });
      expectVerdict(guard, finished(value, { result: 'a normal answer of some length' }, index));
      expectVerdict(guard, finished({ index }, { result: value }, index + 10));
      expectVerdict(guard, finished({ index }, { error: value }, index + 20));
      expectVerdict(guard, {
        ...finished({}),
        call: { id: `b${index}`, tool: 'Bash', args: { command: value } },
        result: value,
      });
      expectVerdict(guard, {
        ...finished({}),
        call: {
          id: `e${index}`,
          tool: 'Edit',
          args: { file_path: value, old_string: value, new_string: value },
        },
      });
      expectVerdict(guard, {
        type: 'action-finished',
        session: 's',
        at: index,
        action: { type: 'click', x: value },
        target: value,
        screen: value,
        effect: value,
      });
      expectVerdict(guard, {
        type: 'text-added',
        session: 's',
        at: index,
        text: value,
        channel: 'answer',
      });
      expectVerdict(guard, { type: 'output-finished', session: 's', at: index, output: value });
    }
    expect(JSON.stringify(guard.snapshot('s')).length).toBeLessThan(64 * 1024);
    const { user, system } = process.threadCpuUsage(began);
    expect((user + system) / 1000, 'milliseconds for 36 events').toBeLessThan(40_000);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('on an event that is itself hostile', () => {
    const guard = createGuard();
    for (const [, value] of values) expectVerdict(guard, value);
    for (const value of [null, undefined, 0, '', [], () => 1, Symbol('x'), 1n])
      expectVerdict(guard, value);
    expectVerdict(
      guard,
      new Proxy(finished({}), {
        get: () => {
          throw new Error('no');
        },
      }),
    );
  });

  test('on clocks that jump back, stand still or are no numbers', () => {
    const guard = createGuard();
    const clocks = [
      1_760_000_000_000,
      5,
      -1,
      0,
      1_760_000_000_000,
      8.64e15,
      Number.MAX_VALUE,
      2,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '7',
      null,
      undefined,
    ];
    for (const [index, at] of clocks.entries())
      expectVerdict(guard, {
        ...finished({ a: 1 }, { result: 'the same answer of some length' }, index),
        at,
      });
    for (const [index, at] of clocks.reverse().entries())
      expectVerdict(guard, {
        ...finished({ a: 1 }, { result: 'the same answer of some length' }, index),
        at,
      });
  });

  test('a clock that jumps back does not hide a loop', () => {
    const guard = createGuard();
    const clocks = [1_760_000_000_000, 1_759_000_000_000, 1_759_000_005_000];
    const verdicts = clocks.map((at, index) =>
      guard.observe({
        ...finished({ a: 1 }, { result: 'the same answer of some length' }, index),
        at,
      } as AgentEvent),
    );
    expect(verdicts.map(({ signals }) => signals.length > 0)).toEqual([false, false, true]);
  });

  test('a fault in one event leaves the guard working', () => {
    const guard = createGuard();
    for (const [, value] of values) guard.observe(value as AgentEvent);
    const verdicts = [0, 1, 2].map((index) =>
      guard.observe(
        finished({ a: 1 }, { result: 'the same answer of some length' }, index) as AgentEvent,
      ),
    );
    expect(verdicts.map(({ signals }) => signals.length > 0)).toEqual([false, false, true]);
  });
});
