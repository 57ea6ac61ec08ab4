import { EventEmitter } from 'node:events';
import { createTaskGuard, type TaskGuard } from '@unrut/tasks';
import { expect, test } from 'vitest';
import { createMemoryLedger, type Ledger } from '../../packages/cli/src/index.ts';

interface Task {
  id: string;
  status: string;
  blockers?: string[];
}

/**
 * An orchestrator as the integration section shows it: it decides, checks for loops, runs, records.
 */
class OrchestratorLoop extends EventEmitter {
  readonly loopDetector: TaskGuard;
  readonly lines: string[] = [];
  readonly ran: string[] = [];
  tickCount = 0;
  readonly #tasks: Task[];
  readonly #skipsOnContinue: boolean;

  constructor(ledger: Ledger, tasks: Task[], { skipsOnContinue = false } = {}) {
    super();
    this.#tasks = tasks;
    this.#skipsOnContinue = skipsOnContinue;
    const get = (id: string) => this.#tasks.find((task) => task.id === id);
    const setStatus = (id: string, status: string): void =>
      void Object.assign(get(id)!, { status });
    this.loopDetector = createTaskGuard(
      { ledger, tasks: { get, setStatus } },
      { maxAttempts: 3, log: (line) => this.lines.push(line) },
    );
  }

  async tick(): Promise<{ success: boolean; details?: { loopRecoveryApplied?: boolean } }> {
    this.tickCount++;
    const task = this.#tasks.find(({ status }) => status !== 'needs_review');
    if (!task) return { success: false };
    const loopResult = this.loopDetector.detectLoop(task.id);
    if (
      loopResult.isLooping &&
      (this.#skipsOnContinue || loopResult.recommendation !== 'continue')
    ) {
      await this.loopDetector.applyRecovery(loopResult);
      return { success: true, details: { loopRecoveryApplied: true } };
    }
    this.ran.push(task.id);
    this.loopDetector.recordAttempt(
      task.id,
      task.status,
      task.blockers || [],
      [],
      `session_${this.tickCount}`,
    );
    return { success: true };
  }

  getStatus() {
    return {
      running: true,
      tickCount: this.tickCount,
      loopDetection: this.loopDetector.getStatus(),
    };
  }
}

test('the tick runs a task three times, then applies a recovery instead of running it', async () => {
  const loop = new OrchestratorLoop(createMemoryLedger(), [
    { id: 'T3.4.3', status: 'blocked', blockers: ['critic:leakage unavailable'] },
  ]);
  const applied = [];
  for (let i = 0; i < 8; i++) {
    const { success, details } = await loop.tick();
    expect(success).toBe(true);
    applied.push(details?.loopRecoveryApplied ?? false);
  }
  expect(applied).toEqual([false, false, false, true, false, false, false, true]);
  expect(loop.ran).toHaveLength(6);
});

test('the log has the three lines of the observability section', async () => {
  const loop = new OrchestratorLoop(createMemoryLedger(), [
    { id: 'T3.4.3', status: 'blocked', blockers: ['critic:leakage unavailable'] },
  ]);
  for (let i = 0; i < 4; i++) await loop.tick();
  expect(loop.lines).toEqual([
    'Loop detected: blocked_task_spin, taskId=T3.4.3, attemptCount=3, recommendation=unblock_authority',
    'Granting unblock authority for T3.4.3',
    'Loop recovery applied: unblock_authority',
  ]);
});

test('the status has the shape of the dashboard section', async () => {
  const loop = new OrchestratorLoop(createMemoryLedger(), [{ id: 'T3.4.2', status: 'pending' }]);
  await loop.tick();
  await loop.tick();
  const lastAttempt = expect.any(Number);
  expect(loop.getStatus()).toEqual({
    running: true,
    tickCount: 2,
    loopDetection: { 'T3.4.2': { attemptCount: 2, lastAttempt } },
  });
});

test('after loop detection the next task gets a fresh start', async () => {
  const loop = new OrchestratorLoop(createMemoryLedger(), [
    { id: 'T3.4.2', status: 'in_progress' },
    { id: 'T3.4.3', status: 'pending' },
  ]);
  for (let i = 0; i < 7; i++) await loop.tick();
  expect(loop.ran).toEqual([...Array(5).fill('T3.4.2'), 'T3.4.3']);
});

test('a tick that skips whatever loops, as the section literally says, still gets on to the next task', async () => {
  const tasks = [
    { id: 'A', status: 'in_progress' },
    { id: 'B', status: 'pending' },
  ];
  const loop = new OrchestratorLoop(createMemoryLedger(), tasks, { skipsOnContinue: true });
  for (let i = 0; i < 7; i++) await loop.tick();
  expect(loop.ran).toEqual(['A', 'A', 'A', 'B']);
});

test('the metric counts tasks with three attempts and more', async () => {
  const loop = new OrchestratorLoop(createMemoryLedger(), [{ id: 'A', status: 'pending' }]);
  for (let i = 0; i < 3; i++) await loop.tick();
  await loop.loopDetector.recordAttempt('B', 'pending', [], [], 's');
  const many = Object.values(loop.loopDetector.getStatus()).filter(
    ({ attemptCount }) => attemptCount >= 3,
  );
  expect(many).toHaveLength(1);
});
