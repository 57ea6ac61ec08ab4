import { describe, expect, it } from 'vitest';
import { DONE_REASONS, type DoneReason, type Proposal, type ScreenPlan } from '../../src/computer-use/index.ts';
import { done, type Script, useSite } from './drive.ts';

const site = useSite();
const wait: Proposal = { action: { type: 'wait', seconds: 0.1 } };
/** Does this first, then claims success for ever. */
const after =
  (...first: Proposal[]): Script =>
  ({ view }) =>
    first[view.step] ?? done('The list is complete.');

const press = (keys: string): Proposal => ({ action: { type: 'key_press', keys } });

const CASES: Record<DoneReason, { script: Script; plan?: ScreenPlan }> = {
  empty_summary: { script: () => done('  ') },
  plan_steps_incomplete: { script: after(), plan: { steps: [{ name: 'open the list' }, { name: 'read it', text: 'the last entry' }] } },
  pending_form_values: { script: after(), plan: { values: [{ label: 'Town', value: 'Bremen' }] } },
  summary_missing_required_fields: { script: after(), plan: { required: ['list', 'order number'] } },
  no_observed_delta_after_waits: { script: after(wait) },
  no_progress_in_window: { script: after(press('F2'), press('F3'), press('F4')) },
};

describe('a claim of success', () => {
  it('has a case for every reason', () => expect(Object.keys(CASES)).toEqual([...DONE_REASONS]));

  it.each(Object.entries(CASES))('is refused twice for %s, then accepted as unverified', async (reason, { script, plan = {} }) => {
    const result = await site.run('/saved', script, { plan });
    expect(result.termination_reason).toBe('done_unverified');
    expect(result.done_rejections_by_reason).toEqual({ [reason]: 2 });
    const claims = result.trajectory.filter(({ gate, action }) => gate === 'done-gate' || action.type === 'done');
    expect(claims.map((step) => step.done_rejected_reason)).toEqual([reason, reason, '']);
    expect(claims[0]).toMatchObject({ action: { type: 'wait', seconds: 1 }, feedback: expect.stringContaining('does not count as done') });
  });

  it('goes through at once without the gate', async () => {
    const result = await site.run('/saved', () => done(''), { plan: CASES.pending_form_values.plan!, off: ['done-gate'] });
    expect(result).toMatchObject({ termination_reason: 'done', done_rejections_by_reason: {}, steps: 1 });
  });

  it('is accepted at the second try when the brain mends it', async () => {
    const result = await site.run('/saved', ({ view }) => done(view.step === 0 ? '' : 'The entries were saved.'));
    expect(result).toMatchObject({ termination_reason: 'done', done_rejections_by_reason: { empty_summary: 1 } });
  });

  it('of failure is believed', async () => {
    const result = await site.run('/saved', () => ({ action: { type: 'done', success: false, summary: 'There is no such list.' } }));
    expect(result).toMatchObject({ termination_reason: 'done_failed', ending: 'There is no such list.' });
  });

  it('is accepted when every step of the plan was seen or worked on', async () => {
    const steps = [{ name: 'open it', url: '/saved' }, { name: 'read it' }];
    const result = await site.run('/saved', () => ({ ...done(), planStep: 1 }), { plan: { steps } });
    expect(result.termination_reason).toBe('done');
  });
});
