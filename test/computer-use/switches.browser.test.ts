import type { ScreenPlan } from '@unrut/computer-use';
import { expect, it } from 'vitest';
import { done, type Script, useSite } from './drive.ts';

const site = useSite();
const odd: ScreenPlan = { values: [{ label: 'Customer number', value: '48151623' }] };
const clickField: Script = ({ click }) => click('#x1', 'Continue.');

it('without the recovery the nudge remains, by option and by environment', async () => {
  const byOption = await site.run('/odd-label', clickField, {
    plan: odd,
    off: ['loop-recovery'],
    maxSteps: 4,
  });
  const byEnvironment = await site.run('/odd-label', clickField, {
    plan: odd,
    environment: { UNRUT_LOOP_RECOVERY: 'disabled' },
    maxSteps: 4,
  });
  for (const result of [byOption, byEnvironment]) {
    expect(result).toMatchObject({ off: ['loop-recovery'], loop_recoveries_by_reason: {} });
    expect(result.trajectory[2]?.feedback).toMatch(/actions in a row/);
  }
});

it('without a nudge nothing is said', async () => {
  const result = await site.run('/odd-label', clickField, {
    off: ['nudge', 'loop-recovery'],
    maxSteps: 4,
  });
  expect(result.nudges).toBe(0);
  expect(result.trajectory.at(-1)?.feedback).toBe('');
});

it('without the diff no effect is looked for', async () => {
  const brain: Script = ({ click }) => click('#save');
  const on = await site.run('/dead-button', brain, { maxSteps: 3 });
  expect(on.perceptual_summary).toMatchObject({ checked: 3 });
  expect(on.trajectory.at(-1)?.feedback).toContain('WARNING: no observed effect');
  const off = await site.run('/dead-button', brain, { maxSteps: 3, off: ['perceptual-diff'] });
  expect(off.perceptual_summary).toEqual({ checked: 0, no_effect: 0 });
});

it('without the adaptive window a list that grows is a loop', async () => {
  const brain: Script = ({ view, click }) => (view.step < 9 ? click('#more') : done());
  const off = await site.run('/load-more', brain, { off: ['adaptive-window'] });
  expect(off.termination_reason).toBe('loop');
});
