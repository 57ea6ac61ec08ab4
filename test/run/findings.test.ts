import { createTaskGuard, type TaskGuardOptions } from '@unrut/tasks';
import { labelIteration } from '@unrut/tasks/run/iterate';
import { startOf } from '@unrut/tasks/run/run-agent-command';
import { runGuard } from '@unrut/tasks/run/run-guard';
import { loadRunState } from '@unrut/tasks/run/run-store';
import { describe, expect, it, test } from 'vitest';
import { createMemoryLedger, extractSignature, recordTo } from '../../packages/cli/src/index.ts';
import { AgentReport } from '../../packages/tasks/src/run/agent-report.ts';
import { startWork, workOf } from '../../packages/tasks/src/work.ts';
import { drive } from './drive.ts';

const inTurn =
  (...outputs: string[]) =>
  (iteration: number): string =>
    outputs[iteration - 1] ?? 'TASK_COMPLETE';
const A =
  "Error: TypeError - Cannot read property 'id' of null at auth.ts:45 and I looked at the module again";
const B = "Searched GitHub for 'oauth2 refresh token', found 3 patterns in several projects";

describe('a, b, a, a', () => {
  it('is no loop at the fourth with all detectors on; a, b, a, a, a is one at the fifth', async () => {
    expect((await drive(inTurn(A, B, A, A))).ending).toBe('done');
    const { ending, state } = await drive(inTurn(A, B, A, A, A));
    expect({ ending, iteration: state.iteration }).toEqual({ ending: 'loop', iteration: 5 });
  });
});

it('alternating iterations are reported as such, with all of them in the report', async () => {
  const other = `${B} and in two of our own, where none of them fits.`;
  const { report } = await drive(
    inTurn(
      A.replace('Error', 'I met the'),
      other,
      A.replace('Error', 'I met the'),
      other,
      A.replace('Error', 'I met the'),
    ),
  );
  expect(report).toContain('**Pattern**: The iterations alternate');
  expect(report?.match(/Iteration \d/g)).toEqual([1, 2, 3, 4, 5].map((i) => `Iteration ${i}`));
});

describe('settings of the detectors hold in a run', () => {
  const same = 'Fixed auth.ts - added null check';
  const at = async (options: object, threshold?: number): Promise<number> =>
    (await drive(() => same, { guard: runGuard({ options } as never, threshold) })).state.iteration;

  it.each<[object, number | undefined, number]>([
    [{}, undefined, 3],
    [{ 'output-signature': { threshold: 6 }, 'similar-output': { matches: 4 } }, undefined, 5],
    [{ 'similar-output': { matches: 1 } }, undefined, 2],
    [{ 'output-signature': { threshold: 6 }, 'similar-output': { matches: 4 } }, 3, 3],
  ])('%j and --loop-threshold %s: a loop at %i', async (options, threshold, iteration) => {
    expect(await at(options, threshold)).toBe(iteration);
  });
});

describe('signatures of log-style and non-English errors', () => {
  const log = (i: number) =>
    `[2026-01-05T10:00:0${i}Z] pid=4${i}1 starting build\n[2026-01-05T10:00:0${i}Z] ERROR src/db.ts:41: ECONNREFUSED 127.0.0.1:5432 after 12${i}ms`;
  const foreign = (i: number) => `✗ 失敗 Error: TypeError — нельзя at src/ünïcode.ts:${i}`;

  it.each([log, foreign])('are errors, and the same each time', (text) => {
    expect(extractSignature(text(1))).toMatch(/^error:/);
    expect(extractSignature(text(1))).toBe(extractSignature(text(2)));
  });

  it('another error is another signature, and a failing test stays one: the twin', () => {
    expect(extractSignature(log(1).replace('ECONNREFUSED', 'ENOENT'))).not.toBe(
      extractSignature(log(1)),
    );
    expect(extractSignature('✗ adds two numbers\n1 failed')).toMatch(/^test-fail:/);
  });

  it('the history shows the error', () => {
    expect(labelIteration({ output: log(1), failed: false }, undefined)).toContain('ECONNREFUSED');
  });
});

