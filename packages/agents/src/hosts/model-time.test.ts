import { hostNamed } from '@unrut/test/hosts/hook-process';
import { LOOPING } from '@unrut/test/hosts/looping-host';
import { describe, expect, it } from 'vitest';
import type { HookMemory, HookUnderstood } from './define-host.ts';
import { type HostName, hookHosts } from './index.ts';

/**
 * Payloads of one run with their times in seconds; returns the model's time for each call, in
 * seconds.
 */
function modelTimes(
  name: HostName,
  payloads: readonly [second: number, payload: object][],
): (number | undefined)[] {
  const host = hostNamed(name);
  const memory: HookMemory = [];
  return payloads.flatMap(([second, payload]) => {
    const understood: HookUnderstood = { ...host.understand(payload)!, at: second * 1000 };
    const events = host.read(understood, { memory });
    return events.flatMap((event) =>
      event.type === 'call-proposed'
        ? [event.modelMs === undefined ? undefined : event.modelMs / 1000]
        : [],
    );
  });
}

/** Hosts that report a call before it runs and at its end. */
const TELLING = hookHosts
  .map(({ name }) => name as HostName)
  .filter((name) => LOOPING[name].after(1).length > 0);

describe('what the model took for a call', () => {
  it.each(TELLING)('is reported %s: from the end of the last call on', (name) => {
    const { before, after } = LOOPING[name];
    const payloads = [1, 2, 3].flatMap((n): [number, object][] => [
      [100 * n, before(n)],
      ...after(n).map((payload): [number, object] => [100 * n + 40, payload]),
    ]);
    expect(modelTimes(name, payloads)).toEqual([undefined, 60, 60]);
  });

  const base = {
    session_id: 's',
    transcript_path: '/home/dev/.claude/t.jsonl',
    cwd: '/home/dev/project',
  };
  const { before, after } = LOOPING['claude-code'];

  it('begins when a person speaks', () => {
    const prompt = { ...base, hook_event_name: 'UserPromptSubmit', prompt: 'Go on.' };
    expect(
      modelTimes('claude-code', [
        [10, prompt],
        [30, before(1)],
      ]),
    ).toEqual([20]);
  });

  it('is unknown after a pause of unlimited length', () => {
    const stop = {
      ...base,
      hook_event_name: 'Stop',
      stop_hook_active: false,
      last_assistant_message: 'I wait.',
    };
    const wakeup = {
      ...base,
      hook_event_name: 'UserPromptSubmit',
      prompt: 'Look again.',
      source: 'loop_wakeup',
    };
    const ended = after(1).map((payload): [number, object] => [10, payload]);
    expect(
      modelTimes('claude-code', [
        [5, before(1)],
        ...ended,
        [20, stop],
        [620, wakeup],
        [630, before(2)],
      ]),
    ).toEqual([undefined, undefined]);
  });
});
