import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { root } from '../build.ts';
import { type CollectedTest, collectTests } from './collected-tests.ts';

/** The main program's request: the tests without a mutant, or one mutant with some of them. */
export type Task =
  | { bundle: string; without: string }
  | { bundle: string; mutant: string; tests: string[]; hitLimit: number };

/** The worker's answer: the code reached by each test, or the result of a mutant. */
export type Report =
  | { type: 'reached'; always: Hits; tests: ReachedTest[] }
  | { type: 'tried'; outcome: 'killed' | 'survived' | 'timeout'; by?: string };

/** How often each mutant's switch was passed. */
export type Hits = Record<string, number>;

export interface ReachedTest {
  id: string;
  failed: boolean;
  milliseconds: number;
  hits: Hits;
}

/** What the instrumented code reads and writes. */
interface Switchboard {
  activeMutant?: string;
  currentTestId?: string;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: { static: Hits; perTest: Record<string, Hits> };
}

const board: Switchboard = {};
(globalThis as { __stryker__?: Switchboard }).__stryker__ = board;
fc.configureGlobal({ seed: 1, numRuns: 20 });

const require = createRequire(join(root, 'package.json'));
let loaded: { file: string; script: (...values: unknown[]) => void } | undefined;

/**
 * The code and its tests, evaluated again: what a mutant does at load counts, and what an earlier
 * one left behind is gone.
 */
function freshTests(file: string): CollectedTest[] {
  if (loaded?.file !== file)
    loaded = {
      file,
      script: compileFunction(readFileSync(file, 'utf8'), [
        'require',
        'module',
        'exports',
      ]) as () => void,
    };
  const { script } = loaded;
  return collectTests((standIn) =>
    script((id: string) => (id === 'vitest' ? standIn : require(id)), { exports: {} }, {}),
  );
}

async function reach({ bundle, without }: Extract<Task, { without: string }>): Promise<Report> {
  const left = new RegExp(without);
  const tests: ReachedTest[] = [];
  for (const { id, name, run } of freshTests(bundle)) {
    if (left.test(name)) continue;
    const start = performance.now();
    board.currentTestId = id;
    const failed = await fails(run);
    tests.push({
      id,
      failed,
      milliseconds: performance.now() - start,
      hits: board.mutantCoverage?.perTest[id] ?? {},
    });
  }
  return { type: 'reached', always: board.mutantCoverage?.static ?? {}, tests };
}

async function tryMutant({
  bundle,
  mutant,
  tests,
  hitLimit,
}: Extract<Task, { mutant: string }>): Promise<Report> {
  Object.assign(board, { activeMutant: mutant, hitCount: 0, hitLimit });
  const by = await killer(bundle, tests);
  if (board.hitCount! > hitLimit) return { type: 'tried', outcome: 'timeout' };
  return by === null
    ? { type: 'tried', outcome: 'survived' }
    : { type: 'tried', outcome: 'killed', by };
}

async function killer(bundle: string, wanted: string[]): Promise<string | null> {
  let tests: Map<string, CollectedTest>;
  try {
    tests = new Map(freshTests(bundle).map((test) => [test.id, test]));
  } catch {
    return 'load';
  }
  for (const id of wanted) {
    const test = tests.get(id);
    if (test && (await fails(test.run))) return id;
  }
  return null;
}

/** Milliseconds that a test may wait; the time in which it computes does not count. */
const LONGEST_WAIT = 30_000;

async function fails(run: () => unknown): Promise<boolean> {
  Atomics.add(beats, 0, 1);
  const timer = Promise.withResolvers<never>();
  const waiting = setTimeout(() => timer.reject(new Error('It waits for nothing.')), LONGEST_WAIT);
  try {
    await Promise.race([run(), timer.promise]);
    return false;
  } catch {
    return true;
  } finally {
    clearTimeout(waiting);
  }
}

const beats = new Int32Array(new SharedArrayBuffer(4));
new Worker(new URL('./watchdog.ts', import.meta.url), { workerData: beats });

process.on('message', async (task: Task) =>
  process.send?.('mutant' in task ? await tryMutant(task) : await reach(task)),
);
process.on('disconnect', () => process.exit());
