import { screenGuardOptions } from '@unrut/computer-use';
import { expect, it } from 'vitest';
import { createMemoryLedger, recordTo } from '../../packages/cli/src/index.ts';
import { done, useSite } from './drive.ts';

const site = useSite();
const plan = { values: [{ label: 'Town', value: 'Bremen' }] };

it('a claim that is refused twice is accepted as unverified; the waits of the gate are nobody’s loop, and in no record', async () => {
  const ledger = createMemoryLedger();
  const keys = ['F2', 'F3', 'F4', 'F2', 'F3', 'F4'];
  const result = await site.run(
    '/saved',
    ({ view }) =>
      view.step < keys.length
        ? { action: { type: 'key_press', keys: keys[view.step]! } }
        : done('The list is complete.'),
    { plan, off: ['loop-recovery'], guard: recordTo(ledger, screenGuardOptions()) },
  );
  expect(result).toMatchObject({
    termination_reason: 'done_unverified',
    done_rejections_by_reason: { pending_form_values: 2 },
  });
  const refused = result.trajectory.filter(({ gate }) => gate === 'done-gate');
  expect(refused.map((step) => step.done_rejected_reason)).toEqual([
    'pending_form_values',
    'pending_form_values',
  ]);
  expect(refused[0]).toMatchObject({
    action: { type: 'wait', seconds: 1 },
    feedback: expect.stringContaining('does not count as done'),
  });
  expect(JSON.stringify(await ledger.entries())).not.toContain('"wait"');
});

it('a claim goes through at once without the gate', async () => {
  const result = await site.run('/saved', () => done(''), { plan, off: ['done-gate'] });
  expect(result).toMatchObject({
    termination_reason: 'done',
    done_rejections_by_reason: {},
    steps: 1,
  });
});

it('a claim is accepted when every step of the plan was seen or worked on', async () => {
  const steps = [{ name: 'open it', url: '/saved' }, { name: 'read it' }];
  const result = await site.run('/saved', () => ({ ...done(), planStep: 1 }), { plan: { steps } });
  expect(result.termination_reason).toBe('done');
});
