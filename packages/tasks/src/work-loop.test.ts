import { expect, it } from 'vitest';
import { type WorkLoop, workLoop } from './work-loop.ts';

/** A run with this many jobs. */
function jobs(count: number, parts: Partial<WorkLoop<number, string>> = {}) {
  const log: string[] = [];
  let given = 0;
  const run: WorkLoop<number, string> = {
    parallel: 1,
    endsNow: () => undefined,
    next: () => (given < count ? ++given : undefined),
    async perform(job) {
      log.push(`begin ${job}`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`end ${job}`);
      return undefined;
    },
    wait: async () => 'nothing left',
    ...parts,
  };
  return { run, log };
}

it('does one job after another until none is left', async () => {
  const { run, log } = jobs(2);
  expect(await workLoop(run)).toBe('nothing left');
  expect(log).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
});

it('does as many jobs at once as it may', async () => {
  const { run, log } = jobs(3, { parallel: 2 });
  await workLoop(run);
  expect(log.slice(0, 2)).toEqual(['begin 1', 'begin 2']);
  expect(log).toHaveLength(6);
});

it('asks whether the run ends only while no job fills it', async () => {
  let isBusy = false;
  const { run } = jobs(2, {
    endsNow: () => (isBusy ? 'too early' : undefined),
    async perform() {
      isBusy = true;
      await new Promise((resolve) => setImmediate(resolve));
      isBusy = false;
      return undefined;
    },
  });
  expect(await workLoop(run)).toBe('nothing left');
});

it('ends with the job that ends the run, after those under way', async () => {
  const { run, log } = jobs(9, { parallel: 2 });
  const { perform } = run;
  run.perform = async (job) => {
    await perform(job);
    return job === 1 ? 'stopped' : undefined;
  };
  expect(await workLoop(run)).toBe('stopped');
  expect(log).toEqual(expect.arrayContaining(['end 1', 'end 2']));
  expect(log.filter((line) => line.startsWith('begin'))).toHaveLength(
    log.filter((line) => line.startsWith('end')).length,
  );
});

it('waits for work as long as some may come', async () => {
  const times: number[] = [];
  const { run } = jobs(0, {
    async wait(nth) {
      times.push(nth);
      return nth === 3 ? 'gave up' : undefined;
    },
  });
  expect(await workLoop(run)).toBe('gave up');
  expect(times).toEqual([1, 2, 3]);
});

it('rejects when a job does, after those under way', async () => {
  const { run, log } = jobs(2, { parallel: 2 });
  const { perform } = run;
  run.perform = async (job) => {
    if (job === 1) throw new Error('cannot start');
    return perform(job);
  };
  await expect(workLoop(run)).rejects.toThrow('cannot start');
  expect(log).toEqual(['begin 2', 'end 2']);
});
