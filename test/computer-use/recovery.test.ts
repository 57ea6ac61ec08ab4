import { describe, expect, it } from 'vitest';
import type { Plan, ReasonCode } from '../../src/computer-use/index.ts';
import { recoveryPages } from '../site/recovery/pages.ts';
import { done, type Script, useSite } from './drive.ts';

const site = useSite(recoveryPages);

interface Acceptance {
  path: string;
  what: string;
  plan?: Plan;
  /** Loops until it is helped, then does the rest. */
  brain: Script;
  reasons: Partial<Record<ReasonCode, number>>;
}

const saved = (url: string): boolean => url.includes('/saved');
const value = (label: string, text = `text for ${label}`): { label: string; value: string } => ({ label, value: text });

const CASES: Acceptance[] = [
  {
    path: '/odd-label',
    what: 'a form whose label no value matches',
    plan: { values: [value('Customer number', '48151623')] },
    brain: ({ view, click }) => (saved(view.url) ? done() : click(view.pending.length > 0 ? '#x1' : '#save')),
    reasons: { type_pending_value: 1 },
  },
  {
    path: '/odd-labels',
    what: 'a form of several such fields',
    plan: { values: [value('Colour'), value('Size'), value('Weight')] },
    brain: ({ view, click }) => (saved(view.url) ? done() : click(view.pending.length > 0 ? `#x${4 - view.pending.length}` : '#save')),
    reasons: { type_pending_value: 3 },
  },
  {
    path: '/login',
    what: 'a login form that is sent off by Return only',
    brain: ({ view, click }) => (saved(view.url) ? done() : click('#go', 'Sign in now.')),
    reasons: { press_return_for_submit: 1 },
  },
  {
    path: '/two-fields',
    what: 'a field that is filled already',
    brain: ({ view, click, page }) =>
      page.url().includes('/saved')
        ? done()
        : click(view.feedback.includes('Tab was pressed') ? '#save' : '#first', 'The field needs the focus.'),
    reasons: { tab_to_next_field: 1 },
  },
  {
    path: '/dead-button',
    what: 'a button that does nothing',
    brain: ({ view, click }) => (saved(view.url) ? done() : click('#save')),
    reasons: { press_return_for_submit: 1 },
  },
  {
    path: '/clock',
    what: 'a clock over a frozen form',
    brain: ({ view, click }) => (saved(view.url) ? done() : click('#save')),
    reasons: { press_return_for_submit: 1 },
  },
  {
    path: '/drifting',
    what: 'a target that drifts',
    plan: { values: [value('Customer number', '48151623')] },
    brain: ({ view, click }) => (saved(view.url) ? done() : click(view.pending.length > 0 ? '#x1' : '#save')),
    reasons: { type_pending_value: 1 },
  },
];

describe.each(CASES)('$what ($path)', ({ path, plan = {}, brain, reasons }) => {
  it('is a loop without the recovery', async () => {
    const result = await site.run(path, brain, { plan, off: ['loop-recovery'] });
    expect(result.termination_reason).toBe('loop');
    expect(result.loop_recoveries_by_reason).toEqual({});
    expect(result.nudges).toBeGreaterThan(0);
  });

  it('is left with it, and the trajectory says how', async () => {
    const result = await site.run(path, brain, { plan });
    expect(result).toMatchObject({ termination_reason: 'done', loop_recoveries_by_reason: reasons });
    const forced = result.trajectory.filter((step) => step.loop_recovery_reason !== '');
    expect(forced.map(({ proposed_action }) => proposed_action?.type)).toEqual(forced.map(() => 'click'));
    expect(forced[0]?.step).toBe(4);
    expect(JSON.parse(JSON.stringify(result.trajectory))).toEqual(result.trajectory);
  });
});

describe('where nothing may be forced, the nudge helps', () => {
  const told = ({ feedback }: { feedback: string }): boolean => feedback.includes('actions in a row');

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
        view.feedback.includes('a person is needed')
          ? { action: { type: 'done', success: false, summary: 'A person is needed.' } }
          : click('text=Continue', 'Continue.'),
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
