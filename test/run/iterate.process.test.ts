import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerHook } from '@unrut/agents/hook/answer-hook';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { loadRunState } from '@unrut/tasks/run/run-store';
import { openWorkspace } from '@unrut/tasks/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collectedHeap } from '../collected-heap.ts';
import { processorClock } from '../processor-time.ts';
import { drive, newState } from './drive.ts';
import { makePlace } from './place.ts';

describe('a run is done', () => {
  it('when all checks pass, without a promise', async () => {
    const { ending, reason } = await drive(() => 'I think so.', {
      settings: { checks: ['true', 'exit 0'], needsPromise: false },
    });
    expect({ ending, reason }).toEqual({ ending: 'done', reason: 'The checks passed.' });
  });

  it('not by a promise, when a check fails; the next prompt says how', async () => {
    const settings = {
      checks: ['true', 'echo expected 2, got 3; exit 1'],
      needsPromise: true,
      maxIterations: 2,
    };
    const { ending, prompts, state } = await drive((i) => `Tried thing ${i}.\nTASK_COMPLETE`, {
      settings,
    });
    expect(ending).toBe('limit');
    expect(prompts[1]).toContain('    expected 2, got 3');
    expect(state.tried[0]?.what).toBe(
      'Tried thing 1. (the check `echo expected 2, got 3; exit 1` failed)',
    );
  });

  it('not by the promise of an iteration that failed', async () => {
    const { ending } = await drive(() => ({ output: 'TASK_COMPLETE', failed: true, exitCode: 1 }), {
      settings: { maxIterations: 1 },
    });
    expect(ending).toBe('limit');
  });
});

describe('the scratchpad', () => {
  it('is empty in the first prompt, and then has what was tried and what went wrong', async () => {
    const { prompts } = await drive(
      (i) =>
        i === 1
          ? { output: '', failed: true, problem: 'it was killed by SIGKILL' }
          : `Wrote chapter ${i}`,
      {
        settings: { maxIterations: 3 },
      },
    );
    expect(prompts[0]).not.toContain('earlier iterations');
    expect(prompts[0]).toContain('Get the test to pass.');
    expect(prompts[0]).toContain('iteration 1 of at most 3');
    expect(prompts[2]).toContain(
      '- Iteration 1: it was killed by SIGKILL\n- Iteration 2: Wrote chapter 2',
    );
  });

  it('holds no secrets, and neither does the ledger', async () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const { prompts, ledger } = await drive(() => `Used the token ${secret}`);
    const kept = JSON.stringify([
      prompts,
      await ledger.entries(),
      await ledger.context(),
      await ledger.loadState('run-test'),
      await loadRunState(ledger, 'run-test'),
    ]);
    expect(kept).toContain('Used the token');
    expect(kept).not.toContain('ghp_');
  });
});

