import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { findRun } from '@unrut/tasks/run/find-run';
import { expect, it, vi } from 'vitest';
import { badAgent, isThere, makePlace } from './place.ts';

/**
 * Numbers from 0 to 1 that look random; a failed test is repeated with the seed in its name:
 * `SEED=… npx vitest run …`.
 */
function* chances(seed: number): Generator<number, never> {
  for (let x = (seed * 48_271) % 2_147_483_647; ; x = (x * 48_271) % 2_147_483_647)
    yield x / 2_147_483_647;
}

const SEED = Number(process.env.SEED ?? 1 + (Date.now() % 1_000_000));

it(`a runner that is killed at any point continues, and no iteration is lost or counted twice (seed ${SEED})`, async () => {
  const chance = chances(SEED);
  const { start, unrut, folder, home } = makePlace();
  const file = join(folder, 'marks');
  const marks = (): string[] =>
    existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const kills = 5;
  for (let round = 0; round < kills; round++) {
    const before = marks().length;
    const args =
      round === 0
        ? ['PROMPT.md', '--max-iterations', '20', '--', ...badAgent('leaves-a-mark', file)]
        : ['--resume'];
    const { pid, ended } = await start(...args);
    await vi.waitFor(() => expect(marks().length).toBeGreaterThan(before + (round % 3)), {
      timeout: 60_000,
      interval: 5,
    });
    await wait(chance.next().value * 300);
    process.kill(pid, 'SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
  }
  const { code, stderr } = await unrut('--resume');
  expect(code, stderr).toBe(2);

  const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
  const { run, state } = await findRun(ledger, { folder });
  const events = (await ledger.entries({ session: run, kind: 'event' })).map(
    ({ data }) => data.type,
  );
  const outputs = (await ledger.context({ session: run, topics: ['iteration_output'] })).map(
    ({ metadata }) => metadata.iteration,
  );
  await ledger.close();
  expect(state.iteration).toBe(20);
  expect(events.filter((type) => type === 'iteration-started')).toHaveLength(20);
  expect(events.filter((type) => type === 'output-finished')).toHaveLength(outputs.length);
  expect(new Set(outputs).size).toBe(outputs.length);
  // Each kill costs one iteration at most: it was cut off, or never ran.
  expect(outputs.length).toBeGreaterThanOrEqual(20 - kills);
  expect(marks().filter((mark) => mark === 'begun').length).toBeGreaterThanOrEqual(outputs.length);
  expect(marks().filter((mark) => mark === 'begun').length).toBeLessThanOrEqual(20);
});

it('an agent that outlived its runner is ended before the run continues', async () => {
  const { start, unrut, folder } = makePlace();
  const file = join(folder, 'agent');
  const { pid, ended } = await start('PROMPT.md', '--', ...badAgent('marks-and-hangs', file));
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 60_000 });
  process.kill(pid, 'SIGKILL');
  const agent = Number(readFileSync(file, 'utf8'));
  expect(isThere(agent)).toBe(true);
  const { code, stderr } = await unrut('--resume', '--', ...badAgent('says-done'));
  expect(code, stderr).toBe(0);
  await vi.waitFor(() => expect(isThere(agent)).toBe(false), { timeout: 20_000 });
  await ended;
});
