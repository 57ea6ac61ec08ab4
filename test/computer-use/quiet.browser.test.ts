import { expect, it } from 'vitest';
import { useSite } from './drive.ts';
import { QUIET } from './scenarios.ts';

const site = useSite();

// On a busy machine the browser itself may stand still between two looks.
it.each(QUIET)(
  '$what: nothing is forced and nothing ends',
  { retry: 2 },
  async ({ path, brain }) => {
    const result = await site.run(path, brain, { task: 'Go through all of it.' });
    expect(result.substitutions_by_gate).toEqual({});
    expect(result.termination_reason).toBe('done');
    expect(result.perceptual_summary.no_effect).toBe(0);
  },
);

it('what starts to move by a click and never ends does not hide the loop', async () => {
  const result = await site.run('/spinner', ({ click }) => click('#start'), { task: 'Start it.' });
  expect(result.termination_reason).toBe('loop');
  expect(result.substitutions_by_gate).toEqual({});
});
