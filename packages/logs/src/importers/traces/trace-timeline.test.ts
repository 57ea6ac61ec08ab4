import { present } from '@unrut/engine/json';
import type { Importer } from '@unrut/reading/importer';
import { type ImportedFile, importRecords, outline } from '@unrut/test/importers/import-file';
import { describe, expect, it } from 'vitest';
import type { TracePart } from './trace-part.ts';
import { createTraceTimeline } from './trace-timeline.ts';

const AT = Date.UTC(2026, 0, 1);

/** The output of a timeline for these parts; times are milliseconds after the beginning of 2026. */
function told(parts: readonly TracePart[], most?: number): ImportedFile {
  const importer: Importer = {
    name: 'parts',
    sample: '',
    reads: '',
    recognises: () => true,
    open(source) {
      const timeline = createTraceTimeline(source, most);
      return { read: (part) => timeline.add(part as TracePart), end: () => timeline.end() };
    },
  };
  const later = ({ start, end, ...part }: TracePart): TracePart => ({
    ...part,
    start: AT + start,
    ...(end === undefined ? {} : { end: AT + end }),
  });
  return importRecords(importer, parts.map(later));
}

const turn = (
  start: number,
  rest: Partial<Extract<TracePart['tells'], { kind: 'model' }>>,
  place: Partial<TracePart> = {},
): TracePart => ({
  id: `m${start}`,
  trace: 't',
  start,
  end: start + 5,
  ...place,
  tells: { kind: 'model', ...rest },
});
const run = (
  start: number,
  call: string | undefined,
  tool: string,
  result: unknown,
  place: Partial<TracePart> = {},
): TracePart => ({
  id: `r${start}`,
  trace: 't',
  start,
  end: start + 5,
  ...place,
  tells: {
    kind: 'tool',
    ...present({ call }),
    tool,
    args: {},
    returned: result === undefined ? {} : { result },
  },
});
const asks = (...calls: [id: string | undefined, tool: string, args?: unknown][]) =>
  calls.map(([id, tool, args = {}]) => ({ ...present({ id }), tool, args }));
const heard = (persons: string[], results: { id: string; result: unknown }[] = []) => ({
  persons,
  results,
});

describe('calls', () => {
  it('without an id are those that were asked for, with equal arguments first', () => {
    const failed = (start: number, args: unknown, error: string): TracePart => ({
      ...run(start, undefined, 'read', undefined),
      tells: { kind: 'tool', tool: 'read', args, returned: { error } },
    });
    const file = told([
      turn(0, { asks: asks(['a', 'read', { path: 'a' }], ['b', 'read', { path: 'b' }]) }),
      failed(10, { path: 'b' }, 'no b'),
      failed(11, 'a', 'no a'),
    ]);
    expect(outline(file).toSorted()).toEqual([
      '0 calls read {"path":"b"}',
      '0 read returns nothing known error "no b"',
      '1 calls read {"path":"a"}',
      '1 read returns nothing known error "no a"',
    ]);
  });

  it('that were asked for without an id take the one of the run', () => {
    const { events } = told([
      turn(0, { asks: asks([undefined, 'read', { path: 'a' }]) }),
      run(10, 'x', 'read', 'text'),
    ]);
    expect(
      events.map(({ event }) =>
        event.type === 'call-finished' ? [event.call.id, event.call.args, event.result] : 'call',
      ),
    ).toEqual(['call', ['x', { path: 'a' }, 'text']]);
  });

  it('count once if an MCP client and a server report them too', () => {
    const parts = [
      run(12, undefined, 'get-weather', undefined, { id: 'server', parent: 'client' }),
      run(11, undefined, 'get-weather', { content: 'rain' }, { id: 'client', parent: 'tool' }),
      run(10, 'c1', 'get-weather', undefined, { id: 'tool' }),
    ];
    expect(outline(told(parts))).toEqual([
      '0 calls get-weather {}',
      '0 get-weather returns {"content":"rain"}',
    ]);
  });

  it('count once if a span has the id and a log record next to it has the arguments', () => {
    const record = (start: number, path: string): TracePart => ({
      trace: 't',
      parent: 'turn',
      start,
      end: start + 6,
      tells: { kind: 'tool', tool: 'read', args: { path }, returned: {} },
    });
    const spans = ['a', 'b'].map((id, i) => run(10 + i, id, 'read', undefined, { parent: 'turn' }));
    const file = told([
      ...spans,
      record(10, 'a'),
      record(11, 'b'),
      run(30, 'c', 'read', undefined, { parent: 'other' }),
    ]);
    expect(
      file.events.flatMap(({ event }) =>
        event.type === 'call-finished' ? [[event.call.id, event.call.args]] : [],
      ),
    ).toEqual([
      ['a', { path: 'a' }],
      ['b', { path: 'b' }],
      ['c', {}],
    ]);
  });

  it('of one id in two traces are two calls', () => {
    const parts = [run(0, 'call_1', 'read', 'a'), run(10, 'call_1', 'read', 'b', { trace: 'u' })];
    expect(outline(told(parts.map((part) => ({ ...part, session: 's' }))))).toHaveLength(4);
  });

  it('that a host refuses have no more than that', () => {
    const refused: TracePart = {
      parent: 'tool',
      trace: 't',
      start: 5,
      end: 6,
      tells: { kind: 'tool', returned: { error: true, refusedBy: 'user' } },
    };
    expect(outline(told([refused, run(4, 'c', 'rm', undefined, { id: 'tool' })]))).toEqual([
      '0 calls rm {}',
      '0 rm returns nothing known error true refused by user',
    ]);
  });

  it('whose result comes in another trace of the session come back', () => {
    const parts = [
      turn(0, { asks: asks(['c', 'confirm']) }),
      turn(100, { heard: heard(['Go.'], [{ id: 'c', result: 'yes' }]) }, { trace: 'u' }),
    ];
    expect(outline(told(parts.map((part) => ({ ...part, session: 's' }))))).toEqual([
      '0 calls confirm {}',
      '0 confirm returns "yes"',
      '1 person "Go."',
    ]);
    expect(outline(told(parts))).not.toContain('0 confirm returns "yes"');
  });

  it('come back before the prompt that has their result, however late their end was written down', () => {
    const parts = [
      turn(0, { asks: asks(['c', 'ls']) }),
      run(10, 'c', 'ls', 'a.ts', { end: 90 }),
      turn(30, { says: 'Done.', heard: heard([], [{ id: 'c', result: 'a.ts' }]) }),
    ];
    expect(outline(told(parts))).toEqual([
      '0 calls ls {}',
      '0 ls returns "a.ts"',
      '1 says "Done."',
    ]);
  });
});

