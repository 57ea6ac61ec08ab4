import { createTaskGuard } from '@unrut/tasks';
import { describe, expect, test } from 'vitest';
import { createGuard, createMemoryLedger } from '../../packages/cli/src/index.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const start = 1_760_825_000_000;

type Attempt = [status: string, blockers: string[], work: string[]];
const noProgress: Attempt = ['in_progress', [], ['Read file A']];
const blocked: Attempt = ['blocked', ['critic:leakage unavailable'], []];
const again: Attempt = ['done', [], ['Implemented dashboard.tsx']];

/**
 * The tick of docs/tasks.md, until the task is set aside or was attempted forty times. Returns what
 * was recommended before each tick.
 */
async function play(
  millisecondsOf: (attempt: number) => number,
  attemptOf: (attempt: number) => Attempt,
) {
  const clock = { now: start };
  const guard = createTaskGuard({ ledger: createMemoryLedger() }, { now: () => clock.now });
  const recovered: string[] = [];
  let attempts = 0;
  while (!guard.isSetAside('T') && attempts < 40) {
    const loop = guard.detectLoop('T');
    if (loop.isLooping && loop.recommendation !== 'continue') {
      await guard.applyRecovery(loop);
      recovered.push(`${loop.recommendation} after ${loop.attemptCount}`);
      continue;
    }
    clock.now += millisecondsOf(++attempts);
    void guard.recordAttempt('T', ...attemptOf(attempts), `s${attempts}`);
  }
  return { attempts, recovered };
}

describe('a task without progress ends however long an attempt takes', () => {
  const lengths = [SECOND, MINUTE, 16 * MINUTE, 35 * MINUTE, HOUR, 6 * HOUR];

  test.each(lengths)('no progress, %d ms for each attempt', async (length) => {
    expect(
      await play(
        () => length,
        () => noProgress,
      ),
    ).toEqual({
      attempts: 5,
      recovered: ['force_next after 5'],
    });
  });

  test.each(lengths)('the same blockers, %d ms for each attempt', async (length) => {
    const { attempts, recovered } = await play(
      () => length,
      () => blocked,
    );
    expect(attempts).toBeLessThanOrEqual(10);
    expect(recovered).toEqual([
      `unblock_authority after ${attempts / 2}`,
      `escalate after ${attempts}`,
    ]);
  });

  test.each(lengths)('a task that is done, %d ms for each attempt', async (length) => {
    const { attempts, recovered } = await play(
      () => length,
      () => again,
    );
    expect(attempts).toBeLessThanOrEqual(5);
    expect(recovered).toEqual([`force_next after ${attempts}`]);
  });

  test('short and long attempts in turn', async () => {
    const { attempts, recovered } = await play(
      (n) => (n % 2 ? MINUTE : 5 * HOUR),
      () => noProgress,
    );
    expect(attempts).toBe(5);
    expect(recovered).toEqual(['force_next after 5']);
  });

  test('two slow tasks that take turns are a cycle', async () => {
    const clock = { now: start };
    const guard = createTaskGuard({ ledger: createMemoryLedger() }, { now: () => clock.now });
    for (let lap = 0; lap < 3; lap++)
      for (const task of ['A', 'B']) {
        clock.now += HOUR;
        void guard.recordAttempt(task, 'in_progress', [], [], `s${lap}`);
      }
    expect(guard.detectLoop('A')).toMatchObject({ loopType: 'task_cycle' });
  });
});

describe('slow work that gets on, or begins again after a pause, is no loop', () => {
  test.each([MINUTE, 35 * MINUTE, 6 * HOUR])(
    'new work in each attempt, %d ms for each',
    async (length) => {
      const grow = (n: number): Attempt => ['in_progress', [], [`Wrote part ${'x'.repeat(n)}`]];
      expect(await play(() => length, grow)).toEqual({ attempts: 40, recovered: [] });
    },
  );

  test('four slow attempts alike are a try, and three retries', async () => {
    const { recovered } = await play(
      () => 35 * MINUTE,
      (n) => (n % 4 === 0 ? ['in_progress', [], [`Wrote ${'x'.repeat(n)}`]] : noProgress),
    );
    expect(recovered).toEqual([]);
  });

  test('a task that is done once a day is not forced on', async () => {
    expect(
      await play(
        () => 24 * HOUR,
        () => again,
      ),
    ).toEqual({ attempts: 40, recovered: [] });
  });
});

describe('task-attempted events from any language', () => {
  const signalsOf = (length: number, attemptOf: (n: number) => Attempt, times = 8) => {
    const guard = createGuard();
    const seen: number[] = [];
    for (let n = 1; n <= times; n++) {
      const [status, blockers, work] = attemptOf(n);
      const { signals } = guard.observe({
        type: 'task-attempted',
        session: 'nightly',
        at: start + n * length,
        task: 'T',
        status,
        blockers,
        work,
        attemptSession: `s${n}`,
      });
      if (signals.some(({ detector }) => detector === 'task-loop')) seen.push(n);
    }
    return seen;
  };

  test.each([
    [SECOND, 3],
    [16 * MINUTE, 3],
    [35 * MINUTE, 5],
    [6 * HOUR, 5],
  ])('attempts of %d ms without progress are a loop from the %dth on', (length, from) => {
    const expected = Array.from({ length: 9 - from }, (_, i) => from + i);
    for (const attempt of [noProgress, blocked, again])
      expect(signalsOf(length, () => attempt)).toEqual(expected);
  });

  test('attempts of six hours with new work, and one a day, are no loop', () => {
    const grow = (n: number): Attempt => ['in_progress', [], [`Wrote part ${'x'.repeat(n)}`]];
    expect(signalsOf(6 * HOUR, grow)).toEqual([]);
    expect(signalsOf(24 * HOUR, () => again)).toEqual([]);
  });
});
