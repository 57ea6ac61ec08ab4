import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { survivesSpoiling } from '@unrut/test/importers/spoiled';
import { describe, expect, it } from 'vitest';
import { geminiResult } from './parts.ts';
import { geminiCliTranscript } from './transcript.ts';

const FIXTURES = ['gemini-cli.jsonl', 'gemini-cli-resumed.jsonl', 'gemini-cli-document.json'];

interface Message {
  id?: string;
  type?: string;
  content?: unknown;
  messages?: Message[];
  toolCalls?: { id: string; result: unknown }[];
  tokens?: { input: number; output: number; cached: number; thoughts: number } | null;
}
/** The final state of the messages, without patches. */
const messagesOf = (fixture: string): Message[] => {
  const messages = (recordsOf(fixture) as Message[]).flatMap(
    (record) => record.messages ?? (record.type ? [record] : []),
  );
  return [...new Map(messages.map((message) => [message.id, message])).values()];
};

const user = (text: string, more: object = {}) => ({
  id: text,
  timestamp: '2026-11-15T22:49:23Z',
  type: 'user',
  content: [{ text }],
  ...more,
});
const header = (more: object = {}) => ({
  sessionId: 's',
  projectHash: 'p',
  startTime: '2026-11-15T22:49:23Z',
  ...more,
});