describe('hooks inside the agent', () => {
  const surroundings = (ledger: ReturnType<typeof createMemoryLedger>, at: number) => ({
    environment: { UNRUT_RUN: 'run-test' },
    said: 'claude-code' as const,
    ledger,
    settings: { guard: {} },
    at,
  });
  const call = (session: string, i: number, event: string, command: string) => ({
    session_id: session,
    transcript_path: '/home/dev/t.jsonl',
    cwd: '/home/dev/project',
    hook_event_name: event,
    permission_mode: 'default',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: `toolu_${i}`,
    ...(event === 'PostToolUseFailure'
      ? { error: `Exit code 1\n1 failed: ${ERRORS[command] ?? 'expected 2, got 3'}` }
      : {}),
  });

  const ERRORS: Record<string, string> = {
    'npm test b.test.ts': 'AssertionError: the list is empty',
    'npm test c.test.ts': 'TypeError: parse is not a function',
    'npm test d.test.ts': 'connect ECONNREFUSED 127.0.0.1:5432',
  };

  /** An agent whose session calls a failing command four times. */
  const loops =
    (ledger: ReturnType<typeof createMemoryLedger>, command: (iteration: number) => string) =>
    async (iteration: number) => {
      for (let i = 0; i < 4; i++) {
        const at = Date.parse('2026-11-01T10:00:00Z') + iteration * 100_000 + i * 5000;
        for (const event of ['PreToolUse', 'PostToolUseFailure'])
          await answerHook(
            call(`session-${iteration}`, i, event, command(iteration)),
            surroundings(ledger, at),
          );
      }
      return `I rewrote ${['the parser', 'all the imports', 'how dates are read', 'most of the tests', 'nothing'][iteration % 5]} this time.`;
    };

  it('report to the run: three iterations, each looping on the same failing test, are a loop', async () => {
    const ledger = createMemoryLedger();
    const { ending, report, state } = await drive(
      loops(ledger, () => 'npm test'),
      { ledger },
    );
    expect(ending).toBe('loop');
    expect(state.iteration).toBe(3);
    expect(report).toContain(
      '**Pattern**: 3 iterations in a row were each looping on the same thing inside: `npm test` failed 4 times',
    );
  });

  it('count again from zero when the run continues after a loop', async () => {
    const ledger = createMemoryLedger();
    const { reports, state } = await drive(
      loops(ledger, () => 'npm test'),
      { ledger, choose: async (_, { continued }) => (continued === 0 ? 'continue' : 'stop') },
    );
    expect(state.iteration).toBe(6);
    expect(reports[1]?.match(/Iteration \d/g)).toEqual([
      'Iteration 4',
      'Iteration 5',
      'Iteration 6',
    ]);
  });

  it('are no loop of the run when each goes round on something else; the next prompt tells of it', async () => {
    const ledger = createMemoryLedger();
    const { ending, prompts } = await drive(
      loops(ledger, (i) => `npm test ${'abcdefghij'[i]}.test.ts`),
      { ledger, settings: { maxIterations: 4 } },
    );
    expect(ending).toBe('limit');
    expect(prompts[1]).toContain('(it repeated itself: `npm test b.test.ts` failed 4 times');
  });
});

describe('a run that was cut off', () => {
  it('continues with the next iteration, and the one that was cut off neither counts as an output nor is lost', async () => {
    const state = {
      ...newState(),
      iteration: 2,
      isBegun: true,
      tried: [{ iteration: 1, what: 'Wrote chapter 1' }],
    };
    const {
      prompts,
      ending,
      state: after,
    } = await drive((i) => (i === 3 ? 'TASK_COMPLETE' : 'no'), { state });
    expect(ending).toBe('done');
    expect(after.iteration).toBe(3);
    expect(prompts[0]).toContain('- Iteration 1: Wrote chapter 1\n- Iteration 2: it was cut off');
  });

  it('remembers signatures across processes', async () => {
    const ledger = createSqliteLedger({ path: `${makePlace().home}/ledger.db` });
    const stop = new AbortController();
    const first = await drive(
      (i) => {
        if (i === 2) stop.abort();
        return 'Fixed auth.ts - added null check';
      },
      { ledger, signal: stop.signal },
    );
    expect(first.ending).toBe('interrupted');
    const state = (await loadRunState(ledger, 'run-test'))!;
    // Nobody has decided anything: it was only interrupted, as by a crash.
    const second = await drive(() => 'Fixed auth.ts - added null check', {
      ledger,
      state: { ...state, ending: null },
    });
    expect({ ending: second.ending, iteration: second.state.iteration }).toEqual({
      ending: 'loop',
      iteration: 3,
    });
    await ledger.close();
  });
});