describe("a model's turn", () => {
  it('that two libraries watch counts once, with its cost', () => {
    const inner = turn(
      1,
      { says: 'Hi.', cost: { tokens: 7 }, asks: asks(['c', 'ls']) },
      { id: 'inner', parent: 'outer' },
    );
    const outer = turn(
      0,
      { says: 'Hi.', cost: { tokens: 7 }, asks: asks(['c', 'ls']) },
      { id: 'outer' },
    );
    const file = told([inner, outer]);
    expect(outline(file)).toEqual(['0 says "Hi."', '1 calls ls {}']);
    expect(file.events.map(({ event }) => event.cost)).toEqual([{ tokens: 7 }, undefined]);
  });

  it('gives its cost to the first event, also when that is a call', () => {
    const { events } = told([
      turn(0, { cost: { tokens: 7 } }),
      run(10, 'a', 'ls', ''),
      run(11, 'b', 'ls', ''),
    ]);
    expect(events.map(({ event }) => event.cost?.tokens)).toEqual([
      7,
      undefined,
      undefined,
      undefined,
    ]);
    expect(
      new Set(
        events.map(({ event }) => (event.type === 'call-proposed' ? event.batch : 'model m0')),
      ).size,
    ).toBe(1);
  });

  it('of a log record is that of the span around its time', () => {
    const record = (start: number, says: string): TracePart => ({
      parent: 'root',
      trace: 't',
      start,
      end: start,
      tells: { kind: 'model', says, cost: { usd: 1 }, beside: true },
    });
    const file = told([
      record(6, 'First.'),
      record(27, 'Second.'),
      turn(0, { cost: { tokens: 7 } }, { parent: 'root' }),
      turn(20, { cost: { tokens: 8 } }, { parent: 'root' }),
    ]);
    expect(
      file.events.map(({ event }) => [event.type === 'text-added' && event.text, event.cost]),
    ).toEqual([
      ['First.', { tokens: 7, usd: 1 }],
      ['Second.', { tokens: 8, usd: 1 }],
    ]);
  });

  it('of log records that follow within a moment is one of its own, but what two of them tell of it is one', () => {
    const record = (start: number, tells: object): TracePart => ({
      trace: 't',
      start,
      tells: { kind: 'model', ...tells, beside: true },
    });
    const cost = { tokens: 7 };
    const calls = told(
      [0, 30, 60].flatMap((start) => [
        record(start, { cost }),
        run(start + 5, `c${start}`, 'ls', ''),
      ]),
    ).events.filter(({ event }) => event.type === 'call-proposed');
    expect(calls.map(({ event }) => event.cost)).toEqual([cost, cost, cost]);
    expect(new Set(calls.map(({ event }) => 'batch' in event && event.batch)).size).toBe(3);
    const { events } = told([record(0, { cost }), record(10, { says: 'Hi.' })]);
    expect(events.map(({ event }) => [event.type, event.cost])).toEqual([['text-added', cost]]);
  });
});

