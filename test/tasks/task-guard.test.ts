import {
  createTaskGuard,
  type TaskGuard,
  type TaskGuardOptions,
  type TaskHost,
} from '@unrut/tasks';
import { describe, expect, test } from 'vitest';
import { createMemoryLedger, type Ledger } from '../../packages/cli/src/index.ts';

type Step = [status: string, blockers: string[], work: string[]];

const HOUR = 3_600_000;
const start = 1_760_825_000_000;

/** A guard whose clock goes a minute further with each attempt. */
function newGuard(
  options: TaskGuardOptions = {},
  tasks?: TaskHost,
  ledger: Ledger = createMemoryLedger(),
) {
  const clock = { now: start };
  const guard = createTaskGuard(
    { ledger, ...(tasks ? { tasks } : {}) },
    { now: () => clock.now, ...options },
  );
  const attempt = (task: string, [status, blockers, work]: Step, times = 1): void => {
    for (let i = 0; i < times; i++) {
      clock.now += 60_000;
      void guard.recordAttempt(task, status, blockers, work, `session_${i}`);
    }
  };
  return { guard, attempt, clock, ledger };
}

const typeAfter = (steps: Step[], options?: TaskGuardOptions): string => {
  const { guard, attempt } = newGuard(options);
  for (const step of steps) attempt('T', step);
  return guard.detectLoop('T').loopType;
};

const recover = (guard: TaskGuard, task: string) => guard.applyRecovery(guard.detectLoop(task));
const blocked: Step = ['blocked', ['critic:leakage unavailable'], []];

describe('no false positives on active work', () => {
  test.each<[string, Step[]]>([
    ['fewer attempts than three', [blocked, blocked]],
    [
      'another status',
      [
        ['done', [], []],
        ['needs_improvement', [], []],
        ['done', [], []],
      ],
    ],
    [
      'other blockers',
      [
        ['blocked', ['a'], []],
        ['blocked', ['b'], []],
        ['blocked', ['a'], []],
      ],
    ],
    [
      'one blocker less',
      [
        ['blocked', ['a', 'b'], []],
        ['blocked', ['a', 'b'], []],
        ['blocked', ['a'], []],
      ],
    ],
    [
      'the same blockers while work grows',
      [
        ['blocked', ['a'], []],
        ['blocked', ['a'], ['x']],
        ['blocked', ['a'], ['x', 'y']],
      ],
    ],
    [
      'growing work',
      [
        ['in_progress', [], ['x']],
        ['in_progress', [], ['x', 'y']],
        ['in_progress', [], ['x', 'y', 'z']],
      ],
    ],
  ])('%s is no loop', (_, steps) => expect(typeAfter(steps)).toBe('none'));

  test('attempts older than the window do not count when a loop is looked for', () => {
    const { guard, attempt, clock } = newGuard();
    attempt('T', blocked, 3);
    expect(guard.detectLoop('T').isLooping).toBe(true);
    clock.now += HOUR - 60_000;
    expect(guard.detectLoop('T')).toMatchObject({ isLooping: false, attemptCount: 2 });
  });

  test('blockers and work are compared as trimmed sets, and the given lists are left as they are', () => {
    const given = Object.freeze([' b ', 'a', 'b']) as unknown as string[];
    expect(
      typeAfter([
        ['blocked', given, []],
        ['blocked', ['a', 'b'], []],
        ['blocked', ['b', 'a', ''], []],
      ]),
    ).toBe('blocked_task_spin');
  });
});

describe('precedence and shape', () => {
  test('a task that is done counts as revisited, whatever blocks it', () => {
    expect(typeAfter(Array<Step>(3).fill(['done', ['a'], ['x']]))).toBe('completed_task_revisit');
  });

  test('three attempts without any work are no progress', () => {
    expect(typeAfter(Array<Step>(3).fill(['in_progress', [], []]))).toBe('no_progress_repeat');
  });

  test('a result has a line of evidence for each attempt: time, status, blockers or work, session', () => {
    const { guard, attempt } = newGuard();
    attempt('T', blocked, 3);
    const result = guard.detectLoop('T');
    expect(result.evidence).toHaveLength(3);
    expect(result.evidence[0]).toBe(
      '2025-10-18T22:04:20.000Z blocked: blocked by critic:leakage unavailable [session_0]',
    );
    expect(result.reason).toBe(
      'Task T met the same blockers in 3 attempts: critic:leakage unavailable.',
    );
  });

  test('a task nobody attempted is no loop', () => {
    expect(newGuard().guard.detectLoop('nothing')).toMatchObject({
      isLooping: false,
      attemptCount: 0,
      recommendation: 'continue',
    });
  });

  test('tasks that take turns without new work are a cycle, reported for the one that is blocked', () => {
    const { guard, attempt } = newGuard({ preset: 'conservative' });
    for (let lap = 0; lap < 3; lap++) {
      attempt('A', ['in_progress', [], []]);
      attempt('B', ['blocked', ['A is open'], []]);
      attempt('C', ['in_progress', [], []]);
    }
    expect(guard.detectLoop('C')).toMatchObject({
      loopType: 'task_cycle',
      taskId: 'B',
      recommendation: 'force_next',
    });
  });
});