describe('time', () => {
  it('no iteration begins with less than a second left, and one second is one second', async () => {
    const { reason, state } = await drive((i) => ({ output: `Wrote chapter ${i}`, takes: 600 }), {
      settings: { maxRuntime: 1000 },
    });
    expect(state.iteration).toBe(1);
    expect(reason).toContain('The iterations took 1 second.');
  });

  it('--until ends a run before the next iteration', async () => {
    const until = Date.parse('2026-11-01T10:00:02Z');
    const { reason, state } = await drive((i) => `Wrote chapter ${i}`, { settings: { until } });
    expect({ reason: reason.slice(0, 6), iteration: state.iteration }).toEqual({
      reason: 'until:',
      iteration: 2,
    });
  });
});

it('a limit of the provider that cannot be waited out counts as nothing', async () => {
  const limit = "The provider's limit is reached.";
  const { ending, reason, state } = await drive((i) =>
    i === 1 ? 'Wrote chapter 1' : { output: 'API Error: 529', failed: true, limit },
  );
  expect({ ending, iteration: state.iteration, errors: state.errors }).toEqual({
    ending: 'limit',
    iteration: 1,
    errors: 0,
  });
  expect(reason).toMatch(/^provider_limit: /);
});

describe('what changed', () => {
  const look = (tree: string) => ({ tree, committed: '' });
  const check = (failures: number | null, more: object = {}) => ({
    command: 'npm test',
    tail: '',
    signature: `test-fail:${failures}`,
    left: 1,
    failures,
    passed: null,
    names: [],
    ...more,
  });
  /** Whether each of these iterations moved, by the trees and checks after them. */
  const moves = (
    ...steps: { tree: string; line?: string; file?: string; check?: ReturnType<typeof check> }[]
  ) => {
    const memory = startWork();
    let before = look('start');
    return steps.map(({ tree, line, file = 'a.ts', check: failedCheck }) => {
      const after = look(tree);
      const changes = line === undefined ? [] : [{ file, line }];
      const { moved } = workOf(memory, { before, after, changes, failedCheck, task: 'Do it.' });
      before = after;
      return moved;
    });
  };

  it.each<[string, Parameters<typeof moves>, boolean[]]>([
    [
      'new lines',
      [
        { tree: '1', line: 'a' },
        { tree: '2', line: 'b' },
      ],
      [true, true],
    ],
    [
      'the same line with another time',
      [
        { tree: '1', line: '// 10:00:01' },
        { tree: '2', line: '// 10:00:02' },
      ],
      [true, false],
    ],
    [
      'there and back',
      [
        { tree: '1', line: 'a' },
        { tree: 'start', line: 'a' },
        { tree: '1', line: 'a' },
      ],
      [true, false, false],
    ],
    ['a note', [{ tree: '1', line: 'a', file: 'progress.md' }], [false]],
    ['a cache', [{ tree: '1', line: 'a', file: 'x/__pycache__/y.pyc' }], [false]],
    [
      'fewer failures',
      [3, 2, 1].map((n) => ({ tree: 'start', check: check(n) })),
      [false, true, true],
    ],
    [
      'failures that come and go',
      [3, 2, 3, 2].map((n) => ({ tree: 'start', check: check(n) })),
      [false, true, false, false],
    ],
    [
      'more that passes',
      [5, 6].map((passed) => ({ tree: 'start', check: check(3, { passed }) })),
      [false, true],
    ],
    [
      'fewer names',
      [['a', 'b'], ['b']].map((names) => ({ tree: 'start', check: check(null, { names }) })),
      [false, true],
    ],
    [
      'another failing test instead',
      [['a'], ['b']].map((names) => ({ tree: 'start', check: check(null, { names }) })),
      [false, false],
    ],
  ])('%s', (_, steps, expected) => {
    expect(moves(...steps)).toEqual(expected);
  });
});

