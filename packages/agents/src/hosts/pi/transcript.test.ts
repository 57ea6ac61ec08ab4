import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { describe, expect, it } from 'vitest';
import { piTranscript } from './transcript.ts';

interface Entry {
  message?: {
    role: string;
    content: { type: string; id?: string }[];
    toolCallId?: string;
    usage?: { totalTokens: number; cacheRead: number };
  };
}

const messages = (recordsOf('pi.jsonl') as Entry[]).flatMap(({ message }) =>
  message ? [message] : [],
);
const imported = importFixture(piTranscript, 'pi.jsonl');
const entry = (message: object) => ({
  type: 'message',
  id: 'e',
  parentId: null,
  timestamp: '2026-11-16T03:38:38.895Z',
  message,
});

describe("pi's sessions", () => {
  behavesWell(
    piTranscript,
    ['pi.jsonl', 'pi-stream.jsonl'],
    [
      { type: 'session' },
      { type: 'message', message: {} },
      entry({
        role: 'assistant',
        content: [null, {}, { type: 'toolCall' }, { type: 'thinking' }],
        usage: 3,
      }),
      entry({ role: 'toolResult', content: 3, isError: true }),
      entry({ role: 'user' }),
      entry({ role: 'bashExecution' }),
    ],
  );

  it('lose no call, no message and no token', () => {
    const blocks = messages
      .filter(({ role }) => role === 'assistant')
      .flatMap(({ content }) => content);
    const { events } = imported;
    expect(
      events.flatMap(({ event }) => (event.type === 'call-proposed' ? [event.call.id] : [])),
    ).toEqual(blocks.filter(({ type }) => type === 'toolCall').map(({ id }) => id));
    expect(
      events.flatMap(({ event }) => (event.type === 'call-finished' ? [event.call.id] : [])),
    ).toEqual(
      messages.filter(({ role }) => role === 'toolResult').map(({ toolCallId }) => toolCallId),
    );
    expect(events.filter(({ event }) => event.type === 'text-added')).toHaveLength(
      blocks.filter(({ type }) => type !== 'toolCall').length,
    );
    expect(events.filter(({ event }) => event.type === 'user-spoke')).toHaveLength(
      messages.filter(({ role }) => role === 'user').length,
    );
    const tokens = messages.reduce(
      (sum, { usage }) => sum + (usage ? usage.totalTokens - usage.cacheRead : 0),
      0,
    );
    expect(events.reduce((sum, { event }) => sum + (event.cost?.tokens ?? 0), 0)).toBe(tokens);
    expect(events.find(({ event }) => event.cost)?.event).toMatchObject({
      type: 'text-added',
      channel: 'thinking',
      cost: { usd: 0.000323 },
    });
  });

  it('tell what was called and what came back', () => {
    expect(outline(imported)).toEqual(
      expect.arrayContaining([
        '1 thinks "Let me look at both files first."',
        '1 says "I look at both files."',
        '4 calls bash {"command":"node test.mjs"}',
        '4 bash returns "FAIL add(1, 2) = -1" error true exit 1',
        expect.stringMatching(/^6 edit returns "Could not find the exact text .* error true$/),
        expect.stringMatching(
          /^7 read returns "Validation failed for tool .* error true refused by schema$/,
        ),
        '8 run_tests returns "Tool run_tests not found" error true refused by unknown-tool',
        '12 bash returns "ok\\n"',
      ]),
    );
    const batches = imported.events.flatMap(({ event }) =>
      event.type === 'call-proposed' ? [event.batch] : [],
    );
    expect([batches[0] === batches[1], new Set(batches).size]).toEqual([true, batches.length - 1]);
    expect(imported.events[0]!.event).toMatchObject({
      session: '01a1e26f-798c-76a6-a815-cf84ea72566a',
      at: Date.parse('2026-11-16T03:38:38.895Z'),
    });
  });

  it('are the same in the stream', () => {
    expect(outline(importFixture(piTranscript, 'pi-stream.jsonl'))).toEqual(outline(imported));
  });

  it('tell what a person ran and when the history was summarised, not what extensions put in', () => {
    const entries = [
      entry({ role: 'bashExecution', command: 'ls', output: 'add.js', exitCode: 0 }),
      { type: 'custom_message', customType: 'x', content: 'remember', display: true },
      entry({ role: 'custom', content: 'remember' }),
      { type: 'compaction', summary: 's', firstKeptEntryId: 'e', tokensBefore: 5000 },
      { type: 'compaction_end', reason: 'manual', aborted: true },
      entry({ role: 'user', content: 'go on' }),
    ];
    const file = importRecords(piTranscript, entries);
    expect(outline(file)).toEqual(['0 person "!ls"', '1 context-compacted', '1 person "go on"']);
    expect(file.unknown).toEqual([]);
  });
});
