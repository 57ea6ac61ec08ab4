import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { expect, test } from 'vitest';
import { collectedHeap } from '../collected-heap.ts';
import { newPath } from '../ledger-files.ts';
import { processorClock } from '../processor-time.ts';
import { play, roadmapOf } from './scripted-run.ts';

/** Ticks between two looks. */
const LAP = 200;

test('1,000 ticks hold memory, state, prompt and what a tick takes flat', async () => {
  const ledger = createSqliteLedger({ path: newPath() });
  const laps: { heap: number; state: number; prompt: number; took: number }[] = [];
  let ticks = 0;
  let spent = processorClock();
  const { result, recovered } = await play(
    async (_, prompt) => {
      if (++ticks % LAP === 0) {
        const took = spent();
        const state = JSON.stringify([
          await ledger.loadState('run'),
          await ledger.loadState('run\u0001tasks'),
        ]).length;
        laps.push({ heap: collectedHeap(), state, prompt: prompt.length, took });
        spent = processorClock();
      }
      // Each task meets every blocker twice, one time too few for a loop.
      const part = Math.floor((ticks - 1) / 10);
      return {
        output: `WORK: part ${part}\nBLOCKED: reason ${part}`,
        cost: { tokens: 10, usd: 0.01 },
      };
    },
    {
      roadmap: roadmapOf('A', 'B', 'C', 'D', 'E'),
      ledger,
      looksAtFiles: false,
      limits: { maxIterations: 200 },
      guard: { adaptive: false },
    },
  );
  await ledger.close();
  expect(result).toMatchObject({ ending: 'limit', cost: { tokens: 10_000 } });
  expect(ticks).toBe(1000);
  expect(recovered).toEqual([]);
  const [, early] = laps;
  const late = laps.at(-1)!;
  expect(late.heap).toBeLessThan(early!.heap + 5e6);
  expect(late.state).toBeLessThan(early!.state * 1.2);
  expect(late.prompt).toBeLessThan(early!.prompt * 1.2);
  expect(late.took).toBeLessThan(early!.took * 2 + 500);
});
