import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scheduler } from '@unrut/tasks';
import { describe, expect, test } from 'vitest';
import { createMemoryLedger } from '../../packages/cli/src/index.ts';
import { newFolder } from '../ledger-files.ts';
import { play, roadmapOf, type Script } from './scripted-run.ts';

const DONE = 'All is written.\nTASK_COMPLETE';
const statuses = (tasks: readonly { id: string; status: string }[]): string[] =>
  tasks.map(({ id, status }) => `${id} ${status}`);

describe('a roadmap', () => {
  test('is worked through in the order of its dependencies', async () => {
    const { ran, result } = await play(() => DONE, {
      roadmap: roadmapOf({ id: 'B', dependsOn: ['A'] }, 'A'),
    });
    expect(ran).toEqual(['A#1', 'B#1']);
    expect(result).toMatchObject({ ending: 'done', reason: 'All 2 tasks are done.', tickCount: 2 });
  });

  test('counts a task as done when its exit criteria pass, not when the agent says so', async () => {
    const folder = newFolder();
    const script: Script = ({ attempt }) => {
      writeFileSync(join(folder, 'notes'), `${attempt}`);
      return DONE;
    };
    const { ran, result } = await play(script, {
      roadmap: roadmapOf({ id: 'A', exitCriteria: 'grep -q 3 notes' }),
      folder,
    });
    expect(ran).toHaveLength(3);
    expect(result.ending).toBe('done');
  });

  test('does not take an echo of its prompt for a promise, nor for blockers', async () => {
    const { result } = await play((_, prompt) => prompt, { roadmap: roadmapOf('A') });
    expect(statuses(result.tasks)).toEqual(['A needs_review']);
    expect(result.ending).toBe('loop');
  });

  test('takes another task before it comes back to a blocked one', async () => {
    const script: Script = ({ task, attempt }) =>
      task.id === 'A' && attempt < 2 ? 'BLOCKED: no key' : DONE;
    const { ran, result } = await play(script, { roadmap: roadmapOf('A', 'B') });
    expect(ran).toEqual(['A#1', 'B#1', 'A#2']);
    expect(result.ending).toBe('done');
  });

  test.each([
    ['no tasks', roadmapOf(), 'The roadmap has no tasks.'],
    [
      'a task for people',
      roadmapOf({ id: 'A', status: 'needs_review' }),
      'No task can be worked on: A is needs_review.',
    ],
    [
      'a task that waits',
      roadmapOf({ id: 'A', status: 'blocked' }, { id: 'B', dependsOn: ['A'] }),
      'No task can be worked on: A is blocked; B waits for A.',
    ],
  ])('with %s starts no agent, and says why', async (_, roadmap, reason) => {
    const { ran, result } = await play(() => DONE, { roadmap });
    expect(ran).toEqual([]);
    expect(result).toMatchObject({ ending: 'nothing-to-do', reason });
  });

  test('never takes falling test failures for a loop', async () => {
    const folder = newFolder();
    const script: Script = ({ attempt }) => {
      writeFileSync(
        join(folder, 'failing'),
        `Tests  ${8 - attempt} failed | ${attempt} passed (8)\n`,
      );
      return 'I mended one.';
    };
    const roadmap = roadmapOf({
      id: 'A',
      exitCriteria: 'cat failing; grep -q " 0 failed" failing',
    });
    const { result, recovered, ran } = await play(script, { roadmap, folder });
    expect(recovered).toEqual([]);
    expect(ran).toHaveLength(8);
    expect(result.ending).toBe('done');
  });
});

