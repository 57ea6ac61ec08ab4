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
    const { id, attempts, reason, isDone } = taskIn(signal);
    const what = isDone
      ? `Task ${id} completed after ${attempts} attempts.`
      : `Task ${id} is set aside for a review, unfinished, after ${attempts} attempts. ${reason}`;
    return `LOOP DETECTED: ${what}\nDO NOT revisit this task. SELECT NEXT TASK from the roadmap.`;
  },
  toHuman: ({ signal }) =>
    `Task ${taskIn(signal).id} was left, and the next one taken: ${signal.text}.`,
});
