import { asOneText } from '../detect-task-loop.ts';
import type { TaskRecovery } from './task-recovery.ts';

/** Asks a person. The task waits, blocked; one that is done stays done. */
export const escalate: TaskRecovery = {
  name: 'escalate',
  topic: 'loop_escalation',

  content({ result: { taskId, attemptCount, reason, blockers = [] }, record }) {
    const tried = record.granted.includes(asOneText(blockers))
      ? 'No progress despite unblock authority. '
      : record.forced
        ? 'It came back after the next task was forced. '
        : '';
    return `ESCALATION: Loop detected on task ${taskId} after ${attemptCount} attempts.\nHuman intervention required.\nReason: ${tried}${reason}`;
  },

  status: ({ result: { reason }, isDone }) => (isDone ? undefined : { status: 'blocked', reason }),

  remember(record) {
    record.escalated = true;
  },
};
