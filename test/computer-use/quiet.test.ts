import { expect, it } from 'vitest';
import { done, type Script, useSite } from './drive.ts';

const site = useSite();

/** The same click ten times, for a good reason each time. */
const clicksOn =
  (selector: string): Script =>
  ({ view, click }) =>
    view.step < 10 ? click(selector, 'Continue.') : done();

/** Starts something, and clicks again while it is going on. */
const impatient: Script = ({ view, click }) => (view.step < 6 ? click('#start', 'Submit it.') : done());

const waits: Script = ({ view, click }) =>
  view.step === 0 ? click('#start') : view.step < 6 ? { action: { type: 'wait', seconds: 0.3 } } : done();

const scrolls: Script = ({ view }) => (view.step < 6 ? { action: { type: 'scroll', direction: 'down', amount: 2 } } : done());

it.each([
  ['a list that grows', '/load-more', clicksOn('#more')],
  ['pages one after the other', '/pages', clicksOn('#next')],
  ['a game', '/click-game', clicksOn('#dot')],
  ['a page that is slow but moves, clicked again', '/slow', impatient],
  ['a page that is slow but moves, waited for', '/slow', waits],
  ['scrolling through a long page', '/long-article', scrolls],
] as const)('%s: nothing is forced and nothing ends', async (_, path, script) => {
  const result = await site.run(path, script, { task: 'Go through all of it.' });
  expect(result.substitutions_by_gate).toEqual({});
  expect(result.termination_reason).toBe('done');
  expect(result.perceptual_summary.no_effect).toBe(0);
});

it('what starts to move by a click and never ends does not hide the loop', async () => {
  const result = await site.run('/spinner', ({ click }) => click('#start'), { task: 'Start it.' });
  expect(result.termination_reason).toBe('loop');
  expect(result.substitutions_by_gate).toEqual({});
});
