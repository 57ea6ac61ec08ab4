import { defineRecovery } from '../recovery.ts';
import { taskIn } from '../wording.ts';

/** Asks a person about a task. Until then the task is blocked; a task that is done stays done. */
export const escalateTask = defineRecovery({
  name: 'escalate-task',
  rung: 'escalate',
  answers: ['task-loop'],
  needs: [],
  safety: 'advisory',
  options: {},
  plan: ({ signal, attended }) => ({ ask: attended, task: taskIn(signal).id }),
  toModel({ signal, tried }) {
    const { id, attempts, reason, isWaiting } = taskIn(signal);
    const last = tried.findLast(({ rung }) => rung === 'redirect')?.recovery;
    const before = !last
      ? ''
      : last === 'unblock-authority'
        ? 'No progress despite unblock authority. '
        : 'It came back after the next task was forced. ';
    const what = isWaiting ? `Task ${id} is blocked` : `Loop detected on task ${id}`;
    const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
    return `ESCALATION: ${what} after ${times}.\nHuman intervention required.\nReason: ${before}${reason}`;
  },
  toHuman: ({ signal }) => `A person is needed. ${taskIn(signal).reason}`,
});
