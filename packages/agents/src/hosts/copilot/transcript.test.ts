import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { describe, expect, it } from 'vitest';
import { copilotTranscript } from './transcript.ts';

interface Record {
  type: string;
  agentId?: string;
  data: {
    content?: string;
    reasoningText?: string;
    toolCallId?: string;
    toolRequests?: { toolCallId: string }[];
  };
}

const records = recordsOf('copilot.jsonl') as Record[];
const imported = importFixture(copilotTranscript, 'copilot.jsonl');
const event = (type: string, data: object, more: object = {}) => ({
  type,
  data,
  id: 'e',
  parentId: null,
  timestamp: '2026-11-16T03:36:41Z',
  ...more,
});

describe("Copilot's events", () => {
  behavesWell(
    copilotTranscript,
    ['copilot.jsonl', 'copilot-stream.jsonl'],
    [
      { type: 'user.message' },
      { type: 'user.message', data: { content: 3 } },
      { type: 'assistant.message', data: { toolRequests: [null, {}, { name: 3 }] }, agentId: 3 },
      { type: 'assistant.usage', data: { inputTokens: 'x' } },
      { type: 'tool.execution_start', data: {} },
      { type: 'tool.execution_complete', data: { toolCallId: 'x', success: false } },
      { type: 'session.start', data: null },
    ],
  );

  it('lose no call, no message and no token', () => {
    const asked = records
      .flatMap(({ data }) => data.toolRequests ?? [])
      .map(({ toolCallId }) => toolCallId);
    const { events } = imported;
    expect(
      events.flatMap((each) => (each.event.type === 'call-proposed' ? [each.event.call.id] : [])),
    ).toEqual(asked);
    const completed = records
      .filter(({ type }) => type === 'tool.execution_complete')
      .map(({ data }) => data.toolCallId);
    expect(
      events.flatMap((each) => (each.event.type === 'call-finished' ? [each.event.call.id] : [])),
    ).toEqual(completed);
    const said = records
      .filter(({ type }) => type === 'assistant.message')
      .flatMap(({ data }) => [data.reasoningText, data.content]);
    expect(events.filter((each) => each.event.type === 'text-added')).toHaveLength(
      said.filter((text) => text).length,
    );
    // The session's final record has 15120 input, 420 output and 12000 cached tokens.
    expect(events.reduce((sum, each) => sum + (each.event.cost?.tokens ?? 0), 0)).toBe(
      15_120 + 420 - 12_000,
    );
  });

  it('tell what was called and what came back', () => {
    expect(outline(imported)).toEqual(
      expect.arrayContaining([
        '0 person "the test fails, please fix add.js"',
        '1 thinks "Let me look at both files first."',
        '4 calls bash {"command":"node test.mjs","description":"Run the test"}',
        '4 bash returns "FAIL add(1, 2) = -1\\n<shellId: 0 completed with exit code 1>" exit 1',
        '6 edit returns "No match found" error true',
        '7 view returns "\\"path\\": Required" error true refused by schema',
        `8 run_tests returns "Tool 'run_tests' does not exist." error true refused by unknown-tool`,
        '9 view returns "Unterminated string in JSON at position 20 (line 1 column 21)" error true refused by schema',
        expect.stringMatching(
          /^11 bash returns "Permission to run this tool was denied.* error true refused by host$/,
        ),
      ]),
    );
  });

  it('put parallel calls into one batch', () => {
    const batches = imported.events.flatMap((each) =>
      each.event.type === 'call-proposed' ? [each.event.batch] : [],
    );
    expect(batches[0]).toBe(batches[1]);
    expect(new Set(batches).size).toBe(batches.length - 1);
  });

  it('keep nested agents apart, to whom no person speaks', () => {
    const agent = records.find(({ type }) => type === 'subagent.started')?.agentId;
    const nested = imported.events
      .filter((each) => each.event.agent === agent)
      .map((each) => each.event.type);
    expect(nested).toEqual([
      'call-proposed',
      'call-finished',
      'call-proposed',
      'call-finished',
      'text-added',
    ]);
    expect(imported.events.filter((each) => each.event.type === 'user-spoke')).toHaveLength(1);
  });

  it('are the same in the stream, which has no session id and no usage', () => {
    const streamed = importFixture(copilotTranscript, 'copilot-stream.jsonl');
    expect(outline(streamed)).toEqual(outline(imported));
    expect(new Set(streamed.events.map((each) => each.event.session))).toEqual(
      new Set(['copilot-stream']),
    );
  });

  it.each([
    ['a person', {}, ['user-spoke']],
    ['a skill', { source: 'skill-pdf' }, []],
    ['another agent', { source: 'agent-1' }, []],
    ['the autopilot', { isAutopilotContinuation: true }, []],
  ])('know when %s writes', (_, data, types) => {
    const { events } = importRecords(copilotTranscript, [
      event('user.message', { content: 'go on', ...data }),
    ]);
    expect(events.map((each) => each.event.type)).toEqual(types);
  });

  it('of older versions name a nested agent by the call that started it, and may leave out what was asked', () => {
    const old = [
      event('tool.execution_start', {
        toolCallId: 'a',
        toolName: 'view',
        arguments: '{"path":"x"}',
        parentToolCallId: 'task',
      }),
      event('tool.execution_complete', {
        toolCallId: 'a',
        success: true,
        result: { content: 'y' },
        parentToolCallId: 'task',
      }),
    ];
    expect(outline(importRecords(copilotTranscript, old))).toEqual([
      '0 task calls view {"path":"x"}',
      '0 task view returns "y"',
    ]);
  });

  it('tell what a person ran, what a person refused, and when the history was summarised', () => {
    const events = [
      event('tool.user_requested', {
        toolCallId: 'u',
        toolName: 'bash',
        arguments: { command: 'ls' },
      }),
      event('tool.execution_start', {
        toolCallId: 'u',
        toolName: 'bash',
        arguments: { command: 'ls' },
      }),
      event('tool.execution_complete', {
        toolCallId: 'u',
        success: true,
        isUserRequested: true,
        result: { content: 'add.js' },
      }),
      event('assistant.message', {
        messageId: 'm',
        content: '',
        toolRequests: [{ toolCallId: 'c', name: 'bash', arguments: {} }],
      }),
      event('tool.execution_complete', {
        toolCallId: 'c',
        success: false,
        error: { message: 'The user rejected this tool call.', code: 'rejected' },
      }),
      event('session.compaction_complete', { success: false }),
      event('session.compaction_complete', { success: true }),
    ];
    expect(outline(importRecords(copilotTranscript, events))).toEqual([
      '0 person "!ls"',
      '1 calls bash {}',
      '1 bash returns "The user rejected this tool call." error true refused by user',
      '2 context-compacted',
    ]);
  });
});
