import type { TaskRecovery } from './task-recovery.ts';

/** Leaves the task, and takes the next. What is done stays done; what is not is set aside for a review, and never called done. */
export const forceNext: TaskRecovery = {
  name: 'force_next',
  topic: 'loop_recovery_directive',

  content({ result: { taskId, attemptCount, reason }, isDone }) {
    const what = isDone
      ? `Task ${taskId} completed after ${attemptCount} attempts.`
      : `Task ${taskId} is set aside for a review, unfinished, after ${attemptCount} attempts. ${reason}`;
    return `LOOP DETECTED: ${what}\nDO NOT revisit this task. SELECT NEXT TASK from the roadmap.`;
  },

  status({ result: { reason }, isDone, markDone }) {
    if (isDone) return undefined;
    return { status: markDone ? 'done' : 'needs_review', reason };
  },

  remember(record) {
    record.forced = true;
  },
};
