import type { AgentEvent } from '@unrut/engine/event';
import { whyNotAnEvent } from '@unrut/engine/read-event';
import { isFull } from '@unrut/test/full-runs';
import {
  fixturesOf,
  HOSTS,
  hostNamed,
  outline,
  type Payload,
  payloadsIn,
  readAll,
} from '@unrut/test/hosts/hook-process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HookMemory, HookMoment } from './define-host.ts';
import type { HostName } from './index.ts';
import { recogniseHost } from './recognise.ts';

const FIXTURES = HOSTS.flatMap((host) =>
  fixturesOf(host).map((fixture) => [host, fixture] as const),
);

describe('hooks that fire twice', () => {
  it('because Cursor runs those of Claude Code too, count once', () => {
    const own = {
      conversation_id: 's',
      hook_event_name: 'preToolUse',
      ...call('1'),
      tool_name: 'Shell',
    };
    expect(outline(read('cursor', own, named('PreToolUse', call('1'))))).toEqual(['calls Shell']);
  });
});

const readOne = (host: HostName, payload: Payload, moment: HookMoment = {}): AgentEvent[] =>
  hostNamed(host).read(hostNamed(host).understand(payload)!, moment);
const read = (host: HostName, ...payloads: Payload[]) => readAll(hostNamed(host), payloads);
const named = (event: string, more: Payload = {}): Payload => ({
  session_id: 's',
  cwd: '/home/dev/project',
  hook_event_name: event,
  ...more,
});
const call = (id: string, command = 'ls') => ({
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: id,
});

const ENDED_TASK =
  '<task-notification>\n<task-id>b1</task-id>\n<output-file>/t/b1.output</output-file>\n<status>completed</status>\n</task-notification>';

describe('Codex', () => {
  it('names the shell as its model does, not as its hooks do', () => {
    const within = { turn_id: 't1', model: 'gpt-5.5' };
    const shell = named('PreToolUse', { ...within, ...call('1') });
    const patch = named('PreToolUse', { ...within, ...call('2'), tool_name: 'apply_patch' });
    expect(outline(read('codex', shell, patch))).toEqual([
      'calls exec_command',
      'calls apply_patch',
    ]);
  });
});

