import type { Signal } from '../../signal.ts';
import { defineRecovery } from '../recovery.ts';
import { taskIn } from '../wording.ts';

/**
 * Leaves the task and takes the next one. A task that is done stays done; an unfinished one is set
 * aside for review and never marked as done.
 */
export const forceNext = defineRecovery({
  name: 'force-next',
  rung: 'redirect',
  answers: [
    'task-loop/completed_task_revisit',
    'task-loop/no_progress_repeat',
    'task-loop/task_cycle',
  ],
  needs: [],
  safety: 'reversible',
  options: {},
  plan: ({ signal }) => ({ leave: taskIn(signal).id }),
  toModel({ signal }) {
    const what = leftAs(signal);
    return `LOOP DETECTED: ${what}\nDO NOT revisit this task. SELECT NEXT TASK from the roadmap.`;
  },
  toHuman: ({ signal }) =>
    `Task ${taskIn(signal).id} was left, and the next one taken: ${signal.text}.`,
});

/** What becomes of the task. */
function leftAs(signal: Signal): string {
  const { id, attempts, reason, isDone } = taskIn(signal);
  if (isDone) return `Task ${id} completed after ${attempts} attempts.`;
  const review = `Task ${id} is set aside for a review`;
  // The attempts say that it is done; the orchestrator's own board does not.
  if (signal.variant === 'completed_task_revisit')
    return `${review} after ${attempts} attempts: it was reported as done, but its status is another.`;
  return `${review}, unfinished, after ${attempts} attempts. ${reason}`;
}
