import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runShell } from '@unrut/ledger/processes/run-process';
import { describe, expect, test } from 'vitest';
import { blockerKinds, learnWays, waysAround } from '../../packages/tasks/src/blockers.ts';
import { idleDelay } from '../../packages/tasks/src/idle-backoff.ts';
import { whatItSaid } from '../../packages/tasks/src/iteration.ts';
import { readReport, reportFormat } from '../../packages/tasks/src/read-report.ts';
import { schedule } from '../../packages/tasks/src/scheduler.ts';
import { newFolder } from '../ledger-files.ts';
import { play, roadmapOf } from './scripted-run.ts';

describe('idle back-off', () => {
  test.each([
    [1, 30],
    [2, 60],
    [3, 120],
    [4, 240],
    [5, 300],
    [50, 300],
  ])('waits about %d times idle: %d seconds', (idle, seconds) => {
    expect(idleDelay(idle, () => 0.5)).toBe(seconds * 1000);
    expect(idleDelay(idle, () => 0)).toBe(seconds * 880);
    expect(idleDelay(idle, () => 1)).toBe(seconds * 1120);
  });

  test('ends at once when the roadmap changes, and new work is done', async () => {
    const file = join(newFolder(), 'roadmap.yaml');
    writeFileSync(file, '');
    const stop = new AbortController();
    const { ran, loop } = await play(
      () => {
        setTimeout(() => stop.abort(), 10);
        return 'TASK_COMPLETE';
      },
      {
        roadmap: roadmapOf(),
        signal: stop.signal,
        watch: { file, read: () => roadmapOf('A') },
        scheduler: (tasks, state, running) => {
          const decision = schedule(tasks, state, running);
          if (decision.type === 'idle') setTimeout(() => writeFileSync(file, 'changed'), 50);
          return decision;
        },
      },
    );
    expect(ran).toEqual(['A#1']);
    expect(loop.getStatus()).toMatchObject({
      running: false,
      loopDetection: { A: { attemptCount: 1 } },
    });
  });
});

describe("an agent's report", () => {
  test.each([
    ['I am done.\nTASK_COMPLETE', true],
    ['I am done. TASK_COMPLETE\n\n', true],
    ['**TASK_COMPLETE**', true],
    ['`TASK_COMPLETE`.', true],
    ['TASK_COMPLETE\nbut for one thing', false],
    ['I will say TASK_COMPLETE when I am done', false],
    ['task_complete', false],
    ['', false],
    [reportFormat('TASK_COMPLETE'), false],
  ])('%j promises: %s', (output, isPromised) => {
    expect(
      whatItSaid({ output, exitCode: 0 }, 'TASK_COMPLETE', reportFormat('TASK_COMPLETE'))
        .isPromised,
    ).toBe(isPromised);
  });

  test('names work and blockers at the start of lines, plain, as a list or in bold', () => {
    const output =
      'WORK: wrote a.ts\n- WORK: tested it\n**BLOCKED:** no key\nThe line BLOCKED: in the midst\nBLOCKED:\n';
    expect(readReport(output)).toEqual({ work: ['wrote a.ts', 'tested it'], blockers: ['no key'] });
    expect(readReport(reportFormat('X'))).toMatchObject({ work: [], blockers: [] });
  });
});

describe('the catalogue of blockers', () => {
  test.each([
    ['missing auth token', 'missing-credential'],
    ['critic:design_system unavailable', 'unavailable-service'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'unavailable-service'],
    ['bash: jq: command not found', 'missing-dependency'],
    ['EACCES: permission denied', 'no-permission'],
    ['a pre-existing test fails', 'failing-before'],
    ['it is unclear which currency is meant', 'unclear-requirement'],
  ])('knows %j as %s', (blocker, name) => {
    expect(waysAround([blocker], {})[0]?.key).toMatch(new RegExp(`^${name}/`));
  });

  test('says nothing of what it does not know', () =>
    expect(waysAround(['the moon is full'], {})).toEqual([]));

  test('suggests first what has helped more often, from three cases on', () => {
    const [first, second] = Object.keys(
      blockerKinds.find(({ name }) => name === 'unavailable-service')!.ways,
    ).map((way) => `unavailable-service/${way}`);
    const outcomes = {};
    const suggested = (): string => waysAround(['the service is down'], outcomes)[0]!.key;
    for (let i = 0; i < 2; i++) learnWays(outcomes, [first!], false);
    expect(suggested()).toBe(first);
    learnWays(outcomes, [first!], false);
    expect(suggested()).toBe(second);
  });

  test('learns from the outcome of its suggestions', async () => {
    const { loop } = await play(
      ({ attempt }) => (attempt < 4 ? 'BLOCKED: the service is down' : 'TASK_COMPLETE'),
      {
        roadmap: roadmapOf('A'),
      },
    );
    expect(loop.learned).toEqual({ 'unavailable-service/go-on-without': { gone: 1, times: 1 } });
  });
});

describe('a command', () => {
  test('is ended with all that it started when the time is over', async () => {
    // What is left of it would keep its output open, and the promise pending.
    const end = await runShell('echo begun; sleep 600 & sleep 600', {
      cwd: newFolder(),
      timeout: 500,
    });
    expect(end).toMatchObject({ exitCode: null, by: 'timeout', output: 'begun\n' });
  });

  test('that leaves something behind has ended all the same', async () => {
    const end = await runShell('sleep 600 & setsid sleep 600 & echo begun', { cwd: newFolder() });
    expect(end).toMatchObject({ exitCode: 0, by: 'itself', output: 'begun\n' });
  });

  test('that prints without end is kept in part', async () => {
    const { output, exitCode } = await runShell(
      'head -c 20000000 /dev/zero | tr "\\0" x; echo end',
      { cwd: newFolder() },
    );
    expect(exitCode).toBe(0);
    expect(output.length).toBeLessThan(70_000);
    expect(output.endsWith('xend\n')).toBe(true);
  });
});
