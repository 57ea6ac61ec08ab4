import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAlive, thisRunner } from '@unrut/tasks/runner';
import { expect, test } from 'vitest';

test('a process counts as alive until it ends, and one that got its number since does not', async () => {
  const child = spawn('sleep', ['600']);
  const { started: _, ...runner } = { ...thisRunner(), pid: child.pid! };
  expect(isAlive(runner)).toBe(true);
  expect(isAlive({ ...runner, started: '1' })).toBe(false);
  expect(isAlive({ ...runner, booted: runner.booted - 3600 })).toBe(false);
  child.kill();
  await once(child, 'exit');
  expect(isAlive(runner)).toBe(false);
});
