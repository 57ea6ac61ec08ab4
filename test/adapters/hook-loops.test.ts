import { describe, expect, it } from 'vitest';
import { type HookHostName, hookAdapters } from '../../src/adapters/index.ts';
import { HOSTS, hookProcesses, type Payload, payloadsIn } from './hook-process.ts';
import { LOOPING } from './looping-host.ts';

const nameOf = (payload: Payload): string =>
  String(
    payload.hook_event_name ??
      payload.hookName ??
      payload.hook ??
      payload.event ??
      ('error' in payload ? 'postToolUseFailure' : 'preToolUse'),
  );

/** Lets a host try the same failing command nine times, and says at which try which hook brought about what. */
function loop(name: HookHostName, hook = hookProcesses(hookAdapters[name])): string[] {
  const host = LOOPING[name];
  const happened: string[] = [];
  for (let n = 1; n <= 9; n++) {
    const ask = (payload: Payload) => {
      const answer = hook(payload).answer;
      for (const event of answer?.events ?? []) {
        if (event.type === 'plan-performed') happened.push(`${n} ${nameOf(payload)}: ${event.rung}${event.failed ? ' not done' : ''}`);
      }
      return answer?.stdout as Payload | string | undefined;
    };
    const before = ask(host.before(n));
    if (before !== undefined && host.stops(before)) return [...happened, `${n} stopped`];
    const isRefused = before !== undefined && host.refuses(before);
    if (isRefused) happened.push(`${n} refused`);
    for (const payload of isRefused ? (host.afterRefusal?.(n) ?? []) : host.after(n)) {
      const after = ask(payload);
      if (after !== undefined && host.stops(after)) return [...happened, `${n} stopped`];
    }
  }
  return happened;
}

/** Where nothing ends a run, the call is refused as often as it is tried. */
const refusedAt = (hook: string, first: number): string[] =>
  Array.from({ length: 10 - first }, (_, i) => [`${first + i} ${hook}: block`, `${first + i} refused`]).flat();

const EXPECTED: Record<HookHostName, string[]> = {
  'claude-code': [
    '3 PostToolBatch: note',
    '4 PostToolBatch: hint',
    '5 PreToolUse: block',
    '5 refused',
    '6 PostToolBatch: escalate',
    '7 PostToolBatch: stop',
    '7 stopped',
  ],
  'qwen-code': ['3 PostToolBatch: note', '4 PostToolBatch: hint', ...refusedAt('PreToolUse', 5)],
  'gemini-cli': [
    '3 AfterTool: note',
    '4 AfterTool: hint',
    '5 BeforeTool: block',
    '5 refused',
    '6 AfterTool: escalate',
    '7 AfterTool: stop',
    '7 stopped',
  ],
  codex: [
    '3 PostToolUse: note',
    '4 PostToolUse: hint',
    '5 PreToolUse: block',
    '5 refused',
    '6 PostToolUse: escalate',
    ...refusedAt('PreToolUse', 7),
  ],
  copilot: ['3 postToolUseFailure: note', '4 postToolUseFailure: hint', ...refusedAt('preToolUse', 5)],
  cursor: ['3 postToolUseFailure: note not done', '4 postToolUseFailure: hint not done', ...refusedAt('preToolUse', 5)],
  kimi: ['3 PostToolUseFailure: note not done', '4 PostToolUseFailure: hint not done', ...refusedAt('PreToolUse', 5)],
  crush: ['4 PreToolUse: note', '5 PreToolUse: hint', '6 PreToolUse: block', '6 refused', '7 PreToolUse: stop', '7 stopped'],
  opencode: [
    '3 tool.execute.after: note',
    '4 tool.execute.after: hint',
    '5 tool.execute.before: block',
    '5 refused',
    '6 tool.execute.after: escalate',
    '7 tool.execute.after: stop',
    '7 stopped',
  ],
  cline: ['3 tool_result: note', '4 tool_result: hint', '5 tool_result: stop', '5 stopped'],
};

describe('an agent that tries the same failing command', () => {
  it.each(HOSTS)('in %s is told, then refused, then stopped, as far as the host can', (host) => {
    expect(loop(host)).toEqual(EXPECTED[host]);
  });

  it.each(HOSTS.filter((host) => host !== 'crush'))('in %s is treated the same when every hook fires twice', (host) => {
    const once = hookProcesses(hookAdapters[host]);
    const happened = loop(host, (payload) => {
      const first = once(payload);
      const second = once(payload);
      expect(second.events).toEqual([]);
      expect(second.answer).toBeNull();
      return first;
    });
    expect(happened).toEqual(EXPECTED[host]);
  });

  it('in Claude Code before it had a hook for whole responses is treated the same, by the hooks around each call', () => {
    const once = hookProcesses(hookAdapters['claude-code']);
    const happened = loop('claude-code', (payload) => (nameOf(payload) === 'PostToolBatch' ? { events: [], answer: null } : once(payload)));
    expect(happened).toEqual(EXPECTED['claude-code'].map((line) => line.replace('PostToolBatch', 'PostToolUseFailure')));
  });

  it('in the recorded run of Gemini CLI is told at the third try', () => {
    const hook = hookProcesses(hookAdapters['gemini-cli']);
    const answers = payloadsIn('gemini-cli', '0.61.0.jsonl').map((payload) => [nameOf(payload), hook(payload).answer?.stdout] as const);
    const tries = answers.filter(([name]) => name === 'AfterTool').map(([, stdout]) => stdout);
    expect(tries).toEqual([undefined, undefined, expect.objectContaining({ systemMessage: expect.stringContaining('3 times') })]);
    expect(answers.filter(([, stdout]) => stdout !== undefined)).toHaveLength(1);
  });

  it.each([
    ['claude-code', '2.1.325.jsonl'],
    ['claude-code', 'refusals.jsonl'],
    ['codex', '0.166.0.jsonl'],
  ] as const)('but does not loop, as recorded from %s in %s, hears nothing', (host, fixture) => {
    const hook = hookProcesses(hookAdapters[host]);
    for (const payload of payloadsIn(host, fixture)) expect(hook(payload).answer).toBeNull();
  });
});
