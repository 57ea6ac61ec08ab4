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
  LANGCHAIN_AGENT,
} from '@unrut/test/importers/trace-recordings';
import { describe, expect, it } from 'vitest';
import { langsmith, readLangsmithRun } from './langsmith.ts';

type Run = { id: string; run_type: string; parent_run_id?: string; [field: string]: unknown };
const RUNS = recordsOf('langsmith.json') as Run[];

describe('a recorded trace', () => {
  it('reports each call once, although the answer, the run and the next prompt contain it', () => {
    const file = importFixture(langsmith, 'langsmith.json');
    expect(outline(file)).toEqual(LANGCHAIN_AGENT);
    expect(file.unknown).toEqual([]);
    expect(new Set(file.events.map(({ event }) => event.session))).toEqual(new Set(['thread-1']));
    expect(batchesOf(file)).toEqual([2]);
    expect(costsOf(file)).toEqual({ tokens: 360, usd: 0, events: 4 });
  });

  it('has the expected number of answers and tool runs', () => {
    const count = (type: string): number => RUNS.filter(({ run_type }) => run_type === type).length;
    const calls = importFixture(langsmith, 'langsmith.json').events.filter(
      ({ event }) => event.type === 'call-finished',
    );
    expect(calls.filter(({ event }) => 'durationMs' in event)).toHaveLength(count('tool'));
    expect(costsOf(importFixture(langsmith, 'langsmith.json')).events).toBe(count('llm'));
  });

  /** As `loadChildRuns` gives them. */
  const nested = (id?: string): Run[] =>
    RUNS.filter(({ parent_run_id }) => parent_run_id === id).map((run) => ({
      ...run,
      child_runs: nested(run.id),
    }));

  it.each<[string, unknown[]]>([
    ['newest first', [...RUNS].reverse()],
    ['as a page of the API', [{ runs: RUNS, cursors: {} }]],
    ['with the runs in each other', nested()],
    ['without the order', RUNS.map(({ dotted_order: _, ...run }) => run)],
    [
      'with times that have no zone',
      RUNS.map((run) => ({
        ...run,
        end_time: new Date(run.end_time as number).toISOString().replace('Z', ''),
      })),
    ],
  ])('is the same %s', (_, records) => {
    expect(langsmith.recognises(records)).toBe(true);
    expect(outline(importRecords(langsmith, records))).toEqual(LANGCHAIN_AGENT);
  });
});

describe('a run', () => {
  const base = {
    id: 'r',
    trace_id: 't',
    start_time: '2026-01-01T00:00:00',
    end_time: '2026-01-01T00:00:01',
  };

  it.each<[string, object, object]>([
    [
      'of a tool of LangChain in Python',
      {
        run_type: 'tool',
        name: 'ls',
        inputs: { input: '{"path":"."}' },
        outputs: { output: 'a.ts' },
      },
      {
        kind: 'tool',
        tool: 'ls',
        args: { path: '.' },
        returned: { result: 'a.ts', durationMs: 1000 },
      },
    ],
    [
      'of a tool that was given the call',
      {
        run_type: 'tool',
        name: 'ls',
        inputs: { type: 'tool_call', id: 'c', name: 'ls', args: {} },
        outputs: { a: 1 },
      },
      {
        kind: 'tool',
        call: 'c',
        tool: 'ls',
        args: {},
        returned: { result: { a: 1 }, durationMs: 1000 },
      },
    ],
    [
      'of a tool that failed',
      {
        run_type: 'tool',
        name: 'ls',
        inputs: {},
        error: "ValueError('no')Traceback (most recent call last):\n  File",
      },
      {
        kind: 'tool',
        tool: 'ls',
        args: {},
        returned: { error: "ValueError('no')", durationMs: 1000 },
      },
    ],
    [
      'of a tool that is not over',
      { run_type: 'tool', name: 'ls', inputs: {}, end_time: null },
      { kind: 'tool', tool: 'ls', args: {} },
    ],
    [
      "of OpenAI's client",
      {
        run_type: 'llm',
        inputs: { messages: [{ role: 'user', content: 'Hi' }] },
        outputs: { choices: [{ message: { role: 'assistant', content: 'Hello' } }] },
        prompt_tokens: 10,
        completion_tokens: 2,
        total_cost: 0.5,
      },
      {
        kind: 'model',
        heard: { persons: ['Hi'], results: [] },
        says: 'Hello',
        asks: [],
        cost: { tokens: 12, usd: 0.5 },
      },
    ],
    [
      'of a model that completes text',
      {
        run_type: 'llm',
        inputs: { prompts: ['Human: Hi'] },
        outputs: { generations: [[{ text: 'Hello' }]] },
      },
      { kind: 'model', heard: { persons: [], results: [] }, says: 'Hello', asks: [] },
    ],
    [
      'that begins a trace',
      { run_type: 'chain', inputs: { messages: [{ type: 'human', content: 'Hi' }] } },
      { kind: 'agent', heard: { persons: ['Hi'], results: [] } },
    ],
  ])('%s', (_, run, told) => {
    expect(readLangsmithRun({ ...base, ...run }).tells).toEqual(told);
  });

  it.each(['retriever', 'parser', 'prompt', 'embedding'])(
    'of a %s tells of no step',
    (run_type) => {
      expect(readLangsmithRun({ ...base, run_type }).tells).toBeUndefined();
    },
  );

  it('has the session of its thread, not the project that `session_id` is', () => {
    expect(
      readLangsmithRun({ ...base, run_type: 'llm', session_id: 'project' }),
    ).not.toHaveProperty('session');
    expect(
      readLangsmithRun({ ...base, run_type: 'llm', extra: { metadata: { conversation_id: 'c' } } }),
    ).toMatchObject({
      session: 'c',
      trace: 't',
    });
  });

  it('starts at the microsecond that its place in the order says', () => {
    const dotted_order = '20260101T000000000001Za.20260101T000001500002Zb';
    expect(readLangsmithRun({ ...base, run_type: 'llm', dotted_order }).start).toBe(
      Date.UTC(2026, 0, 1) + 1500.002,
    );
  });
});

it.each(FIXTURES)('%s is recognised if it is of LangSmith', (fixture) => {
  expect(langsmith.recognises(recordsOf(fixture).slice(0, 32))).toBe(
    fixture.startsWith('langsmith'),
  );
});

it.each(GARBAGE)('%s is counted as unknown', (_, record) => {
  expect(importRecords(langsmith, [record])).toMatchObject({
    events: [],
    unknown: [expect.any(String)],
  });
});

it('runs of nothing tell nothing', () => {
  const broken = ['llm', 'tool', 'chain'].map((run_type) => ({
    run_type,
    trace_id: 3,
    dotted_order: {},
    inputs: null,
    outputs: 7,
    extra: [],
  }));
  expect(importRecords(langsmith, broken)).toEqual({ events: [], unknown: [] });
});
