import { expect, test } from 'vitest';
import { createMemoryLedger } from '../../src/index.ts';
import { createTaskGuard } from '../../src/tasks/index.ts';

const newGuard = () => createTaskGuard({ ledger: createMemoryLedger() }, { maxAttempts: 3, enableAutoUnblock: true });

test('Test 1: completed task revisit', () => {
  const loopDetector = newGuard();
  for (let i = 0; i < 4; i++) loopDetector.recordAttempt('T3.4.2', 'done', [], ['Implemented dashboard.tsx'], `session_${i}`);

  const result = loopDetector.detectLoop('T3.4.2');
  expect(result.isLooping).toBe(true);
  expect(result.loopType).toBe('completed_task_revisit');
  expect(result.attemptCount).toBe(4);
  expect(result.recommendation).toBe('force_next');
});

test('Test 2: blocked task spin', () => {
  const loopDetector = newGuard();
  const blockers = ['critic:design_system unavailable'];
  for (let i = 0; i < 3; i++) loopDetector.recordAttempt('T3.4.3', 'blocked', blockers, [], `session_${i}`);

  const result = loopDetector.detectLoop('T3.4.3');
  expect(result.isLooping).toBe(true);
  expect(result.loopType).toBe('blocked_task_spin');
  expect(result.recommendation).toBe('unblock_authority');
});

test('Test 3: no progress repeat', () => {
  const loopDetector = newGuard();
  const work = ['Read file A', 'Parse config'];
  for (let i = 0; i < 5; i++) loopDetector.recordAttempt('T7.1.2', 'in_progress', [], work, `session_${i}`);

  const result = loopDetector.detectLoop('T7.1.2');
  expect(result.isLooping).toBe(true);
  expect(result.loopType).toBe('no_progress_repeat');
  expect(result.recommendation).toBe('force_next');
});

test('Pattern 2 names both blockers, whatever their order', () => {
  const loopDetector = newGuard();
  const blockers = ['critic:design_system unavailable', 'missing auth token'];
  for (let i = 0; i < 3; i++) loopDetector.recordAttempt('T3.4.3', 'blocked', i % 2 ? blockers : blockers.toReversed(), [], `session_${i}`);
  expect(loopDetector.detectLoop('T3.4.3')).toMatchObject({ blockers, attemptCount: 3, recommendation: 'unblock_authority' });
});

test('No progress is noted at the third attempt and forced on at the fifth', () => {
  const loopDetector = newGuard();
  const seen = [1, 2, 3, 4, 5].map((i) => {
    loopDetector.recordAttempt('T7.1.2', 'in_progress', [], [], `session_${i}`);
    const { isLooping, recommendation } = loopDetector.detectLoop('T7.1.2');
    return `${isLooping} ${recommendation}`;
  });
  expect(seen).toEqual(['false continue', 'false continue', 'true continue', 'true continue', 'true force_next']);
});
