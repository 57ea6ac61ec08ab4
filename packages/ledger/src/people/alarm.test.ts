import { expect, test } from 'vitest';
import { createMemoryLedger } from '../memory.ts';
import { createRecorder } from '../recorder.ts';
import { lastAlarm } from './alarm.ts';

test('a plan about the budget is no alarm, and hides none', async () => {
  const ledger = createMemoryLedger();
  const recorder = createRecorder(ledger, { budget: { steps: 4 } });
  const call = (n: number, page: string) =>
    recorder.observe({
      type: 'call-finished',
      session: 's',
      at: 1_700_000_000_000 + n,
      call: { id: `c${n}`, tool: 'read', args: { page } },
      result: `The page ${page} is about rivers.`,
    });
  const plans = [];
  for (const [n, page] of ['a', 'a', 'a', 'b'].entries()) plans.push((await call(n, page)).plan);
  expect(plans.map((plan) => plan?.reason)).toEqual([
    undefined,
    undefined,
    'repeated-call/consecutive',
    'budget/steps',
  ]);
  expect(await lastAlarm(ledger, 's')).toMatchObject({
    signal: { detector: 'repeated-call' },
    rung: 'note',
  });
});