describe('limits', () => {
  test('end a run whose agent fails three times in a row', async () => {
    const { result, ran } = await play(() => ({ exitCode: 1, output: 'boom' }), {
      roadmap: roadmapOf('A'),
    });
    expect(ran).toHaveLength(3);
    expect(result).toMatchObject({
      ending: 'limit',
      reason: 'The agent failed 3 times in a row (consecutive_errors).',
    });
  });

  test('say why, if `runAgent` throws, without the secrets in it', async () => {
    const script: Script = () => {
      throw new Error('no such program: claude --key ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5');
    };
    const { result } = await play(script, { roadmap: roadmapOf('A') });
    expect(result.reason).toMatch(
      /^The agent failed 3 times in a row: no such program: claude --key .*\(consecutive_errors\)\.$/,
    );
    expect(result.reason).not.toContain('ghp_aB3');
  });

  test('end a run that has cost enough', async () => {
    const script: Script = ({ attempt }) => ({
      output: `WORK: part ${attempt}`,
      cost: { usd: 0.4, tokens: 10 },
    });
    const { result, ran } = await play(script, { roadmap: roadmapOf('A'), limits: { maxCost: 1 } });
    expect(ran).toHaveLength(3);
    expect(result).toMatchObject({ ending: 'limit', cost: { tokens: 30 } });
  });

  test('set a task aside that was attempted often enough, and continue with the next', async () => {
    const script: Script = ({ task, attempt }) =>
      task.id === 'A' ? `WORK: part ${attempt}` : DONE;
    const { result, ran } = await play(script, {
      roadmap: roadmapOf('A', 'B'),
      limits: { maxIterations: 4 },
    });
    expect(ran).toEqual(['A#1', 'A#2', 'A#3', 'A#4', 'B#1']);
    expect(result.ending).toBe('limit');
    expect(statuses(result.tasks)).toEqual(['A needs_review', 'B done']);
  });

  test('with little money left no authority is granted: a person is asked', async () => {
    const script: Script = () => ({ output: 'BLOCKED: no key', cost: { usd: 1 } });
    const { recovered } = await play(script, { roadmap: roadmapOf('A'), limits: { maxCost: 3.2 } });
    expect(recovered).toEqual(['blocked_task_spin → escalate']);
  });

  test('end an agent that hangs when the time is over', async () => {
    const script: Script = ({ signal }) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve({ exitCode: null, signal: 'SIGKILL' }), {
          once: true,
        }),
      );
    const { result } = await play(script, { roadmap: roadmapOf('A'), limits: { maxRuntime: 300 } });
    expect(result.ending).toBe('limit');
  });
});

describe('checks', () => {
  const checks = {
    lint: 'test -e linted',
    critic: { command: 'false', probe: 'test -e critic-is-up' },
  };

  test('that cannot be made are deferred; those that can stay required', async () => {
    const folder = newFolder();
    const roadmap = { ...roadmapOf({ id: 'A' }), checks: {} };
    Object.assign(roadmap, { checks: { lint: { command: checks.lint }, critic: checks.critic } });
    roadmap.tasks[0]!.checks = ['lint', 'critic'];
    const script: Script = ({ attempt }) => {
      if (attempt === 2) writeFileSync(join(folder, 'linted'), '');
      return DONE;
    };
    const { result, ran, lines } = await play(script, { roadmap, folder });
    expect(ran).toEqual(['A#1', 'A#2']);
    expect(result.tasks[0]).toMatchObject({ status: 'done', deferred: ['critic'], attempts: 3 });
    expect(lines).toEqual(['Check critic is unavailable: deferred for task A']);
  });
});

describe('an interrupted run', () => {
  test('continues where it stopped, and the attempt that was cut off says nothing about the task', async () => {
    const ledger = createMemoryLedger();
    const stop = new AbortController();
    const roadmap = roadmapOf('A', 'B');
    const first = await play(
      ({ task }) => {
        if (task.id === 'B') stop.abort();
        return task.id === 'A' ? DONE : '';
      },
      { roadmap, ledger, signal: stop.signal },
    );
    expect(first.result.ending).toBe('interrupted');
    const second = await play(() => DONE, { roadmap, ledger });
    expect(second.ran).toEqual(['B#2']);
    expect(second.result.ending).toBe('done');
  });

  test('names itself once when the roadmap that it watches is wrong', async () => {
    const file = join(newFolder(), 'roadmap.yaml');
    writeFileSync(file, '');
    const stop = new AbortController();
    const read = () => {
      stop.abort();
      return roadmapOf({ id: 'A', status: 'open' });
    };
    const scheduler: Scheduler = () => {
      setTimeout(() => writeFileSync(file, 'changed'), 50);
      return { type: 'idle', reason: 'Nothing.' };
    };
    const { lines } = await play(() => DONE, {
      roadmap: roadmapOf(),
      signal: stop.signal,
      watch: { file, read },
      scheduler,
    });
    expect(lines).toEqual([
      expect.stringMatching(/^\[tasks\] the roadmap: task A: Expected `status` to be one of /),
    ]);
  });
});