describe('an agent that prints nothing', () => {
  const silently = async (
    check: string,
    work: (folder: string, iteration: number) => void = () => {},
    before?: (folder: string) => void,
  ) => {
    const { folder, home } = makePlace();
    rmSync(home, { recursive: true });
    before?.(folder);
    const workspace = await openWorkspace(folder);
    onTestFinished(() => workspace.close());
    return drive(
      (i) => {
        work(folder, i);
        return '';
      },
      {
        cwd: folder,
        workspace,
        settings: { checks: [check], needsPromise: false, maxIterations: 6 },
      },
    );
  };
  const useGit = (folder: string) => void spawnSync('git', ['init', '--quiet'], { cwd: folder });

  it.each<[string, string, Parameters<typeof silently>[2]]>([
    ['and changes nothing', 'exit 1', undefined],
    ['and changes nothing in a git repository', 'exit 1', useGit],
    ['and whose check says the same each time', 'echo expected 2, got 3; exit 1', undefined],
  ])('%s is in a loop when its check fails alike', async (_, check, before) => {
    const { ending, state, report } = await silently(check, undefined, before);
    expect({ ending, iteration: state.iteration }).toEqual({ ending: 'loop', iteration: 3 });
    expect(report).toContain(
      `- Iteration 3: it said nothing (the check \`${check}\` failed) ← Loop detected`,
    );
  });

  const writes = (folder: string, i: number) =>
    writeFileSync(join(folder, `part-${i}.ts`), `export const part = ${i};`);
  it.each<[string, string, Parameters<typeof silently>[1], Parameters<typeof silently>[2]]>([
    ['writes files', 'exit 1', writes, undefined],
    ['writes files in a git repository', 'exit 1', writes, useGit],
    [
      'has ever fewer failures',
      'n=$(cat n 2>/dev/null || echo 9); echo $((n - 1)) > n; echo "$n tests failed"; exit 1',
      undefined,
      undefined,
    ],
  ])('is in none when it %s', async (_, check, work, before) => {
    expect((await silently(check, work, before)).reason).toMatch(/^max_iterations: /);
  });
});

it('in shadow mode a loop is recorded, and nothing is done about it', async () => {
  const { ending, reports, ledger } = await drive(() => 'Fixed auth.ts - added null check', {
    settings: { shadow: true, maxIterations: 4 },
    guard: { shadow: true },
  });
  expect(ending).toBe('limit');
  expect(reports).toEqual([]);
  expect(await ledger.entries({ kind: 'signal' })).not.toEqual([]);
});

it('a ledger that fails does not stop the run', async () => {
  const ledger = createSqliteLedger({ path: `${makePlace().home}/ledger.db` });
  await ledger.close();
  const faults: unknown[] = [];
  const { ending, state } = await drive(() => 'Fixed auth.ts - added null check', {
    ledger,
    onFault: (error) => faults.push(error),
  });
  expect({ ending, iteration: state.iteration }).toEqual({ ending: 'loop', iteration: 3 });
  expect(faults).not.toEqual([]);
});

it('1,000 iterations hold memory, state, prompt and what an iteration takes flat', async () => {
  const ledger = createSqliteLedger({ path: `${makePlace().home}/ledger.db` });
  const measured: { heap: number; state: number; prompt: number; took: number }[] = [];
  let spent = processorClock();
  const words =
    'amber basil cedar delta ember fjord grove heath inlet jetty knoll ledge marsh north orbit'.split(
      ' ',
    );
  const { state } = await drive(
    async (i, prompt) => {
      if (i % 250 === 0) {
        const took = spent();
        const saved = JSON.stringify([
          await ledger.loadState('run-test'),
          await ledger.loadState('run-test\u0001run'),
        ]);
        measured.push({ heap: collectedHeap(), state: saved.length, prompt: prompt.length, took });
        spent = processorClock();
      }
      const output = Array.from(
        { length: 600 },
        (_, k) => words[(i * 31 + k * (7 + (i % 11))) % words.length],
      ).join(' ');
      return { output: `Wrote chapter ${i} of the book.\n${output}`, cost: { tokens: 10 } };
    },
    {
      ledger,
      settings: { maxIterations: 1000, maxRuntime: 1e9, shadow: true },
      guard: { shadow: true },
    },
  );
  await ledger.close();
  expect(state.iteration).toBe(1000);
  expect(state.cost.tokens).toBe(10_000);
  const [early, , , late] = measured as [
    (typeof measured)[0],
    unknown,
    unknown,
    (typeof measured)[0],
  ];
  expect(late!.heap).toBeLessThan(early!.heap + 5e6);
  expect(late!.state).toBeLessThan(90_000);
  expect(late!.state).toBeLessThan(early!.state * 1.2);
  expect(late!.prompt).toBeLessThan(early!.prompt * 1.2);
  expect(late!.took).toBeLessThan(early!.took * 2 + 500);
});