describe('presets and thresholds', () => {
  test.each([
    ['conservative', 5, 'escalate'],
    ['balanced', 3, 'unblock_authority'],
    ['aggressive', 2, 'unblock_authority'],
  ] as const)('%s sees a spin at attempt %d and recommends %s', (preset, at, recommendation) => {
    const { guard, attempt } = newGuard({ preset });
    attempt('T', blocked, at - 1);
    expect(guard.detectLoop('T').isLooping).toBe(false);
    attempt('T', blocked);
    expect(guard.detectLoop('T')).toMatchObject({ isLooping: true, recommendation });
  });

  test.each([
    ['low', 2],
    [undefined, 3],
    ['medium', 3],
    ['high', 5],
    [4, 4],
    [1, 2],
  ])('a task of complexity %s may take %d attempts', async (complexity, most) => {
    const { guard } = newGuard();
    const seen = [];
    for (let i = 1; i <= 6; i++) {
      void guard.recordAttempt(
        'T',
        'in_progress',
        [],
        [],
        `s${i}`,
        complexity === undefined ? {} : { complexity },
      );
      seen.push(guard.detectLoop('T').isLooping);
    }
    expect(seen.indexOf(true) + 1).toBe(most);
  });

  test('a task that kept bringing something new is given one attempt more', () => {
    const { guard, attempt } = newGuard();
    for (const work of ['a', 'b', 'c', 'd']) attempt('T', ['in_progress', [], [work]]);
    attempt('T', ['in_progress', [], ['d']], 2);
    expect(guard.detectLoop('T').isLooping).toBe(false);
    attempt('T', ['in_progress', [], ['d']]);
    expect(guard.detectLoop('T').isLooping).toBe(true);
  });

  test.each([
    { maxAttempts: 1 },
    { maxAttempts: 2.5 },
    { attemptWindow: 0 },
    { preset: 'bold' as 'balanced' },
    { enableAutoUnblock: 'sometimes' as 'always' },
    { budgetLeft: 2 },
    { budget: { usd: -1 } },
    { log: 'stderr' as never },
    { maxAttemps: 4 } as object,
  ])('%j is refused', (options) => {
    const [name] = Object.keys(options);
    expect(() => newGuard(options)).toThrow(
      new RegExp(String.raw`^\[unrut\] \[tasks\] .*\`${name}(?:\.usd)?\``),
    );
  });

  test.each([
    [null, 'an object'],
    [{ tasks: {} }, '`tasks` to be an object with `get()` and `setStatus()`'],
    [{ ledger: 'ledger.db' }, '`ledger` to be an object with'],
    [{ get: () => undefined, setStatus: () => {} }, 'Unknown key `get`'],
  ])('a guard of %j says what was expected', (parts, words) => {
    expect(() => createTaskGuard(parts as object)).toThrow(words);
  });

  test('options at their limits, or undefined, are fine', () => {
    const options = { maxAttempts: 2, budgetLeft: 0, enableAutoUnblock: 'always', log: undefined };
    expect(() => createTaskGuard({}, options as TaskGuardOptions)).not.toThrow();
    expect(() => createTaskGuard()).not.toThrow();
  });
});

