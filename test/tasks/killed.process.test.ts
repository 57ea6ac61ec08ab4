import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { roadmapStatus } from '@unrut/tasks';
import { rolldown } from 'rolldown';
import { beforeAll, expect, test } from 'vitest';
import { isFull } from '../full-runs.ts';
import { newFolder } from '../ledger-files.ts';

const MAX_RUNS = 60;
let program = '';

beforeAll(async () => {
  program = join(newFolder(), 'killed-runner.mjs');
  const bundle = await rolldown({
    input: fileURLToPath(new URL('killed-runner.ts', import.meta.url)),
    platform: 'node',
  });
  await bundle.write({ file: program, format: 'esm' });
  await bundle.close();
});

/**
 * Starts the runner and kills it after so many milliseconds of work, unless it has ended by then.
 * Returns its exit code.
 */
async function runFor(folder: string, milliseconds: number): Promise<number | null> {
  const child = spawn(process.execPath, [program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  await once(child.stdout, 'data');
  const timer = wait(milliseconds).then(() => child.kill('SIGKILL'));
  const [code] = await exit;
  await timer;
  return code;
}

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n').filter(Boolean);

/** Numbers that look random and are the same in every run of the test. */
function* chances(seed: number): Generator<number> {
  for (let x = seed; ; x = (x * 48_271) % 2_147_483_647) yield x / 2_147_483_647;
}

test.each(isFull ? [7, 1234] : [7])(
  'a runner that is killed at random points loses no attempt and counts none twice (seed %d)',
  async (seed) => {
    const folder = newFolder();
    for (const file of ['started', 'finished']) writeFileSync(join(folder, file), '');
    const chance = chances(seed);
    let runs = 0;
    let code: number | null = null;
    while (code !== 0 && runs < MAX_RUNS) {
      // Longer each time, so that a slow machine gets there too.
      code = await runFor(folder, 20 + 260 * chance.next().value! + 20 * runs);
      runs++;
    }
    expect(code).toBe(0);
    expect(runs).toBeGreaterThan(1);

    const ledger = createSqliteLedger({ path: join(folder, 'ledger.db') });
    const attempts = (await ledger.entries({ session: 'killed', kind: 'event' })).map(
      ({ data }) => data.attemptSession as string,
    );
    const { loopDetection, running } = await roadmapStatus(ledger, 'killed');
    await ledger.close();
    const started = linesOf(join(folder, 'started'));
    expect(new Set(started).size).toBe(started.length);
    expect(new Set(attempts).size).toBe(attempts.length);
    expect(attempts).toEqual(expect.arrayContaining(started));
    for (const [id, { attemptCount }] of Object.entries(loopDetection)) {
      const own = attempts.filter((session) => session.startsWith(id));
      expect(own).toEqual(Array.from({ length: attemptCount }, (_, i) => `${id}#${i + 1}`));
    }
    expect(running).toBe(false);
  },
);
