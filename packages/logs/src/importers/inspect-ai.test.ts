import { importFixture, importRecords, recordsOf } from '@unrut/test/importers/import-file';
import {
  batchesOf,
  costsOf,
  FIXTURES,
  GARBAGE,
  outlineByRun,
} from '@unrut/test/importers/trace-recordings';
import { describe, expect, it } from 'vitest';
import { inspectAi } from './inspect-ai.ts';

interface Message {
  role: string;
  content: unknown;
  tool_calls?: unknown[];
}
const [LOG] = recordsOf('inspect-ai.json') as [{ samples: { messages: Message[] }[] }];
const read = () => importFixture(inspectAi, 'inspect-ai.json');

describe('a log', () => {
  it('has a run for each sample', () => {
    expect(outlineByRun(read())).toEqual({
      'inspect-ai fix-test epoch 1': [
        '0 person "Fix the failing test."',
        '1 thinks "I should run the tests first."',
        '1 says "Running the tests."',
        '2 calls bash {"command":"npm test"}',
        '3 calls text_editor {"command":"view","path":"/home/dev/project/a.ts"}',
        '2 bash returns "FAIL a.test.ts\\nexpected 2, received 1\\n1 failed"',
        '3 text_editor returns "export const a = 1;"',
        '4 calls bash {"command":"sleep 600"}',
        '4 bash returns "Command timed out before completing." error true',
        '5 says "Another tool, then."',
        '6 calls shell {"cmd":"ls"}',
        '7 calls bash {"cmd":"ls"}',
        '8 calls bash {"command":"rm -rf build"}',
        '6 shell returns "Tool shell not found" error true refused by unknown-tool',
        '7 bash returns "Found 1 validation errors parsing tool input arguments:\\n- \'command\' is a required property" error true refused by schema',
        '8 bash returns "Tool call rejected by the approval policy." error true refused by host',
        '9 says "It is fixed."',
        '10 calls web_search {"query":"vitest"}',
        '10 web_search returns "10 results"',
      ],
      'inspect-ai 7 epoch 2': [
        '0 person "Say yes."',
        '1 says "Looking it up."',
        '2 calls search {"query":"yes"}',
        '2 search returns "no results"',
        '3 says "Yes."',
      ],
    });
  });

  it('loses no call and no answer', () => {
    const messages = LOG.samples.flatMap((sample) => sample.messages);
    const asked = messages.reduce((count, { tool_calls }) => count + (tool_calls?.length ?? 0), 0);
    const { events, unknown } = read();
    const count = (type: string): number =>
      events.filter(({ event }) => event.type === type).length;
    // One more: a search that the provider ran within an answer.
    expect(count('call-proposed')).toBe(asked + 1);
    expect(count('call-finished')).toBe(asked + 1);
    expect(
      events.filter(({ event }) => event.type === 'text-added' && event.channel === 'answer'),
    ).toHaveLength(
      messages.filter(({ role, content }) => role === 'assistant' && content !== '').length,
    );
    expect(unknown).toEqual([]);
  });

  it('has times and costs from its events, and calls of one answer in one batch', () => {
    const { events } = read();
    expect(new Date(events[1]!.event.at).toISOString()).toBe('2026-11-16T03:30:03.000Z');
    expect(events.find(({ event }) => event.type === 'call-finished')?.event).toMatchObject({
      at: Date.UTC(2026, 10, 16, 3, 30, 5, 100),
      durationMs: 2000,
    });
    expect(costsOf(read())).toEqual({ tokens: 130 + 205, usd: 0, events: 2 });
    expect(batchesOf(read())).toEqual([2, 3]);
  });

  it('may be read sample by sample', () => {
    expect(inspectAi.recognises(LOG.samples)).toBe(true);
    expect(importRecords(inspectAi, LOG.samples, 'inspect-ai')).toEqual(read());
  });

  it('whose beginning was cut off has results of calls that are not in it', () => {
    const messages = [{ role: 'tool', function: 'bash', tool_call_id: 'x', content: 'ok' }];
    expect(outlineByRun(importRecords(inspectAi, [{ id: 1, epoch: 1, messages }]))).toEqual({
      'file 1 epoch 1': ['0 calls bash undefined', '0 bash returns "ok"'],
    });
  });
});

it.each(FIXTURES)('%s is recognised if it is of Inspect', (fixture) => {
  expect(inspectAi.recognises(recordsOf(fixture).slice(0, 32))).toBe(
    fixture.startsWith('inspect-ai'),
  );
});

it.each(GARBAGE)('%s is counted as unknown', (_, record) => {
  expect(importRecords(inspectAi, [record])).toMatchObject({
    events: [],
    unknown: [expect.any(String)],
  });
});

it.each<[string, unknown, number]>([
  ['a log without samples', { version: 2, status: 'started', eval: {} }, 0],
  [
    'a log of broken samples',
    { status: 'error', eval: {}, samples: [null, {}, { id: 1, epoch: 1 }] },
    3,
  ],
  [
    'a sample of broken messages',
    {
      id: 1,
      epoch: 1,
      events: 3,
      attachments: [],
      messages: [null, 3, {}, { role: 'robot' }, { role: 'user', content: null }],
    },
    4,
  ],
])('%s tells nothing', (_, record, unknown) => {
  const file = importRecords(inspectAi, [record]);
  expect(file.events).toEqual([]);
  expect(file.unknown).toHaveLength(unknown);
});
