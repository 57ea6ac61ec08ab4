import { readFileSync } from 'node:fs';
import { createGuard, emptyVerdict } from '@unrut/engine/guard';
import type { JsonObject } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { createRecorder } from '@unrut/ledger/recorder';
import { describe, expect, it } from 'vitest';
import {
  type UnrutHooks,
  unrutHooks,
} from '../../packages/adapters/src/frameworks/claude-agent-sdk/index.ts';
import { loop } from '../../packages/agents/src/hosts/claude-code/fixtures/loop.ts';
import { planOn } from '../../packages/testing/src/case.ts';
import { withoutWaiting } from './without-waiting.ts';

/** Calls the hooks of an event as the SDK does, and gives the last answer. */
async function call(hooks: UnrutHooks, payload: JsonObject): Promise<JsonObject> {
  let answer: JsonObject = {};
  for (const { hooks: each } of hooks[payload.hook_event_name as keyof UnrutHooks] ?? [])
    for (const hook of each) answer = { ...(await hook(payload)) };
  return answer;
}

/** The results of up to nine attempts at the same failing command. */
async function play(
  hooks: UnrutHooks,
  change: (payload: JsonObject) => JsonObject = (payload) => payload,
  tries = 9,
): Promise<string[]> {
  const happened: string[] = [];
  for (let n = 1; n <= tries; n++) {
    const before = await call(hooks, change(loop.before(n)));
    if (loop.stops!(before)) return [...happened, `${n} stopped`];
    if (loop.refuses!(before)) {
      happened.push(`${n} refused`);
      for (const payload of loop.afterRefusal!(n)) await call(hooks, change(payload));
      continue;
    }
    for (const payload of loop.after(n)) {
      const answer = await call(hooks, change(payload));
      if (answer.hookSpecificOutput) happened.push(`${n} told`);
      if (loop.stops!(answer)) return [...happened, `${n} stopped`];
    }
  }
  return happened;
}

describe('unrutHooks', () => {
  it('does what the hooks of Claude Code do, and says what it does', async () => {
    const plans: [Plan['rung'], string][] = [];
    const hooks = unrutHooks({
      onPlan: ({ rung }, { session }) => void plans.push([rung, session]),
    });
    const byCommand = loop.happens.flatMap(
      (line) =>
        line
          .replace(/ \w+: (?:note|hint|escalate)$/, ' told')
          .match(/^\d+ (?:told|refused|stopped)$/) ?? [],
    );
    expect(await play(hooks)).toEqual(byCommand);
    expect([...new Set(plans.map(([rung]) => rung))]).toEqual([
      'note',
      'hint',
      'block',
      'escalate',
      'stop',
    ]);
    expect(new Set(plans.map(([, session]) => session))).toEqual(new Set(['s']));
  });

  it('says nothing to a run that gets on, nor to what it does not know', async () => {
    const hooks = unrutHooks();
    const recorded = readFileSync(
      'packages/agents/src/hosts/claude-code/fixtures/2.1.325.jsonl',
      'utf8',
    )
      .trim()
      .split('\n');
    for (const line of recorded) expect(await call(hooks, JSON.parse(line))).toEqual({});
    for (const payload of [
      { hook_event_name: 'PreToolUse' },
      { hook_event_name: 'PostToolUse', session_id: 3 },
    ])
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

  it('keeps two conversations at once apart', async () => {
    const hooks = unrutHooks();
    const of = (session_id: string) => (payload: JsonObject) => ({ ...payload, session_id });
    expect(await Promise.all(['a', 'b'].map((session) => play(hooks, of(session), 2)))).toEqual([
      [],
      [],
    ]);
    expect(await play(hooks, of('a'), 1)).toEqual(['1 told']);
  });

  it('continues after a stop when a person speaks', async () => {
    const hooks = unrutHooks();
    expect((await play(hooks)).at(-1)).toBe('9 stopped');
    await call(hooks, {
      ...loop.before(1),
      hook_event_name: 'UserPromptSubmit',
      prompt: 'Leave it, and look at the other file.',
    });
    const other = {
      tool_name: 'Read',
      tool_input: { file_path: '/src/other.txt' },
      tool_use_id: 'other',
    };
    expect(await call(hooks, { ...loop.before(1), ...other })).toEqual({});
  });

  it('lets no secret into plans', async () => {
    const secret = 'sk-ant-api03-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4-AbCdEfGhIj';
    const plans: Plan[] = [];
    const withSecret = (payload: JsonObject): JsonObject =>
      JSON.parse(
        JSON.stringify(payload).replaceAll('"command":"', `"command":"KEY=${secret} `),
      ) as JsonObject;
    expect(JSON.stringify(withSecret(loop.before(1)))).toContain(secret);
    await play(unrutHooks({ onPlan: (plan) => void plans.push(plan) }), withSecret);
    expect(plans.length).toBeGreaterThan(2);
    expect(JSON.stringify(plans)).not.toContain(secret);
  });

  it('acts on nothing in shadow mode', async () => {
    const shadows: unknown[] = [];
    const hooks = unrutHooks({
      shadow: true,
      onPlan: (_, { shadow }) => void shadows.push(shadow),
    });
    expect(await play(hooks)).toEqual([]);
    expect(shadows[0]).toBe(true);
  });

  it('acts on nothing in shadow mode with a guard that was given', async () => {
    for (const guard of [
      createGuard(),
      createRecorder(createMemoryLedger()),
      { observe: createGuard().observe },
    ]) {
      const shadows: unknown[] = [];
      const hooks = unrutHooks({
        guard,
        shadow: true,
        onPlan: (_, { shadow }) => void shadows.push(shadow),
      });
      expect(await play(hooks)).toEqual([]);
      expect(new Set(shadows)).toEqual(new Set([true]));
    }
  });

  it('twin: acts with a guard that was given without shadow', async () => {
    expect((await play(unrutHooks({ guard: createGuard() }))).at(-1)).toBe('9 stopped');
  });

  it('refuses one of several calls of a response, and lets the others run', async () => {
    const plan = planOn('block', { toModel: 'Its answer is known.' });
    const hooks = unrutHooks({
      guard: {
        observe: (event) => ({
          ...emptyVerdict(),
          plan: event.type === 'call-proposed' && event.call.id === 't1' ? plan : null,
        }),
      },
    });
    const other = { tool_name: 'Read', tool_input: { file_path: '/a' }, tool_use_id: 'o1' };
    const [refused, passed] = await Promise.all([
      call(hooks, loop.before(1)),
      call(hooks, { ...loop.before(1), ...other }),
    ]);
    expect(refused.hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: 'Its answer is known.',
    });
    expect(passed).toEqual({});
  });

  it('cannot throw at a stop, and says so', () => {
    // @ts-expect-error The SDK ends the run without an answer.
    expect(() => unrutHooks({ onStop: 'throw' })).toThrow(/onStop: expected none/);
    // @ts-expect-error The SDK names its sessions.
    expect(() => unrutHooks({ session: 'mine' })).toThrow(/session: expected none/);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['never answers', () => new Promise<never>(() => {})],
  ])('lets the call run when the guard %s, and says so', (_, observe) =>
    withoutWaiting(async () => {
      const faults: string[] = [];
      const hooks = unrutHooks({
        guard: { observe },
        onFault: ({ message }) => void faults.push(message),
      });
      expect(await call(hooks, loop.before(1))).toEqual({});
      expect(faults).toHaveLength(1);
    })(),
  );
});
