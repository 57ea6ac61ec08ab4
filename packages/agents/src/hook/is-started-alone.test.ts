import { expect, test } from 'vitest';
import { isStartedAlone, type RunningProgram } from './is-started-alone.ts';

const looking =
  (...chain: string[][]) =>
  (pid: number): RunningProgram | undefined =>
    chain[pid - 100] && { args: chain[pid - 100]!, parent: pid + 1 };

const SHELL = ['/bin/sh', '-c', 'node hook.cjs --for codex'];

test.each<[string[][], boolean]>([
  [[['/opt/codex/bin/codex', 'exec', '--json', 'Fix it']], true],
  [[SHELL, ['codex', '--profile', 'mine', 'e', 'Fix it']], true],
  [[['codex']], false],
  [[['codex', 'exec it, please']], false],
  [[['codex', 'resume', '--last']], false],
  [[['node', '--max-old-space-size=900', '/usr/bin/gemini', '-m', 'flash', '-p', 'Fix it']], true],
  [[['node', '/lib/gemini.js', '--prompt=Fix it']], true],
  [[['gemini', '-i', 'Run it with -p']], false],
  [[SHELL, SHELL, SHELL, SHELL, ['codex', 'exec']], false],
  [[['constructor', 'exec']], false],
  [[], false],
])('%j: %j', (chain, isAlone) => {
  expect(isStartedAlone(100, looking(...chain))).toBe(isAlone);
});

test("reads the system's facts about this process", () => {
  expect(isStartedAlone()).toBe(false);
});
