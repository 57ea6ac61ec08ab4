import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import {
  batchesOf,
  costsOf,
  FIXTURES,
  GARBAGE,
  LANGCHAIN_AGENT_IN_LANGFUSE,
} from '@unrut/test/importers/trace-recordings';
import { describe, expect, it } from 'vitest';
import { langfuse } from './langfuse.ts';

type Observation = { type: string; [field: string]: unknown };
const [TRACE] = recordsOf('langfuse.json') as [
  { observations: Observation[]; [field: string]: unknown },
];
const ROWS = recordsOf('langfuse-bucket.jsonl') as Observation[];

describe('an export', () => {
  it.each(['langfuse.json', 'langfuse-bucket.jsonl'])('%s tells of each call once', (fixture) => {
    const file = importFixture(langfuse, fixture);
    expect(outline(file)).toEqual(LANGCHAIN_AGENT_IN_LANGFUSE);
    expect(file.unknown).toEqual([]);
    expect(new Set(file.events.map(({ event }) => event.session))).toEqual(new Set(['session-1']));
    expect(batchesOf(file)).toEqual([2]);
    expect(costsOf(file)).toEqual({ tokens: 360, usd: 0.0036, events: 4 });
  });

  it('has the expected number of answers and tool runs', () => {
    const count = (type: string): number => ROWS.filter((row) => row.type === type).length;
    const { events } = importFixture(langfuse, 'langfuse-bucket.jsonl');
    expect(
      events.filter(
        ({ event }) => event.type === 'call-finished' && event.durationMs !== undefined,
      ),
    ).toHaveLength(count('TOOL'));
    expect(events.filter(({ event }) => event.cost)).toHaveLength(count('GENERATION'));
  });

  it.each<[string, unknown[], string]>([
    [
      'a page of the API',
      [{ data: TRACE.observations, meta: { page: 1 } }],
      TRACE.observations[0]!.traceId as string,
    ],
    ['a list of observations', TRACE.observations, TRACE.observations[0]!.traceId as string],
    [
      'rows of traces and of observations',
      [{ ...TRACE, observations: TRACE.observations.map(({ id }) => id) }, ...TRACE.observations],
      'session-1',
    ],
    ['a page of traces', [{ data: [TRACE] }], 'session-1'],
    ['rows, oldest first', [...ROWS].reverse(), 'session-1'],
  ])('is the same as %s', (_, records, session) => {
    const file = importRecords(langfuse, records);
    expect(outline(file).toSorted()).toEqual(LANGCHAIN_AGENT_IN_LANGFUSE.toSorted());
    expect(file.unknown).toEqual([]);
    expect(new Set(file.events.map(({ event }) => event.session))).toEqual(new Set([session]));
  });

  it('has times in UTC, also where they have no zone', () => {
    const [first] = importFixture(langfuse, 'langfuse-bucket.jsonl').events;
    const starts = TRACE.observations
      .filter(({ type }) => type === 'GENERATION')
      .map(({ startTime }) => Date.parse(startTime as string));
    expect(first?.event.at).toBe(Math.min(...starts));
  });
});

it('costs of older versions are read', () => {
  const base = {
    id: 'g',
    traceId: 't',
    type: 'GENERATION',
    startTime: '2026-01-01T00:00:00Z',
    output: 'Hello',
  };
  const cost = (fields: object): unknown =>
    importRecords(langfuse, [{ ...base, ...fields }]).events[0]?.event.cost;
  expect(
    cost({ usage: { input: 10, output: 2, total: 12, unit: 'TOKENS' }, calculatedTotalCost: 0.5 }),
  ).toEqual({ tokens: 12, usd: 0.5 });
  expect(cost({ usageDetails: { total: 12 }, costDetails: {} })).toEqual({ tokens: 12 });
  expect(cost({ usageDetails: {}, costDetails: {} })).toBeUndefined();
});

it.each(FIXTURES)('%s is recognised if it is of Langfuse', (fixture) => {
  expect(langfuse.recognises(recordsOf(fixture).slice(0, 32))).toBe(fixture.startsWith('langfuse'));
});

it.each(GARBAGE)('%s is counted as unknown', (_, record) => {
  expect(importRecords(langfuse, [record])).toMatchObject({
    events: [],
    unknown: [expect.any(String)],
  });
});

it.each<[string, unknown]>([
  ['a trace of nothing', { id: 't', timestamp: null }],
  ['an empty page', { data: [] }],
  ['an observation of nothing', { type: 'GENERATION', traceId: 't', startTime: null }],
  [
    'a tool of nothing',
    {
      type: 'TOOL',
      traceId: 't',
      startTime: {},
      name: null,
      metadata: '[',
      input: '{',
      output: null,
    },
  ],
  ['a span', { type: 'SPAN', traceId: 't', startTime: '2026-01-01T00:00:00Z' }],
])('%s tells nothing', (_, record) => {
  expect(importRecords(langfuse, [record])).toEqual({ events: [], unknown: [] });
});
