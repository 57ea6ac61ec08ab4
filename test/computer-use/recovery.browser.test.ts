import { screenGuardOptions } from '@unrut/computer-use';
import { describe, expect, it } from 'vitest';
import { createGuard } from '../../packages/cli/src/index.ts';
import { recoveryPages } from '../site/recovery/pages.ts';
import { done, type Script, useSite } from './drive.ts';
import { LOOPS } from './scenarios.ts';
import { WATCHES_FIRST } from './script.ts';

const site = useSite(recoveryPages);

describe.each(LOOPS)('$what ($path)', ({ path, plan = {}, allow = [], moves, brain, reasons }) => {
  const options = {
    plan,
    allow: ['loop-recovery' as const, ...allow],
    ...(moves ? { patience: WATCHES_FIRST } : {}),
  };
  it('is a loop, and stays one as long as nobody allows the recovery', async () => {
    const result = await site.run(path, brain, { ...options, allow });
    expect(result).toMatchObject({ termination_reason: 'loop', loop_recoveries_by_reason: {} });
    expect(result.nudges).toBeGreaterThan(0);
  });

  it('is left with it, and the trajectory says how', async () => {
    const result = await site.run(path, brain, options);
    expect(result).toMatchObject({
      termination_reason: 'done',
      loop_recoveries_by_reason: reasons,
    });
    const forced = result.trajectory.filter((step) => step.loop_recovery_reason !== '');
    expect(forced.map(({ proposed_action }) => proposed_action?.type)).toEqual(
      forced.map(() => 'click'),
    );
    // Three executed clicks make a loop, whatever the machine's speed.
    expect(
      forced.every(({ step }) =>
        result.trajectory.slice(step - 4, step - 1).every(({ action }) => action.type === 'click'),
      ),
    ).toBe(true);
    expect(JSON.parse(JSON.stringify(result.trajectory))).toEqual(result.trajectory);
  });
});

describe('the window of a soft loop', () => {
  const { path, plan = {}, brain } = LOOPS.find(({ reasons }) => 'type_pending_value' in reasons)!;
  const names = ['repeated-action', 'drifting-click', 'frozen-screen'];

  it.each([3, 5])('of %d lets as many clicks pass before one is replaced', async (window) => {
    const screen = screenGuardOptions();
    const options = Object.fromEntries(
      names.map((name) => [name, { ...screen.options?.[name], window }]),
    );
    const { trajectory } = await site.run(path, brain, {
      plan,
      allow: ['loop-recovery'],
      guard: createGuard({ ...screen, options }),
    });
    const forced = trajectory.findIndex((step) => step.loop_recovery_reason !== '');
    expect(forced).toBe(window);
  });
});

describe('where nothing may be forced, the nudge helps', () => {
  const told = ({ feedback }: { feedback: string }): boolean =>
    feedback.includes('actions in a row');

  it.each([
    [
      '/recovery/stale-ref',
      'a list that is made anew',
      async ({ view, click, page }) => {
        if (await page.getByText('Water was marked').isVisible()) return done();
        return click(told(view) ? 'text=Mark Water as read' : '#sort');
      },
    ],
    [
      '/recovery/blocking-page',
      'a page that wants a person',
      ({ view, click }) =>
        view.feedback.includes('a human is needed')
          ? { action: { type: 'done', success: false, summary: 'A person is needed.' } }
          : click('button', 'Continue.'),
    ],
  ] as [string, string, Script][])('%s, %s', async (path, _, brain) => {
    const off = await site.run(path, brain, { off: ['nudge', 'loop-recovery'] });
    expect(off.termination_reason).toBe('loop');
    const on = await site.run(path, brain, { task: 'Mark the water bill as read.' });
    expect(on.substitutions_by_gate).toEqual({});
    expect(on.nudges).toBeGreaterThan(0);
    expect(on.termination_reason).not.toBe('loop');
  });
});