describe('Claude Code', () => {
  const pre = (id: string, command?: string) => named('PreToolUse', call(id, command));
  const post = (id: string, response: unknown) =>
    named('PostToolUse', { ...call(id), tool_response: response, duration_ms: 40 });
  const batch = (...calls: Payload[]) => named('PostToolBatch', { tool_calls: calls });
  const seen = batch({ ...call('0'), tool_response: 'x' });

  it('tells of the output of a background task that has ended, with the next event', () => {
    const events = read(
      'claude-code',
      named('UserPromptSubmit', { source: 'system', prompt: ENDED_TASK }),
      pre('1'),
      pre('2'),
    );
    expect(events.map(({ type, changed }) => [type, changed])).toEqual([
      ['call-proposed', ['/t/b1.output']],
      ['call-proposed', undefined],
    ]);
  });

  it('twin: reports nothing as changed for a prompt that a person typed', () => {
    const events = read('claude-code', named('UserPromptSubmit', { prompt: 'go on' }), pre('1'));
    expect(events.filter(({ changed }) => changed !== undefined)).toEqual([]);
  });

  it('is read as recorded, each call once, with those that only the hook after the response shows', () => {
    expect(
      outline(readAll(hostNamed('claude-code'), payloadsIn('claude-code', 'refusals.jsonl'))),
    ).toEqual([
      'person: try it',
      'calls Bash',
      'calls Bash',
      'calls Read',
      'Read gives {"type":"text","file":{"filePath":"/home',
      'Bash gives {"stdout":"one","stderr":"","interrupted',
      expect.stringMatching(/^Bash gives "Exit code 2.*, failed, exit 2$/),
      expect.stringMatching(/^Bash gives "<tool_use_error>.*, failed, refused by schema$/),
      expect.stringMatching(/^Frobnicate gives .*, failed, refused by unknown-tool$/),
      'calls Bash',
      expect.stringMatching(/^Bash gives "PreToolUse:Bash hook error.*, failed, refused by host$/),
      'calls Write',
      expect.stringMatching(
        /^Write gives "Claude requested permissions.*, failed, refused by host$/,
      ),
      'calls Agent',
      expect.stringMatching(/^Agent gives /),
      'a1a4860a36c044f07: calls Bash',
      'calls Read',
      expect.stringMatching(/^a1a4860a36c044f07: Bash gives {"stdout":"nested"/),
      expect.stringMatching(/^Read gives .*picture/),
      'a1a4860a36c044f07: says Nested done.',
      'says All done.',
      'says All done.',
      'session-ended',
    ]);
  });

  it('shows results as the model sees them, once its hook after the response is known, and keeps what only the other hook tells', () => {
    const failed = named('PostToolUseFailure', {
      ...call('2'),
      error: 'the server said no',
      duration_ms: 7,
    });
    const after = batch(
      { ...call('1'), tool_response: 'ok' },
      { ...call('2'), tool_response: 'the server said no' },
    );
    const events = read(
      'claude-code',
      seen,
      pre('1'),
      pre('2'),
      post('1', { stdout: 'ok' }),
      failed,
      after,
    ).slice(3);
    expect(events).toEqual([
      expect.objectContaining({ type: 'call-finished', result: 'ok', durationMs: 40, batch: '1' }),
      expect.objectContaining({
        type: 'call-finished',
        result: 'the server said no',
        error: true,
        durationMs: 7,
        batch: '1',
      }),
    ]);
  });

  it('shows an interrupted call at once, since no response is completed', () => {
    const interrupted = named('PostToolUseFailure', {
      ...call('1'),
      error: 'stopped',
      is_interrupt: true,
    });
    expect(outline(read('claude-code', seen, pre('1'), interrupted)).at(-1)).toBe(
      'Bash gives "stopped", failed, refused by user',
    );
  });

  it('gives calls shown one after the other a batch, and keeps calls of other responses apart', () => {
    const batches = read(
      'claude-code',
      pre('1', 'a'),
      pre('2', 'b'),
      post('1', 'x'),
      pre('3', 'c'),
    ).flatMap((event) => (event.type === 'call-proposed' ? [event.batch] : []));
    expect(batches).toEqual(['1', '1', '3']);
  });

  it('gives the same call a batch when all were made before one of them ended, whichever that is; one that never ends has been refused', () => {
    const batchesOf = (...payloads: Payload[]) =>
      read('codex', ...payloads.map((payload) => ({ ...payload, turn_id: 't' }))).flatMap(
        (event) => (event.type === 'call-finished' ? [event.batch] : []),
      );
    expect(
      batchesOf(pre('1'), pre('2'), pre('3'), post('2', 'x'), post('1', 'x'), post('3', 'x')),
    ).toEqual(['2', '2', '2']);
    expect(batchesOf(pre('1'), pre('2'), post('2', 'x'), pre('3'), post('3', 'x'))).toEqual([
      '2',
      '3',
    ]);
  });

  it('names events by session, call and kind, so that they are known wherever they come from', () => {
    const ids = read('claude-code', pre('1'), { ...post('2', 'x'), agent_id: 'a' }).map(
      (event) => event.id,
    );
    expect(ids).toEqual(['s 1 call-proposed', 's a 2 call-finished']);
  });

  it.each([
    ['a person', {}, 1],
    ['a program that uses the agent', { source: 'sdk' }, 1],
    ['a timer', { source: 'schedule_wakeup' }, 0],
    ['the harness', { prompt: '<system-reminder>go on</system-reminder>' }, 0],
  ])('knows when %s submits a prompt', (_, more, count) => {
    expect(
      read('claude-code', named('UserPromptSubmit', { prompt: 'go on', prompt_id: 'p', ...more })),
    ).toHaveLength(count);
  });
});

describe('Qwen Code', () => {
  it('is read as recorded, each call once by the id that all hooks give, parallel ones in one batch', () => {
    const events = readAll(hostNamed('qwen-code'), payloadsIn('qwen-code', '0.24.4.jsonl'));
    expect(outline(events)).toEqual([
      'person: try it',
      'calls run_shell_command',
      'calls read_file',
      expect.stringMatching(/^run_shell_command gives "ls: .*, failed/),
      'read_file gives "hello\\n"',
      expect.stringMatching(/^frobnicate gives .*, failed, refused by unknown-tool$/),
      expect.stringMatching(/^run_shell_command gives "params must .*, failed, refused by schema$/),
      'calls run_shell_command',
      expect.stringMatching(/^run_shell_command gives "ok.*, exit 0$/),
      'says All done.',
    ]);
    const batches = events.flatMap((event) =>
      event.type === 'call-finished' ? [event.batch] : [],
    );
    expect(batches).toEqual(['call_1_0', 'call_1_0', 'call_2_0', 'call_2_1', 'call_3_0']);
  });
});

describe('hosts that give their calls no ids', () => {
  const before = (command: string, timestamp: string) =>
    named('BeforeTool', { timestamp, tool_name: 'x', tool_input: { command } });
  const after = (command: string, timestamp: string) =>
    named('AfterTool', {
      timestamp,
      tool_name: 'x',
      tool_input: { command },
      tool_response: { llmContent: command },
    });
  const ids = (...payloads: Payload[]) =>
    read('gemini-cli', ...payloads).flatMap((event) => ('call' in event ? [event.call.id] : []));

  it('have them paired by arguments, else by order', () => {
    const calls = [before('a', '2026-11-16T04:00:01Z'), before('b', '2026-11-16T04:00:02Z')];
    expect(
      ids(...calls, after('b', '2026-11-16T04:00:03Z'), after('a', '2026-11-16T04:00:04Z')),
    ).toEqual(['call 1', 'call 2', 'call 2', 'call 1']);
    expect(ids(...calls, after('changed', '2026-11-16T04:00:03Z'))).toEqual([
      'call 1',
      'call 2',
      'call 1',
    ]);
  });

  it('tell of a call that is made again, although the one before was refused by somebody', () => {
    const again = [
      before('a', '2026-11-16T04:00:01Z'),
      before('a', '2026-11-16T04:00:02Z'),
      after('a', '2026-11-16T04:00:03Z'),
    ];
    expect(outline(read('gemini-cli', ...again))).toEqual(['calls x', 'calls x', 'x gives "a"']);
  });

  it('are read without anything kept, too', () => {
    const payloads = payloadsIn('gemini-cli', '0.61.0.jsonl');
    const events = payloads.flatMap((payload) => readOne('gemini-cli', payload));
    expect(new Set(events.flatMap((event) => event.id ?? [])).size).toBe(7);
  });

  it('may use two spellings at once; the first counts', () => {
    const [small, capital] = ['small-names.jsonl', 'capital-names.jsonl'].map((name) =>
      payloadsIn('copilot', name),
    );
    const both = small!
      .flatMap((payload, i) => [payload, { ...capital![i], session_id: '9c1f-1' }])
      .filter((payload) => Object.keys(payload).length > 1);
    expect(outline(read('copilot', ...both))).toEqual(outline(read('copilot', ...small!)));
  });
});

describe('a call that never reached a tool', () => {
  it.each<[host: HostName, hook: string, event: object, refusedBy: string]>([
    [
      'openclaw',
      'after_tool_call',
      {
        toolCallId: '1',
        toolName: 'no_such_tool',
        args: {},
        content: [{ type: 'text', text: 'Tool no_such_tool not found' }],
        isError: true,
      },
      'unknown-tool',
    ],
    [
      'hermes',
      'transform_tool_result',
      {
        tool_call_id: '1',
        tool_name: 'no_such_tool',
        args: {},
        result: '{"error": "Unknown tool: no_such_tool"}',
      },
      'unknown-tool',
    ],
  ])('of %s is read as rejected', (host, hook, event, refusedBy) => {
    expect(read(host, { hook, session: 's', event })).toEqual([
      expect.objectContaining({ type: 'call-finished', error: true, refusedBy }),
    ]);
  });
});

describe('the exit code', () => {
  it.each<[host: HostName, payload: Payload, exitCode: number | undefined]>([
    ['claude-code', named('PostToolUseFailure', { ...call('1'), error: 'Exit code 2\nno' }), 2],
    [
      'codex',
      named('PostToolUse', { ...call('1'), turn_id: 't', tool_response: 'no such file' }),
      undefined,
    ],
    [
      'gemini-cli',
      named('AfterTool', {
        tool_name: 'run_shell_command',
        tool_response: { llmContent: 'Output: x\nExit Code: 2' },
      }),
      2,
    ],
    [
      'cursor',
      named('postToolUse', { ...call('1'), tool_output: '{"output":"x","exitCode":0}' }),
      0,
    ],
    [
      'openclaw',
      {
        hook: 'tool_result_middleware',
        session: 's',
        event: {
          toolCallId: '1',
          toolName: 'exec',
          args: {},
          content: [{ type: 'text', text: 'x\n\n(Command exited with code 2)' }],
          isError: false,
        },
      },
      2,
    ],
    [
      'hermes',
      {
        hook: 'transform_tool_result',
        session: 's',
        event: {
          tool_call_id: '1',
          tool_name: 'terminal',
          args: {},
          result: '{"output": "x", "exit_code": 2, "error": null}',
        },
      },
      2,
    ],
  ])('of %s is found where the host puts it', (host, payload, exitCode) => {
    expect(read(host, payload)).toEqual([expect.objectContaining({ type: 'call-finished' })]);
    expect(read(host, payload)[0]).toHaveProperty('type', 'call-finished');
    expect((read(host, payload)[0] as { exitCode?: number }).exitCode).toBe(exitCode);
  });
});

describe('what is kept between hooks', () => {
  it('holds nothing of the arguments or results', () => {
    const memory: HookMemory = [];
    const secret = 'hunter2-hunter2';
    readOne('claude-code', named('PreToolUse', call('1', secret)), { memory });
    readOne('claude-code', named('PostToolUse', { ...call('2', secret), tool_response: secret }), {
      memory,
    });
    expect(memory).toHaveLength(1);
    expect(JSON.stringify(memory)).not.toContain('hunter2');
  });

  it('stays small, however many calls and nested agents there are', () => {
    const memory: HookMemory = [];
    for (let n = 0; n < 2000; n++) {
      const event = n % 3 === 0 ? 'PostToolUse' : 'PreToolUse';
      readOne(
        'claude-code',
        named(event, { ...call(`toolu_${n}_of_a_usual_length`), agent_id: `agent-${n % 20}` }),
        { memory },
      );
    }
    expect(JSON.stringify(memory).length).toBeLessThan(80_000);
  });

  it('may come from another version, or be lacking parts', () => {
    const memory = [['', { open: [] }]] as unknown as HookMemory;
    expect(readOne('claude-code', named('PreToolUse', call('1')), { memory })).toHaveLength(1);
  });
});

describe('malformed payloads', () => {
  const check = (payload: unknown) => {
    for (const host of HOSTS) {
      const known = hostNamed(host);
      const told = known.understand(payload);
      if (!told) continue;
      for (const event of known.read(told)) expect(whyNotAnEvent(event)).toBeUndefined();
      expect(Array.isArray(known.can(told))).toBe(true);
      expect(known.write([], told)).toBeNull();
    }
    recogniseHost(payload);
  };

  /** All recorded payloads, or one of each host that has these fields. */
  function recorded(): Payload[] {
    const all = FIXTURES.flatMap(([host, fixture]) =>
      payloadsIn(host, fixture).map((payload) => [host, payload] as const),
    );
    const kinds = all.map(
      ([host, payload]) =>
        [`${host} ${Object.keys(payload)} ${payload.hook_event_name}`, payload] as const,
    );
    return isFull ? all.map(([, payload]) => payload) : [...new Map(kinds).values()];
  }

  it('give valid events or none, whichever field of a real one is spoiled', () => {
    const payloads = recorded();
    expect(payloads.length).toBeGreaterThan(100);
    for (const payload of payloads) {
      for (const field of Object.keys(payload)) {
        for (const spoiled of [
          undefined,
          null,
          3,
          '',
          '{',
          [null],
          {},
          { toString: 1, valueOf: 1 },
        ])
          check({ ...payload, [field]: spoiled });
      }
    }
  });

  it('give valid events or none, whatever JSON they are', () => {
    const names = [
      'PreToolUse',
      'PostToolBatch',
      'AfterTool',
      'postToolUse',
      'tool_result',
      'afterShellExecution',
      'UserPromptSubmit',
    ];
    const fields = [
      ...[
        'session_id',
        'sessionId',
        'taskId',
        'cwd',
        'conversation_id',
        'timestamp',
        'agent_id',
        'tool_name',
        'toolName',
        'tool_input',
      ],
      ...[
        'tool_use_id',
        'tool_response',
        'toolResult',
        'tool_calls',
        'tool_output',
        'prompt',
        'error',
        'tool_call',
        'postToolUse',
      ],
    ];
    const value = fc.oneof(fc.string(), fc.jsonValue());
    const record = fc.record(
      {
        ...Object.fromEntries(fields.map((field) => [field, value])),
        ...Object.fromEntries(
          ['hook_event_name', 'hookName', 'event'].map((field) => [
            field,
            fc.constantFrom(...names),
          ]),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(fc.property(fc.oneof(record, fc.jsonValue()), check), { numRuns: 300 });
  });

  it('without a tool give no call', () => {
    expect(
      read(
        'claude-code',
        named('PreToolUse'),
        named('PostToolBatch', { tool_calls: [null, {}, 3] }),
      ),
    ).toEqual([]);
    expect(read('cline', { hookName: 'tool_call', taskId: 's' })).toEqual([]);
  });
});
