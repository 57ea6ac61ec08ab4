import { fixturesOf, HOSTS, payloadsIn } from '@unrut/test/hosts/hook-process';
import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { survivesSpoiling } from '@unrut/test/importers/spoiled';
import { describe, expect, it } from 'vitest';
import { hookPayloads } from './hooks/hook-payloads.ts';

const FIXTURES = [
  'hook-payloads-claude-code.jsonl',
  'hook-payloads-codex.jsonl',
  'hook-payloads-copilot.jsonl',
  'hook-payloads-cursor-details.jsonl',
  'hook-payloads-cursor.jsonl',
  'hook-payloads-gemini-cli.jsonl',
  'hook-payloads-opencode.jsonl',
  'hook-payloads-refusals.jsonl',
];

const payload = (event: string, more: object = {}) => ({
  session_id: 's',
  hook_event_name: event,
  cwd: '/home/dev/project',
  ...more,
});
const call = (id: string | undefined, command: string) => ({
  tool_name: 'Bash',
  tool_input: { command },
  ...(id ? { tool_use_id: id } : {}),
});
const told = (...records: unknown[]) => outline(importRecords(hookPayloads, records));
const batchesOf = (records: unknown[]) =>
  importRecords(hookPayloads, records).events.flatMap(({ event }) =>
    event.type === 'call-proposed' ? [event.batch] : [],
  );

