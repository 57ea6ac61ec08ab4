import { createTaskGuard, type TaskGuardOptions } from '@unrut/tasks';
import { expect, test } from 'vitest';
import { createMemoryLedger } from '../../packages/cli/src/index.ts';

type Attempts = [task: string, status: string, blockers: string[], times: number];

/**
 * Makes the attempts, applies what is recommended after each lot, and gives the entries of a topic.
 */
async function entriesOf(topic: string, lots: Attempts[], options: TaskGuardOptions = {}) {
  const ledger = createMemoryLedger();
  const guard = createTaskGuard({ ledger }, options);
  for (const [task, status, blockers, times] of lots) {
    for (let i = 0; i < times; i++) guard.recordAttempt(task, status, blockers, [], `session_${i}`);
    await guard.applyRecovery(guard.detectLoop(task));
  }
  return ledger.context({ topics: [topic] });
}

test('Recovery 1, force next: the directive says what happened and not to come back', async () => {
  const [entry] = await entriesOf('loop_recovery_directive', [['T3.4.2', 'done', [], 4]]);
  expect(entry?.content).toBe(
    'LOOP DETECTED: Task T3.4.2 completed after 4 attempts.\nDO NOT revisit this task. SELECT NEXT TASK from the roadmap.',
  );
});

test('Recovery 1, force next: an unfinished task is said to be unfinished', async () => {
  const [entry] = await entriesOf('loop_recovery_directive', [['T7.1.2', 'in_progress', [], 5]]);
  expect(entry?.content).toMatch(
    /^LOOP DETECTED: Task T7\.1\.2 is set aside for a review, unfinished, after 5 attempts\./,
  );
});

test('Recovery 1, force next: a task that is reported as done, but has another status, is not called both', async () => {
  const ledger = createMemoryLedger();
  const tasks = { get: () => ({ status: 'in_progress' }), setStatus: () => {} };
  const guard = createTaskGuard({ ledger, tasks });
  for (let i = 0; i < 4; i++) await guard.recordAttempt('T3.4.2', 'done', [], [], `session_${i}`);
  await guard.applyRecovery(guard.detectLoop('T3.4.2'));
  const [entry] = await ledger.context({ topics: ['loop_recovery_directive'] });
  expect(entry?.content).toBe(
    'LOOP DETECTED: Task T3.4.2 is set aside for a review after 4 attempts: it was reported as done, but its status is another.\nDO NOT revisit this task. SELECT NEXT TASK from the roadmap.',
  );
});

test('Recovery 1, force next: no attempt is cleared; `clear` is for the user', async () => {
  const ledger = createMemoryLedger();
  const guard = createTaskGuard({ ledger });
  const attempt = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++)
      await guard.recordAttempt('T3.4.2', 'done', [], [], `session_${i}`);
  };
  await attempt(4);
  await guard.applyRecovery(guard.detectLoop('T3.4.2'));
  expect(guard.getStatus()['T3.4.2']).toMatchObject({ attemptCount: 4 });
  const [entry] = await ledger.context({ topics: ['loop_recovery'] });
  expect(entry?.metadata.evidence).toHaveLength(4);
  expect(
    (await ledger.entries({ kind: 'event' })).filter(
      ({ data }) => data.task === 'T3.4.2' && data.status === 'done',
    ),
  ).toHaveLength(4);
  guard.clear('T3.4.2');
  expect(guard.detectLoop('T3.4.2')).toMatchObject({ isLooping: false });
});

test('Recovery 2, unblock authority: names the task, the blockers and the five permissions', async () => {
  const [entry] = await entriesOf('unblock_authority', [
    ['T7.1.2', 'blocked', ['critic:leakage unavailable'], 3],
  ]);
  expect(entry?.content).toContain(
    'UNBLOCK AUTHORITY GRANTED: Task T7.1.2 blocked by [critic:leakage unavailable] after 3 attempts.',
  );
  const permissions = entry?.content.match(/^\d\. .*/gm) ?? [];
  expect(permissions).toHaveLength(5);
  for (const [i, word] of ['work around', 'design', 'skip', 'stub', 'technical debt'].entries())
    expect(permissions[i]!.toLowerCase()).toContain(word);
  expect(entry?.content).not.toContain('by any means');
});

test('Recovery 3, escalate: comes after six attempts when authority has not helped', async () => {
  const lot: Attempts = ['T6.2.3', 'blocked', ['critic:leakage unavailable'], 3];
  const [entry, ...more] = await entriesOf('loop_escalation', [lot, lot]);
  expect(entry?.content).toMatch(
    /^ESCALATION: Loop detected on task T6\.2\.3 after 6 attempts\.\nHuman intervention required\.\nReason: No progress despite unblock authority\./,
  );
  expect(more).toEqual([]);
});

test('Recovery 3, escalate: comes at once where authority may not be granted', async () => {
  const entries = await entriesOf('loop_escalation', [['T6.2.3', 'blocked', ['no key'], 3]], {
    enableAutoUnblock: false,
  });
  expect(entries).toHaveLength(1);
});

test('every recovery leaves an entry of topic loop_recovery', async () => {
  const lots: Attempts[] = [
    ['A', 'done', [], 3],
    ['B', 'blocked', ['x'], 3],
    ['B', 'blocked', ['x'], 3],
  ];
  const entries = await entriesOf('loop_recovery', lots);
  expect(entries.map(({ metadata }) => metadata.recommendation)).toEqual([
    'force_next',
    'unblock_authority',
    'escalate',
  ]);
});
