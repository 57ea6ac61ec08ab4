import { expect, it } from 'vitest';
import { type ScreenPlan, SWITCHES, type Switch } from '../../src/computer-use/index.ts';
import { variableOf } from '../../src/computer-use/switches.ts';
import { done, type Script, useSite } from './drive.ts';

const site = useSite();
const odd: ScreenPlan = { values: [{ label: 'Customer number', value: '48151623' }] };
const clickField: Script = ({ click }) => click('#x1', 'Continue.');

it('each has a variable of its own', () => {
  expect(variableOf('loop-recovery')).toBe('UNRUT_LOOP_RECOVERY');
  expect(new Set(SWITCHES.map(variableOf)).size).toBe(SWITCHES.length);
});

/** What is forced at the fourth click, by which rule, with what switched off. */
it.each([
  [[], '/odd-label', odd, 'type_pending_value'],
  [['type-pending-value'], '/odd-label', odd, 'tab_to_next_field'],
  [['type-pending-value', 'tab-to-next-field'], '/odd-label', odd, ''],
  [['loop-recovery'], '/odd-label', odd, ''],
  [[], '/dead-button', {}, 'press_return_for_submit'],
  [['press-return-for-submit'], '/dead-button', {}, ''],
] as [Switch[], string, ScreenPlan, string][])('without %j on %s', async (off, path, plan, reason) => {
  const brain: Script = path === '/odd-label' ? clickField : ({ click }) => click('#save');
  const byOption = await site.run(path, brain, { plan, off, maxSteps: 4 });
  expect(byOption.trajectory.at(-1)?.loop_recovery_reason).toBe(reason);
  const environment = Object.fromEntries(off.map((name) => [variableOf(name), 'disabled']));
  const byEnvironment = await site.run(path, brain, { plan, environment, maxSteps: 4 });
  expect(byEnvironment.trajectory.at(-1)?.loop_recovery_reason).toBe(reason);
  expect(byEnvironment.off).toEqual(SWITCHES.filter((name) => off.includes(name)));
  if (reason === '') expect(byOption.trajectory[2]?.feedback).toMatch(/actions in a row/);
});

it('without a nudge nothing is said', async () => {
  const result = await site.run('/odd-label', clickField, { off: ['nudge', 'loop-recovery'], maxSteps: 4 });
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

it('an unknown name is one clear line', async () => {
  await expect(site.run('/saved', () => done(), { off: ['gates' as Switch] })).rejects.toThrow(/Cannot turn off `gates`: unknown name/);
});
