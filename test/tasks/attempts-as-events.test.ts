import type { Capability } from '@unrut/engine/event';
import { describe, expect, test } from 'vitest';
import { createGuard } from '../../packages/cli/src/index.ts';

const ALL: Capability[] = ['note', 'hint', 'redirect', 'escalate', 'stop'];
type Reported = { [field: string]: unknown };

/** What nine blocked attempts, a minute apart, led to: the attempt and the plan. */
function plansOf(reported: Reported | ((n: number) => Reported), can: Capability[] = ALL) {
  const guard = createGuard({ can });
  return Array.from({ length: 9 }, (_, i) => {
    const fields = typeof reported === 'function' ? reported(i + 1) : reported;
    const { plan } = guard.observe({
      type: 'task-attempted',
      session: 'nightly',
      at: 1_760_825_000_000 + i * 60_000,
      task: 'T8',
      status: 'blocked',
      blockers: ['critic unavailable'],
      work: [],
      attemptSession: `s${i}`,
      ...fields,
    } as never);
    return { attempt: i + 1, plan };
  }).flatMap(({ attempt, plan }) => (plan ? [{ attempt, ...plan }] : []));
}

const rungsOf = (plans: ReturnType<typeof plansOf>): string[] =>
  plans.map(({ attempt, rung }) => `${rung} ${attempt}`);
const CRITIC = ['note 3', 'hint 4', 'redirect 5', 'escalate 6', 'stop 9'];

describe('attempts reported as events', () => {
  test.each([['missing auth token'], ['waiting for approval by legal'], ['insufficient funds']])(
    '%j goes to a human at the first attempt, without authority',
    (blocker) => {
      const plans = plansOf({ blockers: [blocker] });
      expect(rungsOf(plans)[0]).toBe('escalate 1');
      expect(plans[0]!.toModel).toBe(
        `ESCALATION: Task T8 is blocked after 1 attempt.\nHuman intervention required.\nReason: The task \`T8\` waits for a person: ${blocker}. Another attempt cannot provide that.`,
      );
      expect(plans.map(({ recovery }) => recovery)).not.toContain('unblock-authority');
    },
  );

  test('if nobody can be asked, the agent gets a note at the first attempt', () => {
    const plans = plansOf({ blockers: ['missing auth token'] }, ['note', 'hint', 'redirect']);
    expect(rungsOf(plans).slice(0, 2)).toEqual(['note 1', 'hint 2']);
    expect(plans.map(({ recovery }) => recovery)).not.toContain('unblock-authority');
    expect(plans[0]!.toModel).toContain('waits for a person: missing auth token');
    expect(plans[0]!.toModel).toContain('do not work around it');
  });

  test('twin: what can be worked around climbs the ladder, with its blockers in the authority', () => {
    const plans = plansOf({ blockers: ['critic unavailable', 'docs offline'] });
    expect(rungsOf(plans)).toEqual(CRITIC);
    expect(plans[2]).toMatchObject({
      recovery: 'unblock-authority',
      action: { task: 'T8', blockers: ['critic unavailable', 'docs offline'] },
    });
    expect(plans[2]!.toModel).toContain(
      'Task T8 blocked by [critic unavailable, docs offline] after 5 attempts.',
    );
  });

  test('twin: an attempt that did new work is not yet given to a human', () => {
    const plans = plansOf((n) => ({
      blockers: ['missing auth token'],
      work: [`part ${'x'.repeat(n)}`],
    }));
    expect(plans).toEqual([]);
  });

  test('twin: once a person has provided it, other blockers begin at the foot of the ladder', () => {
    const plans = plansOf((n) => ({
      blockers: [n === 1 ? 'missing auth token' : 'critic unavailable'],
    }));
    expect(rungsOf(plans).slice(0, 4)).toEqual(['escalate 1', 'note 4', 'hint 5', 'redirect 6']);
  });

  test.each([
    ['by its id', { task: 'deploy-to-production' }],
    ['by its title', { title: 'Delete the old accounts' }],
  ])('a task that does harm, %s, goes to a human at the third attempt', (_, fields) => {
    const plans = plansOf(fields);
    expect(rungsOf(plans)[0]).toBe('escalate 3');
    expect(plans[0]!.toModel).toContain('met the same blockers: critic unavailable.');
    expect(plans.map(({ recovery }) => recovery)).not.toContain('unblock-authority');
  });

  test.each([
    ['its owner allowed it', { task: 'deploy-to-production', unblock: true }],
    ['it only writes code', { title: 'Write the delete endpoint' }],
  ])('twin: it gets authority if %s', (_, fields) => {
    expect(rungsOf(plansOf(fields))).toEqual(CRITIC);
  });

  test('blockers are shortened, counted and free of secrets', () => {
    const secret = `sk-ant-${'a1B2'.repeat(10)}`;
    const blockers = [`critic refuses ${secret}`, 'y'.repeat(300), 'c', 'd', 'e', 'f'];
    const authority = plansOf({ blockers }).find(
      ({ recovery }) => recovery === 'unblock-authority',
    )!;
    expect(authority.toModel).not.toContain(secret);
    expect(authority.toModel).toContain(`${'y'.repeat(59)}…, c, and 3 more]`);
  });

  test('what is remembered of tasks that wait stays small, however many and however long', () => {
    const guard = createGuard({ can: ALL });
    for (let i = 0; i < 200; i++)
      guard.observe({
        type: 'task-attempted',
        session: 'nightly',
        at: 1_760_825_000_000 + i * 60_000,
        task: `task ${i} ${'of the long list '.repeat(20)}`,
        status: 'blocked',
        blockers: [1, 2, 3, 4].map((n) => `missing auth token ${n} ${'for it '.repeat(50)}`),
        work: [],
        attemptSession: `s${i}`,
      });
    // Half of what a session may keep.
    expect(JSON.stringify(guard.snapshot('nightly')).length).toBeLessThan(32 * 1024);
  });
});
