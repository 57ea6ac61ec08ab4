import {
  HOSTS,
  hookProcesses,
  hostNamed,
  type Payload,
  payloadsIn,
} from '@unrut/test/hosts/hook-process';
import { LOOPING } from '@unrut/test/hosts/looping-host';
import { describe, expect, it } from 'vitest';
import type { HostName } from './index.ts';

const nameOf = (payload: Payload): string =>
  String(
    payload.hook_event_name ??
      payload.hookName ??
      payload.hook ??
      payload.event ??
      ('error' in payload ? 'postToolUseFailure' : 'preToolUse'),
  );

/**
 * Repeats the same failing command nine times; returns which hook of which attempt had which
 * effect.
 */
function loop(name: HostName, hook = hookProcesses(hostNamed(name))): string[] {
  const host = LOOPING[name];
  const happened: string[] = [];
  for (let n = 1; n <= 9; n++) {
    const ask = (payload: Payload) => {
      const answer = hook(payload).answer;
      for (const event of answer?.events ?? []) {
        if (event.type === 'plan-performed')
          happened.push(`${n} ${nameOf(payload)}: ${event.rung}${event.failed ? ' not done' : ''}`);
      }
      const refusal =
        answer?.stderr === undefined
          ? undefined
          : { stderr: answer.stderr, exitCode: answer.exitCode };
      return (answer?.stdout ?? refusal) as Payload | undefined;
    };
    const before = ask(host.before(n));
    if (before !== undefined && host.stops?.(before)) return [...happened, `${n} stopped`];
    const isRefused = before !== undefined && host.refuses?.(before);
    if (isRefused) happened.push(`${n} refused`);
    for (const payload of isRefused ? (host.afterRefusal?.(n) ?? []) : host.after(n)) {
      const after = ask(payload);
      if (after !== undefined && host.stops?.(after)) return [...happened, `${n} stopped`];
    }
  }
  return happened;
}

it.each(HOSTS)('%s says in which tool its model runs commands', (name) => {
  const host = hostNamed(name);
  const payloads = [LOOPING[name].before(1), ...LOOPING[name].after(1)];
  const told = payloads.flatMap((each) => host.understand(each)?.told.told ?? []);
  const tools = told.flatMap((each) => ('call' in each ? [each.call.tool] : []));
  expect([...new Set(tools)]).toEqual([host.hooks.shell]);
});

describe('an agent that tries the same failing command', () => {
  it.each(HOSTS)('in %s is warned, then blocked, then stopped, as far as the host can', (host) => {
    expect(loop(host)).toEqual(LOOPING[host].happens);
  });

  it.each(HOSTS.filter((host) => hostNamed(host).hooks.callsHaveIds))(
    'in %s is treated the same when every hook fires twice',
    (host) => {
      const once = hookProcesses(hostNamed(host));
      const happened = loop(host, (payload) => {
        const first = once(payload);
        const second = once(payload);
        expect(second.events).toEqual([]);
        expect(second.answer).toBeNull();
        return first;
      });
      expect(happened).toEqual(LOOPING[host].happens);
    },
  );

  it('in Gemini CLI is refused although its hook before a compression is called at every turn', () => {
    const compressing = (trigger: string): string[] => {
      const once = hookProcesses(hostNamed('gemini-cli'));
      return loop('gemini-cli', (payload) => {
        const { hook_event_name: event, ...rest } = payload;
        if (event === 'BeforeTool') once({ ...rest, hook_event_name: 'PreCompress', trigger });
        return once(payload);
      });
    };
    expect(compressing('auto')).toEqual(LOOPING['gemini-cli'].happens);
    // The twin: after a real compression the model no longer has the results.
    expect(compressing('manual')).not.toContain('5 refused');
  });

  it('in Claude Code before it had a hook for whole responses is treated the same, by the hooks around each call', () => {
    const once = hookProcesses(hostNamed('claude-code'));
    const happened = loop('claude-code', (payload) =>
      nameOf(payload) === 'PostToolBatch' ? { events: [], answer: null } : once(payload),
    );
    expect(happened).toEqual(
      LOOPING['claude-code'].happens.map((line) =>
        line.replace('PostToolBatch', 'PostToolUseFailure'),
      ),
    );
  });

  it('in the recorded run of Gemini CLI is warned at the third try', () => {
    const hook = hookProcesses(hostNamed('gemini-cli'));
    const answers = payloadsIn('gemini-cli', '0.61.0.jsonl').map(
      (payload) => [nameOf(payload), hook(payload).answer?.stdout] as const,
    );
    const tries = answers.filter(([name]) => name === 'AfterTool').map(([, stdout]) => stdout);
    expect(tries).toEqual([
      undefined,
      undefined,
      expect.objectContaining({ systemMessage: expect.stringContaining('3 times') }),
    ]);
    expect(answers.filter(([, stdout]) => stdout !== undefined)).toHaveLength(1);
  });

  it.each([
    ['claude-code', '2.1.325.jsonl'],
    ['claude-code', 'refusals.jsonl'],
    ['codex', '0.166.0.jsonl'],
  ] as const)('but does not loop, as recorded from %s in %s, gets no note', (host, fixture) => {
    const hook = hookProcesses(hostNamed(host));
    for (const payload of payloadsIn(host, fixture)) expect(hook(payload).answer).toBeNull();
  });
});