describe('recovery', () => {
  test('authority is scoped to the task and its blockers, says what is allowed and what is not, and is granted once', async () => {
    const { guard, attempt, ledger } = newGuard();
    attempt('T', blocked, 3);
    expect((await recover(guard, 'T')).recommendation).toBe('unblock_authority');
    expect(guard.detectLoop('T').isLooping).toBe(false);
    attempt('T', blocked, 3);
    expect(guard.detectLoop('T')).toMatchObject({ recommendation: 'escalate', attemptCount: 6 });

    const [granted] = await ledger.context({ topics: ['unblock_authority'] });
    expect(granted?.content).toMatch(
      /^UNBLOCK AUTHORITY GRANTED: Task T blocked by \[critic:leakage unavailable\] after 3 attempts\./,
    );
    expect(granted?.content).toContain('For this task and these blockers alone');
    expect(granted?.content).toContain(
      'You may not: skip tests or security checks, touch credentials or production data, rewrite history.',
    );
    expect(granted?.relatedTasks).toEqual(['T']);
  });

  test('other blockers of the same task may be granted again', async () => {
    const { guard, attempt } = newGuard();
    attempt('T', blocked, 3);
    await recover(guard, 'T');
    attempt('T', ['blocked', ['permission denied'], []], 3);
    expect(guard.detectLoop('T').recommendation).toBe('unblock_authority');
  });

  test('a person is asked by status, entry and event; the evidence of all attempts is kept', async () => {
    const statuses: string[] = [];
    const host: TaskHost = {
      get: () => ({ status: 'in_progress' }),
      setStatus: (...given) => void statuses.push(given.join(' | ')),
    };
    const told: string[] = [];
    const { guard, attempt, ledger } = newGuard(
      { enableAutoUnblock: false, onEscalation: ({ content }) => told.push(content) },
      host,
    );
    attempt('T6.2.3', blocked, 3);
    await recover(guard, 'T6.2.3');
    const text =
      /^ESCALATION: Loop detected on task T6\.2\.3 after 3 attempts\.\nHuman intervention required\.\nReason: /;
    expect(told).toEqual([expect.stringMatching(text)]);
    expect(statuses).toEqual([
      'T6.2.3 | blocked | Task T6.2.3 met the same blockers in 3 attempts: critic:leakage unavailable.',
    ]);
    const [entry] = await ledger.context({ topics: ['loop_escalation'] });
    expect(entry?.metadata).toMatchObject({
      loopType: 'blocked_task_spin',
      attemptCount: 3,
      evidence: [expect.any(String), expect.any(String), expect.any(String)],
    });
    const events = await ledger.entries({ session: 'tasks', kind: 'event' });
    expect(events.at(-1)?.data).toMatchObject({
      type: 'plan-performed',
      recovery: 'escalate',
      task: 'T6.2.3',
    });
    expect(
      events
        .slice(0, -1)
        .map(({ data }) => [data.task, data.status, data.blockers, data.attemptSession]),
    ).toEqual(
      [0, 1, 2].map((i) => ['T6.2.3', 'blocked', ['critic:leakage unavailable'], `session_${i}`]),
    );
  });

  test('a recovery that cannot be applied becomes an escalation', async () => {
    const host: TaskHost = {
      get: () => undefined,
      setStatus: (_, status) => {
        if (status === 'needs_review') throw new Error('The board is locked.');
      },
    };
    const faults: unknown[] = [];
    const { guard, attempt, ledger } = newGuard({ onFault: (error) => faults.push(error) }, host);
    attempt('T', ['in_progress', [], []], 5);
    expect((await recover(guard, 'T')).recommendation).toBe('escalate');
    expect(await ledger.context({ topics: ['loop_escalation'] })).toHaveLength(1);
    expect(faults).toHaveLength(1);
  });

  test('an unknown task and an orchestrator that fails altogether throw nothing', async () => {
    const fail = (): never => {
      throw new Error('down');
    };
    const { guard, attempt } = newGuard(
      { log: fail, onEscalation: fail, onFault: fail },
      { get: fail, setStatus: fail },
    );
    attempt('unknown', ['in_progress', [], []], 5);
    expect((await recover(guard, 'unknown')).recommendation).toBe('escalate');
  });

  test('a task that is done stays done', async () => {
    const statuses: string[] = [];
    const { guard, attempt } = newGuard(
      {},
      { get: () => ({ status: 'done' }), setStatus: (_, status) => void statuses.push(status) },
    );
    attempt('T', ['done', [], []], 4);
    await recover(guard, 'T');
    attempt('T', ['done', [], []], 3);
    expect((await recover(guard, 'T')).recommendation).toBe('escalate');
    expect(statuses).toEqual([]);
  });

  test('clear forgets a task, and leaves the record', async () => {
    const { guard, attempt, ledger } = newGuard();
    attempt('T', blocked, 3);
    attempt('U', blocked, 3);
    await guard.clear('T');
    expect(guard.detectLoop('T').attemptCount).toBe(0);
    expect(Object.keys(guard.getStatus())).toEqual(['U']);
    expect(await ledger.entries({ kind: 'event' })).toHaveLength(6);
  });

  test('nothing in a prompt, a log line or the ledger holds a secret', async () => {
    const secret = `ghp_${'Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5'}`;
    const lines: string[] = [];
    const { guard, attempt, ledger } = newGuard({ log: (line) => lines.push(line) });
    attempt('T', ['blocked', [`token ${secret} refused`], [`used ${secret}`]], 3);
    await recover(guard, 'T');
    const all = JSON.stringify([
      lines,
      await ledger.entries(),
      await ledger.context(),
      await ledger.loadState('tasks\u0001tasks'),
    ]);
    expect(all).toContain('refused');
    expect(all).not.toContain(secret);
  });
});

