import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loop } from '../../hosts/claude-code/fixtures/loop.ts';
import type { JsonObject } from '../../json.ts';
import type { Plan } from '../../policy/plan.ts';
import { type UnrutHooks, unrutHooks } from './index.ts';

/** Calls the hooks of an event as the SDK does, and gives the last answer. */
async function call(hooks: UnrutHooks, payload: JsonObject): Promise<JsonObject> {
  let answer: JsonObject = {};
  for (const { hooks: each } of hooks[payload.hook_event_name as keyof UnrutHooks] ?? [])
    for (const hook of each) answer = { ...(await hook(payload)) };
  return answer;
}

/** What comes of up to nine tries of the same failing command. */
async function play(hooks: UnrutHooks): Promise<string[]> {
  const happened: string[] = [];
  for (let n = 1; n <= 9; n++) {
    if (loop.refuses!(await call(hooks, loop.before(n)))) {
      happened.push(`${n} refused`);
      for (const payload of loop.afterRefusal!(n)) await call(hooks, payload);
      continue;
    }
    for (const payload of loop.after(n)) {
      const answer = await call(hooks, payload);
      if (answer.hookSpecificOutput) happened.push(`${n} told`);
      if (loop.stops!(answer)) return [...happened, `${n} stopped`];
    }
  }
  return happened;
}

describe('unrutHooks', () => {
  it('does what the hooks of Claude Code do, and says what it does', async () => {
    const plans: [Plan['rung'], string][] = [];
    const hooks = unrutHooks({ onPlan: ({ rung }, { session }) => void plans.push([rung, session]) });
    expect(await play(hooks)).toEqual(['3 told', '4 told', '5 refused', '6 told', '7 stopped']);
    expect(plans).toEqual(['note', 'hint', 'block', 'escalate', 'stop'].map((rung) => [rung, 's']));
  });

  it('says nothing to a run that gets on, nor to what it does not know', async () => {
    const hooks = unrutHooks();
    const recorded = readFileSync('src/hosts/claude-code/fixtures/2.1.325.jsonl', 'utf8').trim().split('\n');
    for (const line of recorded) expect(await call(hooks, JSON.parse(line))).toEqual({});
    for (const payload of [{ hook_event_name: 'PreToolUse' }, { hook_event_name: 'PostToolUse', session_id: 3 }])
      expect(await call(hooks, payload)).toEqual({});
  });

  it('keeps the hooks of the user, and calls them first', async () => {
    const called: string[] = [];
    const theirs = {
      PreToolUse: [{ matcher: 'Bash', hooks: [async () => void called.push('theirs')] }],
      Notification: [{ hooks: [] }],
    };
    const hooks = unrutHooks({ with: theirs });
    expect(hooks.PreToolUse).toHaveLength(2);
    expect(hooks.PreToolUse[0]).toBe(theirs.PreToolUse[0]);
    expect(hooks.Notification).toBe(theirs.Notification);
    await call(hooks, loop.before(1));
    expect(called).toEqual(['theirs']);
  });

  it('acts on nothing in shadow mode', async () => {
    const shadows: unknown[] = [];
    const hooks = unrutHooks({ shadow: true, onPlan: (_, { shadow }) => void shadows.push(shadow) });
    expect(await play(hooks)).toEqual([]);
    expect(shadows[0]).toBe(true);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['never answers', () => new Promise<never>(() => {})],
  ])('lets the call run when the guard %s, and says so', async (_, observe) => {
    const faults: string[] = [];
    const hooks = unrutHooks({ guard: { observe }, onFault: ({ message }) => void faults.push(message) });
    expect(await call(hooks, loop.before(1))).toEqual({});
    expect(faults).toHaveLength(1);
  });
});