describe('the task guard', () => {
  const newGuard = (options: TaskGuardOptions = {}) => {
    const ledger = createMemoryLedger();
    const guard = createTaskGuard({ ledger }, options);
    const attempt = async (
      task: string,
      status: string,
      blockers: string[],
      work: string[],
      times = 1,
    ) => {
      for (let i = 0; i < times; i++)
        await guard.recordAttempt(task, status, blockers, work, `s${i}`);
    };
    return { ledger, guard, attempt };
  };

  test('authority is in the prompts of its own task alone, and a query can ask for one task', async () => {
    const { ledger, guard, attempt } = newGuard();
    await attempt('T3', 'blocked', ['no token'], [], 3);
    await guard.applyRecovery(guard.detectLoop('T3'));
    await attempt('T9', 'in_progress', [], ['x']);
    expect((await guard.promptFor('T3')).join('\n')).toContain(
      'UNBLOCK AUTHORITY GRANTED: Task T3',
    );
    expect((await guard.promptFor('T9')).join('\n')).not.toContain('AUTHORITY');
    expect(await ledger.context({ session: 'tasks', task: 'T9' })).toEqual([]);
    expect(
      await ledger.context({ session: 'tasks', task: 'T3', topics: ['unblock_authority'] }),
    ).toHaveLength(1);
  });

  test('the note of continue is in the result and in the next prompt', async () => {
    const { guard, attempt } = newGuard();
    await attempt('T', 'in_progress', [], ['x'], 3);
    const { recommendation, note } = guard.detectLoop('T');
    expect({ recommendation, note }).toEqual({
      recommendation: 'continue',
      note: expect.stringMatching(/^Note: Task T made no progress/),
    });
    expect(await guard.promptFor('T')).toContain(note);
  });

  test('invalid lists and a task called __proto__ do not throw and are counted', async () => {
    const { guard } = newGuard();
    await guard.recordAttempt('x', null as never, null, undefined, undefined as never);
    for (let i = 0; i < 3; i++) await guard.recordAttempt('__proto__', 'blocked', ['b'], [], 's');
    expect(guard.getStatus().x?.attemptCount).toBe(1);
    expect(Object.keys(guard.getStatus())).toContain('__proto__');
    expect(guard.detectLoop('__proto__')).toMatchObject({
      loopType: 'blocked_task_spin',
      attemptCount: 3,
    });
  });

  test.each([0.05, () => 0.05])('budgetLeft %s buys no authority', async (budgetLeft) => {
    const { guard, attempt } = newGuard({ budgetLeft });
    await attempt('T', 'blocked', ['b'], [], 3);
    expect(guard.detectLoop('T').recommendation).toBe('escalate');
  });

  test.each([5, '0.5' as never])('budgetLeft %j is refused', (budgetLeft) => {
    expect(() => newGuard({ budgetLeft })).toThrow(/`budgetLeft` to be a share from 0 to 1/);
  });

  test.each<[string, [status: string, blockers: string[], work: string[]][], string]>([
    [
      'times, ports and durations in blockers',
      [1, 2, 3].map((i) => [
        'blocked',
        [`2026-01-05T10:0${i}:00Z refused by 127.0.0.1:543${i} (attempt ${i})`],
        [],
      ]),
      'blocked_task_spin',
    ],
    [
      'durations in work',
      [107, 112, 109].map((ms) => ['in_progress', [], [`Ran tests in ${ms} ms`]]),
      'no_progress_repeat',
    ],
    [
      'work that goes there and back',
      ['ESM', 'CommonJS', 'ESM', 'CommonJS', 'ESM'].map((to) => [
        'in_progress',
        [],
        [`Switch to ${to}`],
      ]),
      'no_progress_repeat',
    ],
    [
      'status that goes there and back',
      ['in_progress', 'blocked', 'in_progress', 'blocked'].map((status) => [status, ['b'], []]),
      'blocked_task_spin',
    ],
    [
      'counts that move: the twin',
      [3, 2, 1].map((n) => ['in_progress', [], [`${n} tests failing`]]),
      'none',
    ],
    [
      'other files: the twin',
      ['a', 'b', 'c'].map((name) => ['in_progress', [], [`Wrote ${name}.ts`]]),
      'none',
    ],
  ])('%s', async (_, steps, loopType) => {
    const { guard } = newGuard();
    for (const [status, blockers, work] of steps)
      await guard.recordAttempt('T', status, blockers, work, 's');
    expect(guard.detectLoop('T').loopType).toBe(loopType);
  });

  test('recoveries are plans on the rung redirect, and the ledger has their outcomes', async () => {
    const { ledger, guard, attempt } = newGuard();
    await attempt('T', 'blocked', ['b'], [], 3);
    await guard.applyRecovery(guard.detectLoop('T'));
    await attempt('T', 'in_progress', [], ['Wrote a stub']);
    await attempt('T', 'blocked', ['b'], [], 3);
    await guard.applyRecovery(guard.detectLoop('T'));
    const plans = (await ledger.entries({ kind: 'plan' })).map(
      ({ data }) => `${data.recovery} on ${data.rung}, ${data.budgetLeft} left`,
    );
    expect(plans).toEqual([
      'unblock-authority on redirect, 4 left',
      'escalate-task on escalate, 4 left',
    ]);
    const outcomes = (await ledger.entries({ kind: 'outcome' })).map(
      ({ data }) => `${data.recovery} ${data.outcome}`,
    );
    expect(outcomes).toEqual(['unblock-authority recovered', 'unblock-authority relapsed']);
  });
});

