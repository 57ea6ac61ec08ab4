import { createTaskGuard } from '@unrut/tasks';
import { expect, test } from 'vitest';
import { createMemoryLedger } from '../../packages/cli/src/index.ts';
import { taskSettings } from '../../packages/tasks/src/task-options.ts';

const newGuard = () =>
  createTaskGuard({ ledger: createMemoryLedger() }, { maxAttempts: 3, enableAutoUnblock: true });

test('Test 1: completed task revisit', () => {
  const loopDetector = newGuard();
  for (let i = 0; i < 4; i++)
    loopDetector.recordAttempt('T3.4.2', 'done', [], ['Implemented dashboard.tsx'], `session_${i}`);

  const result = loopDetector.detectLoop('T3.4.2');
  expect(result.isLooping).toBe(true);
  expect(result.loopType).toBe('completed_task_revisit');
  expect(result.attemptCount).toBe(4);
  expect(result.recommendation).toBe('force_next');
});

test('Test 2: blocked task spin', () => {
  const loopDetector = newGuard();
  const blockers = ['critic:design_system unavailable'];
  for (let i = 0; i < 3; i++)
    loopDetector.recordAttempt('T3.4.3', 'blocked', blockers, [], `session_${i}`);

  const result = loopDetector.detectLoop('T3.4.3');
  expect(result.isLooping).toBe(true);
  expect(result.loopType).toBe('blocked_task_spin');
  expect(result.recommendation).toBe('unblock_authority');
});

test('Test 3: no progress repeat', () => {
  const loopDetector = newGuard();
  const work = ['Read file A', 'Parse config'];
  for (let i = 0; i < 5; i++)
    loopDetector.recordAttempt('T7.1.2', 'in_progress', [], work, `session_${i}`);

  const result = loopDetector.detectLoop('T7.1.2');
  expect(result.isLooping).toBe(true);
  expect(result.loopType).toBe('no_progress_repeat');
  expect(result.attemptCount).toBe(5);
  expect(result.recommendation).toBe('force_next');
});

test('Pattern 2 names both blockers, whatever their order', () => {
  const loopDetector = newGuard();
  const blockers = ['critic:design_system unavailable', 'missing auth token'];
  for (let i = 0; i < 3; i++)
    loopDetector.recordAttempt(
      'T3.4.3',
      'blocked',
      i % 2 ? blockers : blockers.toReversed(),
      [],
      `session_${i}`,
    );
  expect(loopDetector.detectLoop('T3.4.3')).toMatchObject({
    blockers,
    attemptCount: 3,
    recommendation: 'unblock_authority',
  });
});

test('No progress is noted at the third attempt and forced on at the fifth', () => {
  const loopDetector = newGuard();
  const seen = [1, 2, 3, 4, 5].map((i) => {
    loopDetector.recordAttempt('T7.1.2', 'in_progress', [], [], `session_${i}`);
    const { isLooping, recommendation } = loopDetector.detectLoop('T7.1.2');
    return `${isLooping} ${recommendation}`;
  });
  expect(seen).toEqual([
    'false continue',
    'false continue',
    'true continue',
    'true continue',
    'true force_next',
  ]);
});

test('Layer 1: an attempt is recorded with its task, time, status, blockers, work and session', async () => {
  const ledger = createMemoryLedger();
  const loopDetector = createTaskGuard({ ledger }, { now: () => 1_760_825_000_000 });
  await loopDetector.recordAttempt(
    'T3.4.2',
    'in_progress',
    ['missing auth token'],
    ['Read file A'],
    'session_1',
  );
  const [entry] = await ledger.entries({ kind: 'event' });
  expect(entry).toMatchObject({
    at: 1_760_825_000_000,
    data: {
      task: 'T3.4.2',
      status: 'in_progress',
      blockers: ['missing auth token'],
      work: ['Read file A'],
      attemptSession: 'session_1',
    },
  });
});

test('Configuration: the defaults are three attempts in an hour, auto-unblock, and the next task from five on', () => {
  expect(taskSettings()).toMatchObject({
    maxAttempts: 3,
    attemptWindow: 3_600_000,
    enableAutoUnblock: true,
    maxAttemptsBeforeForceNext: 5,
  });
});

test.each([
  ['conservative', { maxAttempts: 5, maxAttemptsBeforeForceNext: 8, enableAutoUnblock: false }],
  ['aggressive', { maxAttempts: 2, maxAttemptsBeforeForceNext: 3, enableAutoUnblock: true }],
  ['balanced', { maxAttempts: 3, maxAttemptsBeforeForceNext: 5, enableAutoUnblock: true }],
] as const)('Tuning: the preset %s', (preset, options) => {
  expect(taskSettings({ preset })).toMatchObject(options);
});

test('Benefits: the fourth attempt at a task that is done is not made, whatever each of the three before did', async () => {
  const loopDetector = newGuard();
  for (const work of [
    'Checking if task complete...',
    'Verifying implementation...',
    'Running final checks...',
  ])
    await loopDetector.recordAttempt('T3.4.2', 'done', [], [work], 'session');
  expect(loopDetector.detectLoop('T3.4.2')).toMatchObject({
    loopType: 'completed_task_revisit',
    recommendation: 'force_next',
  });
  expect(loopDetector.detectLoop('T3.4.3')).toMatchObject({ isLooping: false, attemptCount: 0 });
});
