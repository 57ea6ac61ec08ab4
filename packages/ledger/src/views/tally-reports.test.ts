import type { AgentEvent } from '@unrut/engine/event';
import { testReports } from '@unrut/test/suites/test-reports';
import { describe, expect, test } from 'vitest';
import { createMemoryLedger } from '../memory.ts';
import { createRecorder } from '../recorder.ts';
import { reportsOf } from './tally-reports.ts';

const open = (now: () => number) => {
  const ledger = createMemoryLedger();
  return { ledger, reports: reportsOf(ledger, undefined, { now }) };
};

describe('reports from tallies of a ledger in memory', () => {
  for (const { name, run } of testReports('memory', open)) test(name, run);
});

describe('the costliest sessions', () => {
  test('are those that wasted the most of what is asked for', async () => {
    const { ledger, reports } = open(() => 1_000_000);
    const recorder = createRecorder(ledger);
    const stuck = (
      session: string,
      times: number,
      cost: { tokens: number; usd: number },
    ): AgentEvent[] =>
      Array.from({ length: times }, (_, i) => ({
        type: 'call-finished',
        session,
        at: 1000 * i,
        call: { id: `${i}`, tool: 'Bash', args: { command: 'npm test' } },
        error: 'FAIL cart > adds a lamp',
        cost,
      }));
    for (const events of [
      stuck('stubborn', 40, { tokens: 10, usd: 0.01 }),
      stuck('dear', 5, { tokens: 20, usd: 5 }),
      stuck('wordy', 6, { tokens: 9000, usd: 0.02 }),
    ])
      await recorder.record(events);
    const first = async (costliest?: 'steps' | 'tokens' | 'usd') =>
      (await reports.stats({ since: 0, by: 'day', costliest })).costliest.map(
        ({ session }) => session,
      );
    expect(await first('steps')).toEqual(['stubborn', 'wordy', 'dear']);
    expect(await first('tokens')).toEqual(['wordy', 'stubborn', 'dear']);
    expect(await first('usd')).toEqual(['dear', 'stubborn', 'wordy']);
    expect(await first()).toEqual(await first('usd'));
  });
});
