import { fixturesOf, HOSTS, type Payload, payloadsIn } from '@unrut/test/hosts/hook-process';
import { describe, expect, it } from 'vitest';
import { type HostName, hookHosts } from './index.ts';
import { recogniseHost } from './recognise.ts';

const FIXTURES = HOSTS.flatMap((host) =>
  fixturesOf(host).map((fixture) => [host, fixture] as const),
);
/** Variables that may be inherited if one agent starts another. */
const ELSEWHERE = Object.fromEntries(
  hookHosts.flatMap(({ hooks: { signs } }) =>
    signs.variable === undefined ? [] : [[signs.variable, '/']],
  ),
);

/** Whether the payload identifies its host, so that the installation does not matter. */
const tells = (payload: Payload): boolean =>
  recogniseHost(payload, {}, 'kimi') === recogniseHost(payload, {}, 'crush');

describe('the host that a payload comes from', () => {
  it.each(FIXTURES)('is %s for all payloads in %s', (host, fixture) => {
    for (const payload of payloadsIn(host, fixture))
      expect(recogniseHost(payload)?.name).toBe(host);
  });

  it('has a form that no other host takes for its own', () => {
    const claimed = FIXTURES.flatMap(([host, fixture]) =>
      payloadsIn(host, fixture).map((payload) =>
        hookHosts.filter(({ hooks }) => hooks.signs.form?.(payload)).map(({ name }) => name),
      ),
    );
    expect(claimed.filter((names) => names.length > 1)).toEqual([]);
    expect(claimed.filter((names) => names.length === 1).length).toBeGreaterThan(50);
  });

  it.each(FIXTURES)(
    'is %s for what tells so in %s, whatever another agent has left in the environment',
    (host, fixture) => {
      const sure = payloadsIn(host, fixture).filter(tells);
      for (const payload of sure) expect(recogniseHost(payload, ELSEWHERE)?.name).toBe(host);
    },
  );

  it('is clear from nearly all recorded payloads themselves', () => {
    const payloads = FIXTURES.flatMap(([host, fixture]) => payloadsIn(host, fixture));
    expect(payloads.filter(tells).length / payloads.length).toBeGreaterThan(0.85);
  });

  const plain = {
    hook_event_name: 'SessionStart',
    session_id: 's',
    cwd: '/',
    transcript_path: '/var/moved/t.jsonl',
  };
  it.each<
    [
      when: string,
      payload: Payload,
      environment: Record<string, string>,
      host: HostName | undefined,
    ]
  >([
    ['nothing else tells', plain, {}, 'claude-code'],
    [
      'Cursor runs a hook from the settings of Claude Code',
      plain,
      { CURSOR_VERSION: '2.6.0' },
      'cursor',
    ],
    [
      'Cursor says so in the payload',
      { ...plain, hook_event_name: 'PreToolUse', cursor_version: '2.6.0' },
      {},
      'cursor',
    ],
    [
      'Qwen Code keeps its transcripts elsewhere',
      plain,
      { QWEN_PROJECT_DIR: '/', GEMINI_PROJECT_DIR: '/' },
      'qwen-code',
    ],
    [
      'Gemini CLI keeps its transcripts elsewhere',
      plain,
      { GEMINI_PROJECT_DIR: '/' },
      'gemini-cli',
    ],
    ['Codex keeps no transcript', { ...plain, transcript_path: null, turn_id: 't' }, {}, 'codex'],
    [
      'a payload of Claude Code was written without a transcript',
      {
        hook_event_name: 'PreToolUse',
        session_id: 's',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
      },
      {},
      'claude-code',
    ],
    [
      'Kimi, which has no transcript either, names a call in its own way',
      {
        hook_event_name: 'PreToolUse',
        session_id: 's',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_call_id: 'c1',
      },
      {},
      'kimi',
    ],
    [
      'a prompt says how Claude Code asks for permission',
      { hook_event_name: 'UserPromptSubmit', session_id: 's', permission_mode: 'default' },
      {},
      'claude-code',
    ],
    ['the event is not known', { ...plain, hook_event_name: 'Whatever' }, {}, undefined],
    ['there is no session', { hook_event_name: 'PreToolUse' }, {}, undefined],
    ['it is a log of something else', { event: 'clicked', session_id: 's' }, {}, undefined],
  ])('is found when %s', (_, payload, environment, host) => {
    expect(recogniseHost(payload, environment)?.name).toBe(host);
  });

  it.each(['claude-code', 'kimi', 'factory'] as const)(
    'is the one that the hook was said to be for, %s, if nothing else tells',
    (said) => {
      const start = { hook_event_name: 'SessionStart', session_id: 's', cwd: '/' };
      expect(recogniseHost(start, {}, said)?.name).toBe(said);
    },
  );

  it('is what the payload tells, even if the hook was said to be for another', () => {
    const call = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash' };
    expect(recogniseHost({ ...call, tool_call_id: 'c' }, {}, 'claude-code')?.name).toBe('kimi');
    expect(recogniseHost(call, {}, 'no such agent')?.name).toBe('claude-code');
  });

  it.each([undefined, null, 0, 'text', [], {}, [[[]]]])('is unknown for %j', (payload) => {
    expect(recogniseHost(payload)?.name).toBeUndefined();
  });
});
