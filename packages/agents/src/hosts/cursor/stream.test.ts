import { behavesWell } from '@unrut/test/importers/behaves-well';
import { importFixture, importRecords, outline } from '@unrut/test/importers/import-file';
import { describe, expect, it } from 'vitest';
import { cursorStream } from './stream.ts';

const says = (text: string, more: object = {}) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  ...more,
});
const call = (subtype: string, tool_call: object, more: object = {}) => ({
  type: 'tool_call',
  subtype,
  call_id: 'c',
  tool_call,
  ...more,
});

describe("Cursor's stream", () => {
  behavesWell(
    cursorStream,
    ['cursor-stream.jsonl'],
    [
      { type: 'tool_call', subtype: 'started', tool_call: {} },
      {
        type: 'tool_call',
        subtype: 'completed',
        tool_call: { shellToolCall: { result: { success: 3 } } },
      },
      {
        type: 'tool_call',
        subtype: 'completed',
        tool_call: { mcpToolCall: { args: null, result: {} } },
      },
      { type: 'thinking', subtype: 'delta' },
      { type: 'assistant', message: 3 },
      { type: 'result', usage: 'x' },
    ],
  );

  it('has the texts, calls and results', () => {
    expect(outline(importFixture(cursorStream, 'cursor-stream.jsonl'))).toEqual([
      '0 person "the test fails, please fix add.js"',
      '1 thinks "Let me look at both files first."',
      '1 says "I look at both files."',
      '2 calls read {"path":"/home/dev/project/add.js"}',
      '3 calls read {"path":"/home/dev/project/test.mjs"}',
      `3 read returns "import { add } from './add.js';\\n"`,
      '2 read returns "export const add = (a, b) => a - b;\\n"',
      '4 calls shell {"command":"node test.mjs","workingDirectory":"/home/dev/project","timeout":30000}',
      '4 shell returns "FAIL add(1, 2) = -1\\n" error true exit 1',
      '5 calls shell {"command":"rm -rf build","workingDirectory":"/home/dev/project"}',
      expect.stringMatching(/^5 shell returns \{.*\} error true refused by host$/),
      '6 calls get_issue {"id":7}',
      '6 get_issue returns {"content":[{"text":{"text":"add must add"}}],"isError":false}',
      '7 calls edit {"path":"/home/dev/project/ad.js","streamContent":"a + b"}',
      '7 edit returns "File not found: /home/dev/project/ad.js" error true',
      '8 calls browser_navigate {"url":"http://localhost:8080"}',
      '8 browser_navigate returns "timeout" error true',
      '9 says "I could not fix it."',
      '10 session-ended',
    ]);
  });

  it('names the session, the batch of parallel calls, and what all of it cost', () => {
    const { events } = importFixture(cursorStream, 'cursor-stream.jsonl');
    const batches = events.flatMap(({ event }) =>
      event.type === 'call-proposed' ? [event.batch] : [],
    );
    expect(batches.slice(0, 3)).toEqual(['model-1', 'model-1', 'model-2']);
    expect(events.at(-1)!.event).toMatchObject({
      session: 'c6b62c6f-7ead-4fd6-9922-e952131177ff',
      outcome: 'success',
      cost: { tokens: 740 + 307 },
    });
  });

  it('says once what comes in pieces and then whole', () => {
    const records = [
      says('I will read ', { timestamp_ms: 1 }),
      says('the file.', { timestamp_ms: 2 }),
      says('I will read the file.', { timestamp_ms: 3, model_call_id: 'm' }),
      call('started', { readToolCall: { args: { path: 'a' } } }),
      call('completed', { readToolCall: { result: { success: { content: 'x' } } } }),
      says('Do', { timestamp_ms: 4 }),
      says('ne.', { timestamp_ms: 5 }),
      says('Done.'),
    ];
    const said = [
      '0 says "I will read the file."',
      '1 calls read {"path":"a"}',
      '1 read returns "x"',
      '2 says "Done."',
    ];
    expect(outline(importRecords(cursorStream, records))).toEqual(said);
    const piecesOnly = records.filter(
      (record) => record.type !== 'assistant' || 'timestamp_ms' in record,
    );
    expect(outline(importRecords(cursorStream, piecesOnly))).toEqual(said);
  });

  it.each([
    [
      'a call of which only the end is told',
      { lsToolCall: { args: { path: '.' }, result: { success: { files: ['a'] } } } },
      'ls returns {"files":["a"]}',
    ],
    [
      'a shell without interleaved output',
      { shellToolCall: { result: { success: { stdout: 'a', stderr: 'b', exitCode: 0 } } } },
      'shell returns "ab" exit 0',
    ],
    [
      'an MCP tool that says it failed',
      {
        mcpToolCall: {
          args: { toolName: 't' },
          result: { success: { content: 'no', isError: true } },
        },
      },
      't returns "no" error true',
    ],
    [
      'a tool that is not there',
      { mcpToolCall: { args: { toolName: 't' }, result: { toolNotFound: { name: 't' } } } },
      't returns {"name":"t"} error true refused by unknown-tool',
    ],
    [
      'a wait',
      { awaitToolCall: { args: {}, result: { stillRunning: { content: 'busy' } } } },
      'await returns "busy"',
    ],
  ])('reads %s', (_, toolCall, line) => {
    expect(outline(importRecords(cursorStream, [call('completed', toolCall)])).at(-1)).toBe(
      `0 ${line}`,
    );
  });
});
