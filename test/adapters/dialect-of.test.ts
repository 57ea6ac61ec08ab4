import { describe, expect, it } from 'vitest';
import { dialectOf, type HookHostName } from '../../src/adapters/index.ts';
import { fixturesOf, HOSTS, type Payload, payloadsIn } from './hook-process.ts';

const FIXTURES = HOSTS.flatMap((host) => fixturesOf(host).map((fixture) => [host, fixture] as const));
/** What may be set around any agent that was started inside another. */
const ELSEWHERE = { CURSOR_VERSION: '2.6.0', QWEN_PROJECT_DIR: '/', GEMINI_PROJECT_DIR: '/', CRUSH: '1', AGENT: 'crush' };

describe('the host that a payload comes from', () => {
  it.each(FIXTURES)('is %s for all payloads in %s', (host, fixture) => {
    for (const payload of payloadsIn(host, fixture)) expect(dialectOf(payload)).toBe(host);
  });

  it.each(FIXTURES.filter(([host]) => host !== 'kimi' && host !== 'copilot'))(
    'is %s for %s, whatever another agent has left in the environment',
    (host, fixture) => {
      for (const payload of payloadsIn(host, fixture)) expect(dialectOf(payload, ELSEWHERE)).toBe(host);
    },
  );

  const plain = { hook_event_name: 'SessionStart', session_id: 's', cwd: '/', transcript_path: '/var/moved/t.jsonl' };
  it.each<[when: string, payload: Payload, environment: Record<string, string>, host: HookHostName | undefined]>([
    ['nothing else tells', plain, {}, 'claude-code'],
    ['Cursor runs a hook from the settings of Claude Code', plain, { CURSOR_VERSION: '2.6.0' }, 'cursor'],
    ['Cursor says so in the payload', { ...plain, hook_event_name: 'PreToolUse', cursor_version: '2.6.0' }, {}, 'cursor'],
    ['Qwen Code keeps its transcripts elsewhere', plain, { QWEN_PROJECT_DIR: '/', GEMINI_PROJECT_DIR: '/' }, 'qwen-code'],
    ['Gemini CLI keeps its transcripts elsewhere', plain, { GEMINI_PROJECT_DIR: '/' }, 'gemini-cli'],
    ['Codex keeps no transcript', { ...plain, transcript_path: null, turn_id: 't' }, {}, 'codex'],
    ['the event is not known', { ...plain, hook_event_name: 'Whatever' }, {}, undefined],
    ['there is no session', { hook_event_name: 'PreToolUse' }, {}, undefined],
    ['it is a log of something else', { event: 'clicked', session_id: 's' }, {}, undefined],
  ])('is found when %s', (_, payload, environment, host) => {
    expect(dialectOf(payload, environment)).toBe(host);
  });

  it.each([undefined, null, 0, 'text', [], {}, [[[]]]])('is none for %j', (payload) => {
    expect(dialectOf(payload)).toBeUndefined();
  });
});