describe('chats of Gemini CLI', () => {
  behavesWell(geminiCliTranscript, FIXTURES, [
    { id: 'a', type: 'user', content: null },
    {
      id: 'a',
      type: 'gemini',
      content: [null, 3, { functionCall: 3 }],
      toolCalls: [null, {}, { result: [null] }],
      thoughts: [null, {}],
    },
    { id: 'a', type: 'user', content: [{ functionResponse: {} }] },
    { $set: { messages: [null, {}, { id: 'b', type: 'user' }] } },
    { $set: {} },
    { $rewindTo: 'a' },
    { sessionId: 's', messages: [{ type: 'odd' }] },
  ]);
  survivesSpoiling(geminiCliTranscript, FIXTURES);

  it.each(FIXTURES)('lose no call, no result, no word and no token of %s', (fixture) => {
    const { events } = importFixture(geminiCliTranscript, fixture);
    const model = messagesOf(fixture).filter(({ type }) => type === 'gemini');
    const calls = model.flatMap(({ toolCalls }) => toolCalls ?? []);
    const ids = (type: string) =>
      events.flatMap(({ event }) =>
        event.type === type && 'call' in event ? [event.call.id] : [],
      );
    expect(ids('call-proposed')).toEqual(calls.map(({ id }) => id));
    expect(ids('call-finished')).toEqual(calls.flatMap(({ id, result }) => (result ? [id] : [])));
    const said = events.flatMap(({ event }) =>
      event.type === 'text-added' && event.channel === 'answer' ? [event.text] : [],
    );
    expect(said).toEqual(model.flatMap(({ content }) => (content === '' ? [] : [content])));
    const tokens = model.reduce(
      (sum, { tokens: used }) =>
        sum + (used ? used.input - used.cached + used.output + used.thoughts : 0),
      0,
    );
    expect(events.reduce((sum, { event }) => sum + (event.cost?.tokens ?? 0), 0)).toBe(tokens);
  });

  it('tell what was called, its outcome, and why not', () => {
    expect(outline(importFixture(geminiCliTranscript, 'gemini-cli-resumed.jsonl'))).toEqual([
      '0 person "try it"',
      '1 thinks "Looking\\nI look first."',
      '1 says "Looking."',
      '2 calls run_shell_command {"command":"ls /nonexistent-dir","description":"probe"}',
      '3 calls run_shell_command {"command":"echo one","description":"probe"}',
      '4 calls read_file {"file_path":"/home/dev/project/a.txt"}',
      `2 run_shell_command returns "ls: cannot access '/nonexistent-dir': No such file or directory" exit 2`,
      '3 run_shell_command returns "one"',
      '4 read_file returns "hello\\n"',
      '5 calls frobnicate {"x":1}',
      '6 calls read_file {"path":1}',
      expect.stringMatching(/^5 frobnicate returns "Tool .* error true refused by unknown-tool$/),
      `6 read_file returns "params must have required property 'file_path'" error true refused by schema`,
      '7 calls read_file {"file_path":"/home/dev/project/missing.txt"}',
      '7 read_file returns "File not found: /home/dev/project/missing.txt" error true',
      '8 calls read_file {"file_path":"/home/dev/project/pic.png"}',
      expect.stringMatching(/^8 read_file returns .*Binary content provided.*\(picture [a-p]+\)/),
      '9 says "All done."',
      '10 context-compacted',
      '10 person "go on then"',
      '11 says "All done."',
    ]);
  });

  it('of older versions are one document', () => {
    expect(outline(importFixture(geminiCliTranscript, 'gemini-cli-document.json'))).toEqual([
      '0 person "fix the test"',
      '1 thinks "Running\\nThe test first."',
      '1 says "I run it."',
      expect.stringMatching(/^2 calls run_shell_command /),
      expect.stringMatching(/^3 calls replace /),
      expect.stringMatching(/^4 calls read_file /),
      expect.stringMatching(/^2 run_shell_command returns .* exit 1$/),
      '3 replace returns "[Operation Cancelled] Reason: User did not allow tool call" error true refused by user',
      '5 says "Done."',
    ]);
  });

  it('put the calls of one message into one batch, and end them when they ended', () => {
    const { events } = importFixture(geminiCliTranscript, 'gemini-cli-document.json');
    const calls = events.flatMap(({ event }) =>
      event.type === 'call-proposed' ? [event.batch] : [],
    );
    expect(calls).toEqual(['m3', 'm3', 'm3']);
    const ends = events.flatMap(({ event }) =>
      event.type === 'call-finished' ? [new Date(event.at).toISOString()] : [],
    );
    expect(ends).toEqual(['2025-10-01T09:00:05.000Z', '2025-10-01T09:00:06.000Z']);
  });

  it('take a result from the message that answers, when the call has none', () => {
    const call = { id: 'c', name: 'read_file', args: {}, status: 'executing' };
    const answer = {
      functionResponse: { id: 'c', name: 'read_file', response: { output: 'hello' } },
    };
    const records = [
      header(),
      { id: 'm', type: 'gemini', content: '', toolCalls: [call] },
      { id: 'u', type: 'user', content: [answer] },
    ];
    expect(outline(importRecords(geminiCliTranscript, records))).toEqual([
      '0 calls read_file {}',
      '0 read_file returns "hello"',
    ]);
  });

  it('read a history that stands in a patch alone', () => {
    const parts = [
      { text: 'I look.', thought: true },
      { text: 'Reading.' },
      { functionCall: { id: 'c', name: 'read_file', args: {} } },
    ];
    const answer = {
      functionResponse: { id: 'c', name: 'read_file', response: { output: 'hello' } },
    };
    const messages = [
      user('read it'),
      { id: 'm', type: 'gemini', content: parts },
      { id: 'm', type: 'user', content: [answer] },
    ];
    expect(
      outline(
        importRecords(geminiCliTranscript, [
          header(),
          { $set: { messages } },
          { $set: { messages } },
        ]),
      ),
    ).toEqual([
      '0 person "read it"',
      '1 thinks "I look."',
      '1 says "Reading."',
      '2 calls read_file {}',
      '2 read_file returns "hello"',
    ]);
  });

  it.each([
    ['a person', user('go on'), ['0 person "go on"']],
    [
      'a person with a file',
      user('go on <file>', { displayContent: [{ text: 'go on @a.txt' }] }),
      ['0 person "go on @a.txt"'],
    ],
    ['the session', user('<session_context>x</session_context>'), []],
    ['a hook', user('<hook_context>x</hook_context>'), []],
    ['an urging', user('Please continue.'), []],
    ['a nudge', user('[System: You previously returned an empty response.]'), []],
    ['a summary', user('<state_snapshot>x</state_snapshot>'), ['0 context-compacted']],
  ])('know when %s speaks', (_, message, told) => {
    expect(outline(importRecords(geminiCliTranscript, [header(), message]))).toEqual(told);
  });

  it('of a nested agent hold the words of another agent, not of a person', () => {
    expect(
      importRecords(geminiCliTranscript, [header({ kind: 'subagent' }), user('look at it')]).events,
    ).toEqual([]);
  });

  it('of Qwen Code in its first versions are read too', () => {
    const messages = [
      { id: 'a', type: 'user', content: 'hi' },
      { id: 'b', type: 'qwen', content: 'Hello.' },
    ];
    expect(outline(importRecords(geminiCliTranscript, [header({ messages })]))).toEqual([
      '0 person "hi"',
      '1 says "Hello."',
    ]);
  });
});

it.each([
  [
    { error: 'Tool execution blocked: no' },
    { result: 'Tool execution blocked: no', error: true, refusedBy: 'host' },
  ],
  [
    { error: 'Tool execution denied by policy.' },
    { result: 'Tool execution denied by policy.', error: true, refusedBy: 'host' },
  ],
  [
    { error: 'params/path must be string' },
    { result: 'params/path must be string', error: true, refusedBy: 'schema' },
  ],
  [{ output: 'params must be read' }, { result: 'params must be read' }],
  [{ rows: [1] }, { result: { rows: [1] } }],
  [{ output: 'log\nExit Code: 1' }, { result: 'log\nExit Code: 1' }],
  [{}, {}],
])('the response %j of a tool is read', (response, returned) => {
  expect(geminiResult([{ functionResponse: { id: 'c', name: 'read_file', response } }])).toEqual(
    returned,
  );
});
