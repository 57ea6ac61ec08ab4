import { noLoops } from '@unrut/ledger/reports/reports';
import { expect, it } from 'vitest';
import { stagesOf } from './funnel.ts';

it('shows where loops ended, from the least force to the most, and how many were left', () => {
  const none = noLoops();
  const endings = { ...none.endings, stop: 2, human: 1, note: 5, never: 3, open: 1 };
  expect(stagesOf({ loops: 12, effective: 12, endings })).toEqual([
    { ending: 'note', here: 5, before: 0, left: 7 },
    { ending: 'human', here: 1, before: 5, left: 6 },
    { ending: 'stop', here: 2, before: 6, left: 4 },
    { ending: 'never', here: 3, before: 8, left: 1 },
    { ending: 'open', here: 1, before: 11, left: 0 },
  ]);
});

it('has no stage without a loop', () => {
  expect(stagesOf(noLoops())).toEqual([]);
});
