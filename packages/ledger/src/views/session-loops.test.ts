import { accountOf } from '@unrut/engine/account/account';
import { sum } from '@unrut/engine/account/loop';
import { record } from '@unrut/test/server/seeded-ledger';
import { describe, expect, test } from 'vitest';
import { createMemoryLedger } from '../memory.ts';
import { asRecorded } from '../reports/recorded-entry.ts';
import { sessionLoops } from './session-loops.ts';
import { timelineOf } from './timeline.ts';

const AT = 1_794_800_000_000;
const FAILS = 'Bash {"command":"npm test"} -> exit 1 "FAIL cart > adds a lamp: expected 2, got 3"';
const reads = (name: string, count: number): string[] =>
  Array.from(
    { length: count },
    (_, i) =>
      `Read {"file_path":"/p/${name}-${i}.ts"} -> "export const ${name}${i} = ${i * 7919};"`,
  );

async function loopsOf(lines: readonly string[]) {
  const ledger = createMemoryLedger();
  await record(ledger, { session: 's', lines, until: AT, cost: { tokens: 100, usd: 0.01 } });
  const entries = await ledger.entries({ session: 's' });
  const account = accountOf(entries.map(asRecorded));
  return { account, ...sessionLoops(account, timelineOf(entries), false) };
}

describe('the loops of a session', () => {
  test('an agent that is blocked repeatedly is one loop, and what was done is shown once', async () => {
    const { loops, account } = await loopsOf([...reads('a', 10), `${FAILS} x60`]);
    expect(loops).toHaveLength(1);
    const [{ acts, bursts, since, last, wasted }] = loops as [(typeof loops)[number]];
    expect({ since, last, bursts: bursts.length }).toEqual({ since: 10, last: 69, bursts: 1 });
    expect(acts.filter(({ rung }) => rung === 'block')).toEqual([
      expect.objectContaining({ times: expect.any(Number), last: 69 }),
    ]);
    expect(acts.find(({ rung }) => rung === 'block')!.times).toBeGreaterThan(40);
    expect(acts.length).toBeLessThanOrEqual(5);
    expect(wasted).toEqual(account.wasted);
  });

  test('a loop with pauses is several bursts, which add up to the session to the step and the cent', async () => {
    const { loops, account, earlier } = await loopsOf(
      Array.from({ length: 12 }, (_, i) => [...reads(`b${i}x`, 20), `${FAILS} x8`]).flat(),
    );
    expect(loops).toHaveLength(1);
    expect(loops[0]!.bursts).toHaveLength(12);
    expect(loops[0]!.bursts.map(({ since, last }) => last - since)).toEqual(
      expect.arrayContaining([7]),
    );
    const together = loops[0]!.bursts.reduce((all, { wasted }) => sum(all, wasted), {
      steps: 0,
      tokens: 0,
      usd: 0,
    });
    expect(together.steps).toBe(account.wasted.steps);
    expect(together.usd).toBeCloseTo(account.wasted.usd, 6);
    expect(loops[0]!.wasted.steps).toBeLessThan(12 * 8);
    expect(earlier).toEqual({ bursts: 0, wasted: { steps: 0, tokens: 0, usd: 0 } });
  });

  test('bursts that are counted and no longer kept are mentioned, so that the sums agree', async () => {
    const { account } = await loopsOf([...reads('c', 3), `${FAILS} x5`]);
    const more = {
      ...account,
      looped: account.looped + 3,
      wasted: sum(account.wasted, { steps: 21, tokens: 300, usd: 0.21 }),
    };
    expect(sessionLoops(more, [], false).earlier).toEqual({
      bursts: 3,
      wasted: { steps: 21, tokens: 300, usd: 0.21 },
    });
  });

  test('an agent that fails with something new each time has none', async () => {
    expect((await loopsOf([...reads('a', 30)])).loops).toEqual([]);
  });
});