describe('a thousand attempts', () => {
  test('take no more to remember than the first two hundred', async () => {
    const { guard, ledger } = newGuard();
    const sizes: number[] = [];
    for (let i = 1; i <= 1000; i++) {
      await guard.recordAttempt(
        `T${i % 5}`,
        'in_progress',
        [`blocker ${i}`],
        [`work ${i}`],
        `session_${i}`,
      );
      if (i % 200 === 0)
        sizes.push(JSON.stringify(await ledger.loadState('tasks\u0001tasks')).length);
    }
    expect(guard.getStatus().T0?.attemptCount).toBe(200);
    expect(Math.max(...sizes)).toBeLessThan(sizes[0]! * 1.05);
  });
});

describe('what other processes did', () => {
  test('is known to a new guard on the same ledger', async () => {
    const { guard, attempt, ledger } = newGuard();
    attempt('T', blocked, 2);
    await guard.ready;
    const other = newGuard({ now: () => start + 300_000 }, undefined, ledger);
    await other.guard.ready;
    other.attempt('T', blocked);
    expect(other.guard.detectLoop('T')).toMatchObject({
      loopType: 'blocked_task_spin',
      attemptCount: 3,
    });
  });

  test('and attempts of two guards at once are all counted', async () => {
    const ledger = createMemoryLedger();
    const guards = [newGuard({}, undefined, ledger).guard, newGuard({}, undefined, ledger).guard];
    await Promise.all(
      guards.flatMap((guard) =>
        [1, 2, 3].map((i) => guard.recordAttempt('T', 'pending', [], [], `s${i}`)),
      ),
    );
    const third = newGuard({}, undefined, ledger).guard;
    await third.ready;
    expect(third.getStatus().T?.attemptCount).toBe(6);
  });

  test('a ledger that fails loses nothing once it is back, and breaks nobody', async () => {
    const real = createMemoryLedger();
    let isDown = true;
    const update: Ledger['update'] = async (...given) => {
      if (isDown) throw new Error('disk full');
      return real.update(...given);
    };
    const faults: unknown[] = [];
    const { guard, attempt } = newGuard({ onFault: (error) => faults.push(error) }, undefined, {
      ...real,
      update,
    });
    attempt('T', blocked, 3);
    await guard.ready;
    expect(guard.detectLoop('T').isLooping).toBe(true);
    expect(faults).not.toEqual([]);
    isDown = false;
    await guard.recordAttempt('T', 'done', [], [], 's');
    expect(await real.entries({ kind: 'event' })).toHaveLength(4);
  });

  test('the engine sees the patterns too: its signals are in the ledger', async () => {
    const { guard, attempt, ledger } = newGuard();
    attempt('T', blocked, 4);
    await guard.ready;
    const signals = await ledger.entries({ kind: 'signal' });
    expect(signals.map(({ data }) => `${data.detector} ${data.variant} ${data.count}`)).toEqual([
      'task-loop blocked_task_spin 3',
      'task-loop blocked_task_spin 4',
    ]);
    expect(await ledger.entries({ kind: 'plan' })).toEqual([]);
  });

  test('what guards inside the agents saw is in the reason', async () => {
    const ledger = createMemoryLedger();
    const { recordTo } = await import('../../packages/cli/src/index.ts');
    const inside = recordTo(ledger);
    const { guard } = newGuard({}, undefined, ledger);
    for (let i = 0; i < 3; i++) {
      for (let call = 0; call < 3; call++) {
        const made = { id: `${i}.${call}`, tool: 'Bash', args: { command: 'npm test' } };
        const base = {
          session: `inner-${i}`,
          parent: 'tasks',
          at: start + i * 60_000 + call * 5000,
        };
        await inside.observe({
          ...base,
          type: 'call-finished',
          call: made,
          exitCode: 1,
          result: 'FAIL a.test.ts > adds two numbers',
        });
      }
      await guard.recordAttempt('T', 'in_progress', [], [], `s${i}`);
    }
    expect(guard.detectLoop('T').reason).toMatch(
      /Each attempt was looping inside as well, the last one like this: `npm test`/,
    );
  });
});
