import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { RoadmapLoop, readRoadmap } from '@unrut/tasks';
import { median, rounded } from './median.ts';

const TASKS = 1000;
/** The first ticks warm up. */
const START = [100, 200] as const;
const END = [TASKS - 100, TASKS] as const;

/**
 * The cost of a tick at the start and at the end of a roadmap of 1,000 tasks, in a ledger on disk,
 * with an instant agent.
 */
export async function measureRoadmap() {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-bench-roadmap-'));
  const ledger = createSqliteLedger({ path: join(folder, 'ledger.db') });
  const at: number[] = [];
  const tasks = Array.from({ length: TASKS }, (_, i) => ({
    id: `T${i}`,
    prompt: `Do part ${i}.`,
    dependsOn: i === 0 ? [] : [`T${i - 1}`],
  }));
  const loop = new RoadmapLoop({
    roadmap: readRoadmap({ tasks }),
    ledger,
    run: 'run',
    folder,
    looksAtFiles: false,
    runAgent: async () => {
      const { user, system } = process.cpuUsage();
      at.push((user + system) / 1000);
      return { output: 'WORK: wrote the part\nTASK_COMPLETE', exitCode: 0, cost: { tokens: 10 } };
    },
  });
  const { ending } = await loop.run();
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
  if (ending !== 'done') throw new Error(`the roadmap: expected done, got ${ending}`);
  const perTick = ([from, to]: readonly [number, number]): number =>
    median(at.slice(from + 1, to).map((time, i) => time - at[from + i]!));
  const [start, end] = [perTick(START), perTick(END)];
  return {
    tasks: TASKS,
    'ms per tick at the start': rounded(start),
    'ms per tick at the end': rounded(end),
    ratio: rounded(end / start),
  };
}