describe('payloads of hooks', () => {
  behavesWell(hookPayloads, FIXTURES, [
    payload('PreToolUse'),
    payload('PostToolUseFailure', { error: {} }),
    payload('PostToolBatch', { tool_calls: [null, {}, 3] }),
    payload('UserPromptSubmit', { prompt: 3 }),
    payload('AfterTool', { tool_response: { llmContent: [{ text: 'x' }], error: 3 } }),
    { conversation_id: 3, hook_event_name: 'postToolUse', tool_output: '{' },
    { timestamp: 1, cwd: '/', toolName: 'bash', toolResult: { resultType: 'denied' } },
    { h: 'before', i: {}, o: {} },
    { ev: 'message.part.updated', p: { tool: 'bash', state: {} } },
  ]);
  survivesSpoiling(hookPayloads, FIXTURES);

  it.each([
    ['claude-code', 'PreToolUse', '"hook_event_name":"PreToolUse"'],
    ['codex', 'PreToolUse', '"hook_event_name":"PreToolUse"'],
    ['gemini-cli', 'BeforeTool', '"hook_event_name":"BeforeTool"'],
    ['opencode', 'before', '"h":"before"'],
    ['cursor', 'preToolUse', '"hook_event_name":"preToolUse"'],
  ])('of %s show as many calls as there are %s hooks, each with its result', (host, _, mark) => {
    const fixture = `hook-payloads-${host}.jsonl`;
    const expected = recordsOf(fixture).filter((record) =>
      JSON.stringify(record).includes(mark),
    ).length;
    const types = importFixture(hookPayloads, fixture).events.map(({ event }) => event.type);
    expect(expected).toBeGreaterThan(2);
    expect(types.filter((type) => type === 'call-proposed')).toHaveLength(expected);
    expect(types.filter((type) => type === 'call-finished')).toHaveLength(expected);
  });

  it('of Claude Code tell of each call once, and of those that only the batch shows', () => {
    const { events } = importFixture(hookPayloads, 'hook-payloads-refusals.jsonl');
    expect(
      outline({
        events: events.filter(({ event }) => event.agent === undefined),
        unknown: [],
      }).slice(0, 15),
    ).toEqual([
      '0 person "try it"',
      '1 calls Bash {"command":"ls /nonexistent-dir","description":"probe"}',
      '2 calls Bash {"command":"echo one","description":"probe"}',
      '3 calls Read {"file_path":"/home/dev/project/a.txt"}',
      expect.stringMatching(/^3 Read returns {"type":"text",/),
      expect.stringMatching(/^2 Bash returns {"stdout":"one",/),
      expect.stringMatching(/^1 Bash returns "Exit code 2.* error true exit 2$/),
      '4 calls Bash {"cmd":"echo"}',
      expect.stringMatching(
        /^4 Bash returns "<tool_use_error>InputValidationError.* error true refused by schema$/,
      ),
      '5 calls Frobnicate {"x":1}',
      expect.stringMatching(/^5 Frobnicate returns .* error true refused by unknown-tool$/),
      '6 calls Bash {"command":"echo DENYME","description":"probe"}',
      '6 Bash returns "PreToolUse:Bash hook error: not this one" error true refused by host',
      '7 calls Write {"file_path":"/home/dev/project/b.txt","content":"b"}',
      expect.stringMatching(
        /^7 Write returns "Claude requested permissions .* error true refused by host$/,
      ),
    ]);
    const shown = recordsOf('hook-payloads-refusals.jsonl').flatMap(
      (record) => JSON.stringify(record).match(/"tool_use_id":"[^"]*"/g) ?? [],
    );
    expect(events.filter(({ event }) => event.type === 'call-proposed')).toHaveLength(
      new Set(shown).size,
    );
    expect(events.filter(({ event }) => event.type === 'user-spoke')).toHaveLength(1);
  });

  it('of a nested agent belong to it', () => {
    const { events } = importFixture(hookPayloads, 'hook-payloads-refusals.jsonl');
    expect(
      outline({ events: events.filter(({ event }) => event.agent !== undefined), unknown: [] }),
    ).toEqual([
      '0 a1a4860a36c044f07 calls Bash {"command":"echo nested","description":"probe"}',
      expect.stringMatching(/^0 a1a4860a36c044f07 Bash returns {"stdout":"nested"/),
      '1 a1a4860a36c044f07 says "Nested done."',
    ]);
  });

  it('of Copilot, whose calls have no ids, are paired by tool and arguments', () => {
    expect(outline(importFixture(hookPayloads, 'hook-payloads-copilot.jsonl'))).toEqual([
      '0 person "run the tests"',
      '1 calls bash {"command":"npm test","description":"run the tests"}',
      '1 bash returns "1 failed\\n<exited with exit code 1>" error true',
      '2 calls view {"path":"/home/dev/project/a.txt"}',
      '3 calls grep {"pattern":"day"}',
      '3 grep returns "a.txt:1"',
      '2 view returns "1. hello"',
      '4 context-compacted',
      '0 agent-1 says "Nothing found."',
      '4 session-ended',
    ]);
  });

  it('of Copilot in its first versions name no session', () => {
    const first = {
      timestamp: 1_794_800_000_000,
      cwd: '/home/dev/project',
      toolName: 'bash',
      toolArgs: '{"command":"ls"}',
    };
    expect(
      told(first, { ...first, toolResult: { resultType: 'rejected', textResultForLlm: 'no' } }),
    ).toEqual(['0 calls bash {"command":"ls"}', '0 bash returns "no" error true refused by user']);
    expect(
      hookPayloads.recognises([
        { timestamp: 1_794_800_000_000, cwd: '/', message: 'a log of something else' },
      ]),
    ).toBe(false);
  });

  it('of Cursor tell of each call once, although hooks for shell and files show it too', () => {
    expect(outline(importFixture(hookPayloads, 'hook-payloads-cursor.jsonl'))).toEqual([
      '0 person "run the tests"',
      '1 thinks "The tests first."',
      '1 calls Shell {"command":"npm test"}',
      '1 Shell returns "Command failed with exit code 1: 1 failed" error true',
      '2 calls Read {"file_path":"/home/dev/project/a.txt"}',
      '2 Read returns {"content":"hello"}',
      '3 calls Shell {"command":"echo ok"}',
      '3 Shell returns {"output":"ok","exitCode":0} exit 0',
      '4 calls Delete {"path":"a.txt"}',
      '4 Delete returns "Blocked by a rule" error true refused by host',
      '5 context-compacted',
      '5 says "Done."',
      '6 session-ended',
    ]);
  });

  it('of Cursor are read from the hooks for shell and files, where there are no others', () => {
    expect(outline(importFixture(hookPayloads, 'hook-payloads-cursor-details.jsonl'))).toEqual([
      '0 person "run the tests"',
      '1 calls Shell {"command":"npm test"}',
      '1 Shell returns "1 failed"',
      '2 calls query {"sql":"select 1"}',
      '2 query returns {"rows":[1]}',
      '3 calls Read {"file_path":"/home/dev/project/a.txt"}',
      '3 Read returns "hello"',
      '4 calls Edit {"file_path":"/home/dev/project/a.txt","edits":[{"old_string":"hello","new_string":"bye"}]}',
      '4 Edit returns nothing known',
    ]);
  });

  it('of OpenCode have the exit code, and tell of failed tools by their parts', () => {
    expect(
      outline(importFixture(hookPayloads, 'hook-payloads-opencode.jsonl')).slice(0, 2),
    ).toEqual([
      '0 calls bash {"command":"ls /nonexistent-dir","description":"probe"}',
      `0 bash returns "ls: cannot access '/nonexistent-dir': No such file or directory\\n" exit 2`,
    ]);
    const before = {
      h: 'before',
      i: { tool: 'read', sessionID: 's', callID: 'c' },
      o: { args: { filePath: 'x' } },
    };
    const state = { status: 'error', input: { filePath: 'x' }, error: 'File not found' };
    expect(told(before, { ev: 'message.part.updated', p: { tool: 'read', state } })).toEqual([
      '0 calls read {"filePath":"x"}',
      '0 read returns "File not found" error true',
    ]);
    const part = {
      type: 'tool',
      callID: 'd',
      sessionID: 's',
      tool: 'read',
      state: { status: 'completed', input: {}, output: 'hi' },
    };
    const updated = { type: 'message.part.updated', properties: { part } };
    expect(
      told(updated, updated, { type: 'session.compacted', properties: { sessionID: 's' } }),
    ).toEqual(['0 calls read {}', '0 read returns "hi"', '1 context-compacted']);
  });

  it('that come twice count once', () => {
    const pre = payload('PreToolUse', call('a', 'ls'));
    const post = payload('PostToolUse', { ...call('a', 'ls'), tool_response: 'x' });
    expect(told(pre, pre, post, post)).toEqual([
      '0 calls Bash {"command":"ls"}',
      '0 Bash returns "x"',
    ]);
  });

  it('without ids are paired by arguments, else by order', () => {
    const pre = (command: string) => payload('BeforeTool', call(undefined, command));
    const post = (command: string, llmContent: string) =>
      payload('AfterTool', { ...call(undefined, command), tool_response: { llmContent } });
    expect(told(pre('a'), pre('b'), post('b', 'B'), post('a', 'A')).slice(2)).toEqual([
      '1 Bash returns "B"',
      '0 Bash returns "A"',
    ]);
    expect(told(pre('a'), post('a, changed by a hook', 'A')).slice(1)).toEqual([
      '0 Bash returns "A"',
    ]);
  });

  it('that follow each other show parallel calls, but not the same call again', () => {
    const pre = (id: string, command: string) => payload('PreToolUse', call(id, command));
    const post = (id: string, command: string) =>
      payload('PostToolUse', { ...call(id, command), tool_response: 'x' });
    expect(
      batchesOf([pre('1', 'a'), pre('2', 'b'), post('1', 'a'), post('2', 'b'), pre('3', 'c')]),
    ).toEqual(['1', '1', '3']);
    expect(batchesOf([pre('1', 'a'), pre('2', 'a'), pre('3', 'a')])).toEqual(['1', '2', '3']);
    const failed = ['4', '5'].map((id) => ({
      ...call(id, id),
      tool_response: '<tool_use_error>InputValidationError: x</tool_use_error>',
    }));
    expect(batchesOf([payload('PostToolBatch', { tool_calls: failed }), pre('6', 'b')])).toEqual([
      '4',
      '4',
      '6',
    ]);
  });

  it('before and after a compaction tell of it once', () => {
    const compaction = [
      payload('PreCompact'),
      payload('PostCompact'),
      payload('SessionStart', { source: 'compact' }),
    ];
    expect(told(...compaction)).toEqual(['0 context-compacted']);
    expect(told(compaction[0], payload('PreToolUse', call('a', 'ls')), compaction[0])).toHaveLength(
      3,
    );
  });

  it.each([
    ['a person', { prompt: 'go on' }, ['user-spoke']],
    ['a program that uses the agent', { prompt: 'go on', source: 'sdk' }, ['user-spoke']],
    ['a timer', { prompt: 'go on', source: 'schedule_wakeup' }, []],
    ['a background task', { prompt: '<task-notification>\n<task-id>1</task-id>' }, []],
  ])('know when %s submits a prompt', (_, more, types) => {
    const { events } = importRecords(hookPayloads, [payload('UserPromptSubmit', more)]);
    expect(events.map(({ event }) => event.type)).toEqual(types);
  });

  it.each([
    [
      'Copilot, named like Claude',
      { tool_result: { result_type: 'success', text_result_for_llm: 'hi' } },
      '0 Bash returns "hi"',
    ],
    ['Kimi', { tool_output: 'hi', tool_call_id: 'k' }, '0 Bash returns "hi"'],
    [
      'Codex',
      { tool_response: 'Exit code: 0\nWall time: 0 seconds\nOutput:\nhi', turn_id: 't' },
      '0 exec_command returns "hi" exit 0',
    ],
  ])('of %s hold the result elsewhere', (_, more, last) => {
    expect(told(payload('PostToolUse', { ...call(undefined, 'ls'), ...more })).at(-1)).toBe(last);
  });

  it('say how a failure came about', () => {
    const failed = (more: object) =>
      told(payload('PostToolUseFailure', { ...call('a', 'ls'), ...more })).at(-1);
    expect(failed({ error: 'Exit code 2\nno' })).toBe(
      '0 Bash returns "Exit code 2\\nno" error true exit 2',
    );
    expect(failed({ error: 'stopped', is_interrupt: true })).toBe(
      '0 Bash returns "stopped" error true refused by user',
    );
    expect(told(payload('PermissionDenied', { ...call('a', 'ls'), reason: 'a rule' })).at(-1)).toBe(
      '0 Bash returns "a rule" error true refused by host',
    );
  });

  it.each(HOSTS.flatMap((host) => fixturesOf(host).map((fixture) => [host, fixture] as const)))(
    'of %s are read, as in %s',
    (host, fixture) => {
      const { events, unknown } = importRecords(hookPayloads, payloadsIn(host, fixture));
      expect(unknown).toEqual([]);
      expect(events.some(({ event }) => event.type === 'call-finished')).toBe(true);
    },
  );

  it('of an event that is not known are counted by its name', () => {
    expect(importRecords(hookPayloads, [payload('SomethingNew')]).unknown).toEqual([
      'SomethingNew',
    ]);
  });
});
