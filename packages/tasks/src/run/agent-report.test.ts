import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AgentReport } from './agent-report.ts';
import { startOf } from './run-agent-command.ts';

const recorded = (name: string): string =>
  readFileSync(
    new URL(`../../../../test/fixtures/transcripts/${name}.jsonl`, import.meta.url),
    'utf8',
  );

/** Feeds a text in pieces of arbitrary length. */
function report(output: string, size = 997) {
  const agent = new AgentReport();
  let shown = '';
  for (let i = 0; i < output.length; i += size) shown += agent.add(output.slice(i, i + size));
  shown += agent.end(output);
  return { shown, answer: agent.answer, cost: agent.cost, failed: agent.failed };
}

const lines = (...records: object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

describe('what an agent reports of itself', () => {
  it.each([
    ['claude -p --output-format stream-json', 'claude-stream', 'All done.', { usd: 0.01123 }],
    ['codex exec --json', 'codex-exec', 'Nested done.', { tokens: 165 }],
    [
      'opencode run --format json',
      'opencode-stream',
      'Done: add adds.',
      { usd: expect.closeTo(0.0053, 2) },
    ],
  ])('is read from a recording of %s', (_, name, answer, cost) => {
    const read = report(recorded(name));
    expect(read.answer).toBe(answer);
    expect(read.cost).toMatchObject(cost);
    expect(read.failed).toBeUndefined();
    expect(read.shown).toContain(answer);
    expect(read.shown).not.toContain('"type"');
  });

  it('is the same however the output is cut into pieces', () => {
    const whole = report(recorded('claude-stream'), 1e9);
    expect(report(recorded('claude-stream'), 1)).toEqual(whole);
  });

  it('is read from the stream of gemini --output-format stream-json', () => {
    const stats = {
      total_tokens: 130,
      input_tokens: 100,
      output_tokens: 30,
      cached: 60,
      input: 40,
      duration_ms: 900,
      tool_calls: 1,
    };
    const output = lines(
      { type: 'init', timestamp: '2026-11-01T10:00:00.000Z', session_id: 's', model: 'gemini' },
      {
        type: 'message',
        timestamp: '2026-11-01T10:00:00.000Z',
        role: 'user',
        content: 'Get the test to pass.',
      },
      {
        type: 'message',
        timestamp: '2026-11-01T10:00:01.000Z',
        role: 'assistant',
        content: 'I look at it.',
        delta: true,
      },
      {
        type: 'tool_use',
        timestamp: '2026-11-01T10:00:02.000Z',
        tool_name: 'run_shell_command',
        tool_id: 't',
        parameters: {},
      },
      {
        type: 'message',
        timestamp: '2026-11-01T10:00:03.000Z',
        role: 'assistant',
        content: 'It ',
        delta: true,
      },
      {
        type: 'message',
        timestamp: '2026-11-01T10:00:03.000Z',
        role: 'assistant',
        content: 'passes.',
        delta: true,
      },
      { type: 'result', timestamp: '2026-11-01T10:00:03.000Z', status: 'success', stats },
    );
    expect(report(output)).toMatchObject({
      answer: 'It passes.',
      cost: { tokens: 70 },
      failed: undefined,
    });
  });

  it('is read from one document over many lines', () => {
    const tokens = { prompt: 100, candidates: 30, cached: 60, total: 130 };
    const output = JSON.stringify(
      { response: 'It passes.', stats: { models: { gemini: { tokens } } } },
      null,
      2,
    );
    expect(report(output)).toMatchObject({ answer: 'It passes.', cost: { tokens: 70 } });
  });

  it.each([
    [
      'claude',
      {
        type: 'result',
        subtype: 'success',
        session_id: 's',
        is_error: true,
        result: 'Credit balance is too low',
        total_cost_usd: 0,
      },
    ],
    ['codex', { type: 'turn.failed', error: { message: 'Credit balance is too low' } }],
    [
      'opencode',
      {
        type: 'error',
        sessionID: 's',
        error: { name: 'ApiError', data: { message: 'Credit balance is too low' } },
      },
    ],
    [
      'gemini',
      {
        type: 'result',
        status: 'error',
        error: { type: 'Error', message: 'Credit balance is too low' },
        stats: {},
      },
    ],
  ])('includes that it failed: %s', (_, record) => {
    expect(report(lines(record)).failed).toBe('Credit balance is too low');
  });

  it.each([
    'Fixed auth.ts - added null check\n',
    '{"level":"info","message":"JSON of somebody else"}\n',
    '{ not JSON at all\n[1, 2]\n',
    'no line end',
    '',
  ])('is nothing in any other output, which is shown as it is: %j', (output) => {
    expect(report(output, 3)).toEqual({
      shown: output,
      answer: undefined,
      cost: {},
      failed: undefined,
    });
  });
});

describe('the command of a known agent is completed', () => {
  const json = ['--output-format', 'stream-json'];
  it.each<[string[], string[]]>([
    [['claude'], ['-p', ...json, '--verbose']],
    [
      ['claude', '--print', '--model', 'opus'],
      ['--print', '--model', 'opus', ...json, '--verbose'],
    ],
    [
      ['/usr/local/bin/claude', '-p', '--output-format=text'],
      ['-p', '--output-format=text'],
    ],
    [['codex'], ['exec', '--json', '-']],
    [
      ['codex', 'exec', '--full-auto', '--json'],
      ['exec', '--full-auto', '--json', '-'],
    ],
    [
      ['gemini', '--yolo'],
      ['--yolo', ...json],
    ],
    [['opencode'], ['run', '--format', 'json']],
    [['my-agent', '--fast'], ['--fast']],
  ])('%j', (command, args) => {
    expect(startOf(command as [string], 'the task')).toEqual({
      file: command[0],
      args,
      input: 'the task',
    });
  });

  it('but not when it says where the prompt goes', () => {
    expect(startOf(['claude', '-p', '{prompt}'], 'the task')).toEqual({
      file: 'claude',
      args: ['-p', 'the task'],
    });
  });
});
