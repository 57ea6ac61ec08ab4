import { log } from '@unrut/test/importers/otlp-records';
import { describe, expect, it } from 'vitest';
import { readLog } from './otlp-log.ts';

type Attributes = Record<string, string | number | boolean>;

describe('a log record', () => {
  it.each<[string, Attributes, string, unknown]>([
    [
      'of what a person typed into Claude Code',
      { 'event.name': 'user_prompt', prompt: 'Fix it.' },
      'claude_code.user_prompt',
      { kind: 'person', text: 'Fix it.' },
    ],
    [
      'of what Claude Code says to itself',
      { prompt: '<task-notification>\n<task-id>a</task-id>' },
      'claude_code.user_prompt',
      undefined,
    ],
    [
      'of a call of Claude Code, with the command that is not cut',
      {
        tool_name: 'Bash',
        tool_use_id: 'c1',
        success: 'false',
        duration_ms: '7',
        error: 'Shell command failed',
        tool_input: '{"command":"ls…","description":"d"}',
        tool_parameters: '{"full_command":"ls -la"}',
      },
      'claude_code.tool_result',
      {
        kind: 'tool',
        call: 'c1',
        tool: 'Bash',
        args: { command: 'ls -la', description: 'd' },
        returned: { error: 'Shell command failed', durationMs: 7 },
      },
    ],
    [
      'of a call that was not allowed',
      { tool_name: 'Read', tool_use_id: 'c1', decision: 'reject', source: 'hook' },
      'claude_code.tool_decision',
      { kind: 'tool', call: 'c1', tool: 'Read', returned: { error: true, refusedBy: 'host' } },
    ],
    [
      'of a call that was allowed',
      { tool_name: 'Read', tool_use_id: 'c1', decision: 'accept', source: 'config' },
      'claude_code.tool_decision',
      undefined,
    ],
    [
      'of a request of Claude Code, which counts the cache apart',
      {
        input_tokens: 10,
        output_tokens: 5,
        cache_read_tokens: 70,
        cache_creation_tokens: 3,
        cost_usd: '0.5',
        query_source: 'repl_main_thread',
      },
      'claude_code.api_request',
      { kind: 'model', cost: { tokens: 18, usd: 0.5 }, beside: true },
    ],
    [
      'of a request for a title',
      { input_tokens: 10, output_tokens: 5, query_source: 'generate_session_title' },
      'claude_code.api_request',
      undefined,
    ],
    [
      'of an answer',
      { response: 'Done.', query_source: 'sdk' },
      'claude_code.assistant_response',
      { kind: 'model', says: 'Done.', beside: true },
    ],
    ['of a compaction', { trigger: 'auto' }, 'claude_code.compaction', { kind: 'compacted' }],
    ['of a plugin', { 'event.name': 'plugin_loaded' }, 'claude_code.plugin_loaded', undefined],
    [
      'of a call of Codex',
      {
        'event.name': 'codex.tool_result',
        tool_name: 'shell',
        call_id: 'c1',
        arguments: '{"command":["ls"]}',
        duration_ms: '7',
        success: 'false',
        output: 'exit 2',
      },
      '',
      {
        kind: 'tool',
        call: 'c1',
        tool: 'shell',
        args: { command: ['ls'] },
        returned: { result: 'exit 2', error: true, durationMs: 7 },
      },
    ],
    [
      'of a command of Codex',
      {
        'event.name': 'codex.tool_result',
        tool_name: 'exec_command',
        call_id: 'c2',
        arguments: '{"cmd":"sh check.sh"}',
        success: 'true',
        output:
          'Chunk ID: d61cb5\nWall time: 0.1000 seconds\nProcess exited with code 1\nOriginal token count: 7\nOutput:\n1 failed\n',
      },
      '',
      {
        kind: 'tool',
        call: 'c2',
        tool: 'exec_command',
        args: { cmd: 'sh check.sh' },
        returned: { result: '1 failed\n', exitCode: 1, durationMs: 100 },
      },
    ],
    [
      'of a call that the user of Codex denied',
      {
        'event.name': 'codex.tool_decision',
        tool_name: 'shell',
        call_id: 'c1',
        decision: 'denied',
        source: 'user',
      },
      '',
      { kind: 'tool', call: 'c1', tool: 'shell', returned: { error: true, refusedBy: 'user' } },
    ],
    [
      'of a response of Codex',
      {
        'event.name': 'codex.sse_event',
        'event.kind': 'response.completed',
        input_token_count: '100',
        cached_token_count: '60',
        output_token_count: '5',
      },
      '',
      { kind: 'model', cost: { tokens: 45 }, beside: true },
    ],
    [
      'of a piece of a response of Codex',
      { 'event.name': 'codex.sse_event', 'event.kind': 'response.output_text.delta' },
      '',
      undefined,
    ],
    [
      'of a call of Gemini CLI',
      {
        'event.name': 'gemini_cli.tool_call',
        function_name: 'read_file',
        function_args: '{"path":"a.ts"}',
        duration_ms: 7,
        success: true,
        decision: 'auto_accept',
      },
      'Tool call: read_file.',
      { kind: 'tool', tool: 'read_file', args: { path: 'a.ts' }, returned: { durationMs: 7 } },
    ],
    [
      'of a response of Gemini CLI, which comes in pieces',
      {
        'event.name': 'gemini_cli.api_response',
        response_text: JSON.stringify([
          { candidates: [{ content: { role: 'model', parts: [{ text: 'Now I ' }] } }] },
          {
            candidates: [
              {
                content: {
                  role: 'model',
                  parts: [{ text: 'look.' }, { functionCall: { name: 'read_file', args: {} } }],
                },
              },
            ],
          },
        ]),
      },
      'API response from gemini-2.5-flash.',
      { kind: 'model', says: 'Now I look.', beside: true },
    ],
    [
      'of an application',
      { 'event.name': 'user_prompt', prompt: 'x' },
      'request served',
      undefined,
    ],
  ])('%s', (_, attributes, body, told) => {
    expect(readLog(log(10, attributes, body))?.tells).toEqual(told);
  });

  it('that holds a whole turn', () => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.output.messages':
        '[{"role":"assistant","parts":[{"type":"text","content":"Hello"}]}]',
    };
    const given = {
      ...log(10, attributes),
      eventName: 'gen_ai.client.inference.operation.details',
      spanId: 'm1',
    };
    expect(readLog(given)).toMatchObject({ about: 'm1', tells: { kind: 'model', says: 'Hello' } });
  });

  it('of Codex stands in its conversation', () => {
    expect(
      readLog(log(10, { 'event.name': 'codex.user_prompt', 'conversation.id': 'c', prompt: 'Hi' })),
    ).toMatchObject({ session: 'c' });
  });

  it('stands in the span that it was written in, and began before it was written', () => {
    const given = {
      ...log(10, { tool_name: 'ls', duration_ms: 7 }, 'claude_code.tool_result'),
      spanId: 'a',
      traceId: 't',
    };
    const part = readLog(given)!;
    expect(part).toMatchObject({ parent: 'a', trace: 't' });
    expect(part.end! - part.start).toBe(7);
  });
});
