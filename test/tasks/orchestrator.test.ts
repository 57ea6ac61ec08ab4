import { expect, test, vi } from 'vitest';

// The example imports the package by its name; `npm run package` runs it against the packed one.
vi.mock('unrut', () => import('../../packages/cli/src/index.ts'));
vi.mock('unrut/tasks', () => import('@unrut/tasks'));

interface Ran {
  ticks: number;
  story: string[];
  escalations: string[];
  statuses: Record<string, string>;
}

type Agent = (task: unknown, prompt: string, attempt: number) => { status: string; work: string[] };

// Its types are checked there too: here the package has none.
const example = '../../examples/orchestrator.ts';
const { CASES, orchestrate } = (await import(example)) as {
  CASES: Record<string, () => Promise<Ran>>;
  orchestrate: (ids: string[], agent: Agent) => Promise<Ran>;
};

test.each<[string, string[], Record<string, string>, number]>([
  [
    'a task that is done is handed out again',
    [...Array(3).fill('T3.4.2: done'), 'T3.4.2: completed_task_revisit → force_next'],
    { 'T3.4.2': 'done' },
    0,
  ],
  [
    'the same blockers',
    [
      ...Array(3).fill('T3.4.3: blocked'),
      'T3.4.3: blocked_task_spin → unblock_authority',
      ...Array(3).fill('T3.4.3: blocked'),
      'T3.4.3: blocked_task_spin → escalate',
    ],
    { 'T3.4.3': 'blocked' },
    1,
  ],
  [
    'no progress',
    [
      'T7.1.2: in_progress',
      'next: done',
      ...Array(4).fill('T7.1.2: in_progress'),
      'T7.1.2: no_progress_repeat → force_next',
    ],
    { 'T7.1.2': 'needs_review', next: 'done' },
    0,
  ],
  [
    'authority that helps',
    [...Array(3).fill('T9: blocked'), 'T9: blocked_task_spin → unblock_authority', 'T9: done'],
    { T9: 'done' },
    0,
  ],
])('the example orchestrator ends by itself: %s', async (name, story, statuses, escalations) => {
  const ran = await CASES[name]!();
  expect(ran.story).toEqual(story);
  expect(ran.statuses).toEqual(statuses);
  expect(ran.escalations).toHaveLength(escalations);
});

test('the example orchestrator ends by itself: tasks in turn are named as a cycle, and each is left once', async () => {
  const { story, ticks } = await CASES['tasks in turn']!();
  expect(story.filter((line) => line.includes('→'))[0]).toBe('a: task_cycle → force_next');
  expect(story.filter((line) => line.includes('→')).length).toBe(3);
  expect(ticks).toBeLessThan(40);
});

test('agents that get on finish in it: the twin', async () => {
  const { statuses, story } = await orchestrate(['a', 'b'], (_, __, attempt) => ({
    status: attempt > 4 ? 'done' : 'in_progress',
    work: [`part ${attempt}`],
  }));
  expect(statuses).toEqual({ a: 'done', b: 'done' });
  expect(story.some((line) => line.includes('→'))).toBe(false);
});

test('a board that hands out everything gets the escalation each time, and a person is notified once', async () => {
  const { createMemoryLedger } = await import('../../packages/cli/src/index.ts');
  const { createTaskGuard } = await import('@unrut/tasks');
  const told: string[] = [];
  const guard = createTaskGuard(
    { ledger: createMemoryLedger() },
    { onEscalation: ({ taskId }) => void told.push(taskId) },
  );
  let ran = 0;
  const answers: string[] = [];
  for (let i = 0; i < 40; i++) {
    const loop = guard.detectLoop('T');
    if (loop.isLooping && loop.recommendation !== 'continue') {
      answers.push((await guard.applyRecovery(loop)).recommendation);
      continue;
    }
    ran++;
    await guard.recordAttempt('T', 'blocked', ['critic:design_system unavailable'], [], `s${i}`);
  }
  expect({ ran, told, last: answers.at(-1), first: answers[0] }).toEqual({
    ran: 6,
    told: ['T'],
    last: 'escalate',
    first: 'unblock_authority',
  });
  expect(guard.isSetAside('T')).toBe(true);
  // Something changed: it may be tried again.
  await guard.recordAttempt('T', 'in_progress', [], ['Wrote a stub'], 's');
  expect(guard.isSetAside('T')).toBe(false);
  await guard.clear('T');
  expect(guard.detectLoop('T')).toMatchObject({ isLooping: false, attemptCount: 0 });
});
