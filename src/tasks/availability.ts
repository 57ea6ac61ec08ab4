import { isAvailable, unavailableCheck } from './judge-attempt.ts';
import type { Roadmap } from './roadmap.ts';
import { restand, standingOf } from './standing.ts';
import type { TaskStore } from './task-store.ts';

/**
 * Tasks that are blocked by nothing but checks that cannot be made go back to pending. Those checks are deferred while they stay
 * unavailable; all others remain required.
 */
export async function freeUnavailable(
  { tasks, checks }: Roadmap,
  store: TaskStore,
  { cwd, signal, log }: { cwd: string; signal: AbortSignal; log: (line: string) => void },
): Promise<void> {
  for (const task of tasks) {
    // What its author calls blocked waits for something else.
    if (task.status === 'blocked') continue;
    const { status, setAside } = standingOf(store.state, task);
    const blockers = store.state.tasks[task.id]?.attempts.at(-1)?.blockers ?? [];
    const names = blockers.map((blocker) => unavailableCheck(blocker) ?? '');
    if (status !== 'blocked' || setAside || names.length === 0 || !names.every((name) => Object.hasOwn(checks, name))) continue;
    const available = await Promise.all(names.map((name) => isAvailable(checks[name]!, cwd, signal)));
    const missing = names.filter((_, i) => !available[i]);
    for (const name of missing) log(`Check ${name} is unavailable: deferred for task ${task.id}`);
    await store.change((state) => {
      const deferred = [...new Set([...standingOf(state, task).deferred, ...missing])];
      restand(state, task, {
        status: 'pending',
        deferred,
        reason: missing.length > 0 ? `deferred: ${missing.join(', ')}` : 'its checks are back',
      });
    });
  }
}