describe('persons', () => {
  const says = (...parts: TracePart[]): string[] =>
    outline(told(parts)).filter((line) => line.includes('person'));

  it('count once, although every prompt repeats them', () => {
    expect(
      says(
        turn(0, { heard: heard(['A']) }),
        turn(10, { heard: heard(['A', 'B']) }),
        turn(20, { heard: heard(['A', 'B']) }),
      ),
    ).toEqual(['0 person "A"', '1 person "B"']);
  });

  it('may say the same again', () => {
    expect(
      says(turn(0, { heard: heard(['go on']) }), turn(10, { heard: heard(['go on', 'go on']) })),
    ).toHaveLength(2);
  });

  it('are not those who ask aside, or sum up, within the trace', () => {
    expect(
      says(
        turn(0, { heard: heard(['A']) }),
        turn(10, { heard: heard(['Is this safe?']) }),
        turn(20, { heard: heard(['A']) }),
      ),
    ).toEqual(['0 person "A"']);
    expect(
      says(
        turn(0, { heard: heard(['A']) }),
        turn(10, { heard: heard(['So far: …']) }),
        turn(20, { heard: heard(['So far: …', 'B']) }),
      ),
    ).toEqual(['0 person "A"', '1 person "B"']);
  });

  it('begin a new trace with new words, or with all that was said', () => {
    const session = { session: 's' };
    expect(
      says(
        turn(0, { heard: heard(['A']) }, session),
        turn(10, { heard: heard(['B']) }, { ...session, trace: 'u' }),
      ),
    ).toHaveLength(2);
    expect(
      says(
        turn(0, { heard: heard(['A']) }, session),
        turn(10, { heard: heard(['A', 'B']) }, { ...session, trace: 'u' }),
      ),
    ).toHaveLength(2);
  });

  it('do not speak to nested agents', () => {
    expect(
      says(
        turn(20, { heard: heard(['Find it.']) }, { parent: 'r10' }),
        run(10, 'c', 'delegate', 'found', { end: 40 }),
      ),
    ).toEqual([]);
  });
});

describe('nested agents', () => {
  const agent = (id: string, name: string | undefined, parent?: string): TracePart => ({
    id,
    trace: 't',
    start: 0,
    ...present({ parent }),
    tells: { kind: 'agent', ...present({ name }) },
  });

  it.each<[string, TracePart[], string | undefined]>([
    [
      'an agent in an agent of another name',
      [agent('a', 'lead'), agent('b', 'coder', 'a')],
      'coder',
    ],
    [
      'an agent in an agent of the same name',
      [agent('a', 'lead'), agent('b', 'lead', 'a')],
      undefined,
    ],
    [
      'an agent in a workflow without a name',
      [agent('a', undefined), agent('b', 'lead', 'a')],
      undefined,
    ],
    [
      'an agent in a tool call',
      [run(0, 'c9', 'delegate', '', { id: 'a', end: 90 }), agent('b', 'coder', 'a')],
      'c9',
    ],
  ])('%s', (_, parts, name) => {
    const file = told([turn(20, { says: 'Here.' }, { parent: 'b' }), ...parts]);
    expect(file.events.find(({ event }) => event.type === 'text-added')?.event.agent).toBe(name);
  });
});

it('a session that one span names is that of the whole trace', () => {
  const parts = [
    turn(20, { says: 'Here.' }, { parent: 'root' }),
    { id: 'root', trace: 't', session: 'thread', start: 0 },
  ];
  expect(told(parts).events.map(({ event }) => event.session)).toEqual(['thread']);
  expect(told([turn(0, { says: 'Here.' })]).events.map(({ event }) => event.session)).toEqual([
    't',
  ]);
  expect(
    told([turn(0, { says: 'Here.' }, { trace: undefined })]).events.map(
      ({ event }) => event.session,
    ),
  ).toEqual(['file']);
});

describe('when more steps wait than are held', () => {
  const LAPS = 400;
  const parts = Array.from({ length: LAPS }, (_, lap) => [
    turn(lap * 100, {
      says: `${lap}`,
      asks: asks([`c${lap}`, 'ls']),
      heard: heard(['Go.'], lap === 0 ? [] : [{ id: `c${lap - 1}`, result: `r${lap - 1}` }]),
    }),
    ...(lap % 2 === 0 ? [run(lap * 100 + 50, `c${lap}`, 'ls', `r${lap}`)] : []),
  ]).flat();

  it('the older half is passed on, nothing twice and nothing lost', () => {
    const all = outline(told(parts));
    expect(all.filter((line) => line.includes('calls'))).toHaveLength(LAPS);
    expect(all.filter((line) => line.includes('returns "'))).toHaveLength(LAPS - 1);
    expect(outline(told(parts, 50))).toEqual(all);
  });

  it('spans that come a little late are still in order', () => {
    const late = parts
      .map((part, at) => [part, at + (at % 3) * 4] as const)
      .toSorted(([, a], [, b]) => a - b);
    expect(
      outline(
        told(
          late.map(([part]) => part),
          100,
        ),
      ),
    ).toEqual(outline(told(parts)));
  });
});