test('events of sessions that are named like a run change nothing that the run keeps', async () => {
  const ledger = createMemoryLedger();
  await drive(() => 'TASK_COMPLETE', { ledger });
  const before = await loadRunState(ledger, 'run-test');
  const recorder = recordTo(ledger);
  for (const session of ['run-test/run', 'run-test/tasks'])
    expect(
      (await recorder.observe({ type: 'output-finished', session, at: 1, output: 'x' })).faults,
    ).toEqual([]);
  expect(
    (
      await recorder.observe({
        type: 'output-finished',
        session: 'run-test\u0001run',
        at: 1,
        output: 'x',
      })
    ).faults,
  ).toHaveLength(1);
  expect(await loadRunState(ledger, 'run-test')).toEqual(before);
});

describe('on the screen', () => {
  const shown = (record: object): string => new AgentReport().add(`${JSON.stringify(record)}\n`);
  it.each<[object, string]>([
    [
      {
        type: 'assistant',
        session_id: 's',
        message: {
          content: [{ type: 'tool_use', name: 'Bash', input: { command: 'npm test\n-- auth' } }],
        },
      },
      '· Bash npm test -- auth\n',
    ],
    [
      {
        type: 'assistant',
        session_id: 's',
        message: {
          content: [{ type: 'tool_use', name: 'Edit', input: { file_path: 'src/a.ts' } }],
        },
      },
      '· Edit src/a.ts\n',
    ],
    [
      { type: 'tool_use', tool_name: 'run_shell_command', parameters: { command: 'ls' } },
      '· run_shell_command ls\n',
    ],
    [
      {
        type: 'tool_use',
        sessionID: 's',
        part: { tool: 'read', state: { input: { filePath: 'b.ts' } } },
      },
      '· read b.ts\n',
    ],
  ])('%j is %j', (record, words) => {
    expect(shown(record)).toBe(words);
  });
});

it.each<[string[], string[]]>([
  [['claude'], ['-p', '--output-format', 'stream-json', '--verbose', '--resume', 'c1']],
  [['codex'], ['exec', 'resume', '--json', 'c1', '-']],
  [['opencode'], ['run', '--format', 'json', '--session', 'c1']],
  [['gemini'], ['--output-format', 'stream-json']],
  [['my-agent'], []],
])('--session: %j continues with %j', (command, args) => {
  expect(startOf(command as [string], 'Do it.', 'c1').args).toEqual(args);
});
