import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { apart, log, logsIn, span, spansIn } from '@unrut/test/importers/otlp-records';
import {
  batchesOf,
  costsOf,
  FIXTURES,
  GARBAGE,
  LANGCHAIN_AGENT,
  LANGCHAIN_AGENT_IN_LANGFUSE,
  outlineByRun,
} from '@unrut/test/importers/trace-recordings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otlp } from './otlp.ts';

const RECORDINGS = FIXTURES.filter((name) => name.startsWith('otlp'));

describe('recorded telemetry', () => {
  it('of OpenInference tells of each call once, though its span, the answer and the next prompt tell of it', () => {
    const file = importFixture(otlp, 'otlp-open-inference.jsonl');
    expect(outline(file)).toEqual(LANGCHAIN_AGENT);
    expect(new Set(file.events.map(({ event }) => event.session))).toEqual(new Set(['thread-1']));
    expect(batchesOf(file)).toEqual([2]);
    expect(costsOf(file)).toEqual({ tokens: 360, usd: 0, events: 4 });
  });

  it("of Langfuse's handler pairs prompts without ids with their calls", () => {
    const file = importFixture(otlp, 'otlp-langfuse.jsonl');
    expect(outline(file)).toEqual(LANGCHAIN_AGENT_IN_LANGFUSE);
    expect(batchesOf(file)).toEqual([2]);
    expect(costsOf(file)).toEqual({ tokens: 360, usd: 0, events: 4 });
  });

  it('of the OpenAI instrumentation has messages as log records, and no spans of tools', () => {
    const file = importFixture(otlp, 'otlp-openai-events.jsonl');
    expect(outline(file)).toEqual([
      '0 person "Fix the test."',
      '1 says "Looking."',
      '2 calls read_file {"path":"/home/dev/project/a.ts"}',
      '3 calls run {"command":"false"}',
      '2 read_file returns "content of a.ts"',
      '3 run returns "Error: exit 1"',
      '4 calls read_file {"path":"/home/dev/project/a.ts"}',
      '4 read_file returns "content of a.ts"',
      '5 calls nosuch {"x":1}',
      '5 nosuch returns "Error: no such tool"',
      '6 says "Done."',
    ]);
    expect(batchesOf(file)).toEqual([2]);
    expect(costsOf(file)).toEqual({ tokens: 440, usd: 0, events: 4 });
  });

  it('of AI SDK 7 tells of calls that never ran, and of an agent within a tool', () => {
    const file = importFixture(otlp, 'otlp-ai-sdk-7.jsonl');
    const [main, nested, ...others] = Object.entries(outlineByRun(file)).map(([run, lines]) => [
      run,
      lines.map((line) => line.slice(0, 90)),
    ]);
    expect(others).toEqual([]);
    expect(main?.[1]).toEqual([
      '0 person "Fix the test."',
      '1 thinks "I should look."',
      '1 says "Looking."',
      '2 calls read_file {"path":"/home/dev/project/a.ts"}',
      '3 calls run {"command":"false"}',
      '3 run returns "Error: exit 1" error true',
      '2 read_file returns "content of /home/dev/project/a.ts"',
      '4 calls read_file {"path":"/home/dev/project/a.ts"}',
      '4 read_file returns "content of /home/dev/project/a.ts"',
      '5 calls nosuch {"x":1}',
      '6 calls read_file {"wrong":1}',
      "5 nosuch returns \"AI_NoSuchToolError: Model tried to call unavailable tool 'nosuch'. Avail",
      '6 read_file returns "AI_InvalidToolInputError: Invalid input for tool read_file: AI_TypeVa',
      '7 calls delegate {"task":"Find the file."}',
      '7 delegate returns "Found it."',
      '8 says "Done."',
    ]);
    expect(nested?.[0]).toMatch(/ c6$/);
    expect(nested?.[1]).toEqual([
      '0 c6 says "Searching."',
      '1 c6 calls read_file {"path":"/home/dev/project/b.ts"}',
      '1 c6 read_file returns "content of /home/dev/project/b.ts"',
      '2 c6 says "Found it."',
    ]);
    expect(batchesOf(file)).toEqual([2, 2]);
    expect(costsOf(file)).toEqual({ tokens: 7 * 90, usd: 0, events: 7 });
  });

  it('of AI SDK 6 says which results are errors', () => {
    const file = importFixture(otlp, 'otlp-ai-sdk-6.jsonl');
    expect(file.events.every(({ event }) => event.session === 'sess-1')).toBe(true);
    const finished = outline(file).filter((line) => line.includes(' returns '));
    expect(finished.map((line) => line.endsWith(' error true'))).toEqual([
      false,
      true,
      false,
      true,
      true,
    ]);
    expect(costsOf(file)).toEqual({ tokens: 4 * 90, usd: 0, events: 4 });
  });

  it('of Claude Code joins log records and spans, keeps its subagent apart, and knows what the host refused', () => {
    const file = importFixture(otlp, 'otlp-claude-code.jsonl');
    const [[, main] = [], [nestedName, nested] = []] = Object.entries(outlineByRun(file));
    expect(main).toEqual([
      '0 person "Fix the test."',
      '1 says "Looking."',
      '2 calls Bash {"command":"ls /nonexistent-dir","description":"probe"}',
      '2 Bash returns nothing known error true refused by host',
      '3 calls Read {"file_path":"/home/dev/project/a.ts"}',
      '3 Read returns "export const a = 1;\\n"',
      '4 calls Bash {"command":"touch forbidden","description":"not allowed"}',
      '4 Bash returns nothing known error true refused by host',
      '5 calls Agent {"description":"sub","prompt":"SUBTASK please echo","subagent_type":"general-purpose"}',
      '5 Agent returns nothing known',
      '6 says "Done."',
      '7 says "end"',
    ]);
    expect(nestedName).toMatch(/ a47fdd3ca829f8d6f$/);
    expect(nested).toEqual([
      '0 a47fdd3ca829f8d6f says "Echoing."',
      '1 a47fdd3ca829f8d6f calls Bash {"command":"echo sub","description":"sub"}',
      '1 a47fdd3ca829f8d6f Bash returns "sub"',
      '2 a47fdd3ca829f8d6f says "Sub done."',
    ]);
    expect(batchesOf(file)).toEqual([2]);
    // Eight requests; two of them made calls that telemetry does not show.
    expect(costsOf(file)).toEqual({ tokens: 8 * 18, usd: 0.001251, events: 7 });
  });

  it.each(RECORDINGS)('%s has no record that is not known, and loses no call', (fixture) => {
    const file = importFixture(otlp, fixture);
    expect(file.unknown).toEqual([]);
    // Call ids in the text, at any depth of escaping.
    const text = JSON.stringify(recordsOf(fixture));
    const ids = new Set(text.match(/\b(?:toolu_\w+|call_\d|[cs]\d)(?=\\*")/g));
    expect(ids.size).toBeGreaterThan(3);
    const calls = file.events.flatMap(({ event }) =>
      event.type === 'call-proposed' ? [event.call.id] : [],
    );
    expect(calls.toSorted()).toEqual([...ids].toSorted());
  });

  it.each(RECORDINGS)('%s tells the same in any order', (fixture) => {
    const records = apart(recordsOf(fixture));
    const expected = outlineByRun(importRecords(otlp, records));
    fc.assert(
      fc.property(fc.shuffledSubarray(records, { minLength: records.length }), (shuffled) => {
        expect(outlineByRun(importRecords(otlp, shuffled))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  // Not the recording whose prompts are log records: they have no ids, and users may repeat a text.
  it.each(RECORDINGS.filter((name) => !name.includes('events')))(
    '%s is recorded twice, as after a retry, and counts once',
    (fixture) => {
      const records = recordsOf(fixture);
      expect(outline(importRecords(otlp, [...records, ...records]))).toEqual(
        outline(importRecords(otlp, records)),
      );
    },
  );
});

it.each(FIXTURES)('%s is recognised if it is OTLP', (fixture) => {
  expect(otlp.recognises(recordsOf(fixture).slice(0, 32))).toBe(fixture.startsWith('otlp'));
});

it.each<[string, unknown[], boolean]>([
  ['metrics come first', [{ resourceMetrics: [] }], true],
  [
    'a request holds its body as an object',
    [{ url: '/v1/logs', body: { resourceLogs: [] } }],
    true,
  ],
  ['other records come first', [3, null, { resourceSpans: [] }], true],
  ['a request holds something else', [{ url: '/v1/messages', body: '{"model":"x"}' }], false],
  ['the name is there, but no list', [{ resourceSpans: 'x' }], false],
])('recognises when %s', (_, records, is) => {
  expect(otlp.recognises(records)).toBe(is);
});

describe('garbage', () => {
  it.each(GARBAGE)('%s is counted as unknown', (_, record) => {
    expect(importRecords(otlp, [record])).toMatchObject({
      events: [],
      unknown: [expect.any(String)],
    });
  });

  it.each<[string, unknown]>([
    [
      'a request with nothing',
      { resourceSpans: [null, {}, { scopeSpans: [null, { spans: null }] }] },
    ],
    ['a span of nothing', spansIn({}, null, 3)],
    [
      'a span of wrong types',
      spansIn({
        ...span({ attributes: { 'gen_ai.operation.name': 'chat' } }),
        spanId: 3,
        startTimeUnixNano: {},
        events: 'x',
        status: 7,
      }),
    ],
    [
      'attributes of wrong types',
      spansIn({
        ...span({}),
        attributes: [null, { key: 3 }, { key: 'a' }, { key: 'b', value: {} }],
      }),
    ],
    [
      'messages that are no JSON',
      spansIn(
        span({
          attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': '[{"role":' },
        }),
      ),
    ],
    [
      'messages of wrong types',
      spansIn(
        span({
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.input.messages':
              '[3,null,{"role":{}},{"role":"user","parts":[null,{"type":3}]}]',
          },
        }),
      ),
    ],
    ['a log record of nothing', logsIn({}, null)],
    [
      'a tool result without a call',
      logsIn(log(5, { 'event.name': 'tool_result' }, 'claude_code.tool_result')),
    ],
    ['metrics', { resourceMetrics: [{}] }],
  ])('%s tells nothing', (_, record) => {
    expect(importRecords(otlp, [record])).toEqual({ events: [], unknown: [] });
  });

  it('spans that are their own parents do not hold it up', () => {
    const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'ls' };
    const spans = [
      span({ id: 'a', parent: 'b', attributes: tool }),
      span({ id: 'b', parent: 'a' }),
      span({ id: 'c', parent: 'c', attributes: tool }),
    ];
    expect(
      outline(importRecords(otlp, [spansIn(...spans)])).filter((line) => line.includes('calls')),
    ).toHaveLength(2);
  });
});
