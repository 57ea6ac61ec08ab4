import { defineRecovery } from '../recovery.ts';
import { taskIn } from '../wording.ts';

/** Lets the agent decide about these blockers of this task, once. */
export const unblockAuthority = defineRecovery({
  name: 'unblock-authority',
  rung: 'redirect',
  answers: ['task-loop/blocked_task_spin'],
  needs: [],
  safety: 'reversible',
  options: {},
  plan({ signal }) {
    const { id, blockers, isWaiting, isRisky } = taskIn(signal);
    return isWaiting || isRisky || blockers.length === 0 ? null : { task: id, blockers };
  },
  toModel({ signal }) {
    const { id, attempts, blockers, ways } = taskIn(signal);
    return [
      `UNBLOCK AUTHORITY GRANTED: Task ${id} blocked by [${blockers.join(', ')}] after ${attempts} attempts.`,
      '',
      'For this task and these blockers alone, you may decide yourself to:',
      '1. Remove or work around these blockers',
      '2. Make the changes to the design that this needs',
      '3. Skip an unavailable dependency for now',
      '4. Create stub implementations if needed',
      '5. Write each of these down as technical debt',
      '',
      'You may not: skip tests or security checks, touch credentials or production data, rewrite history.',
      ...(ways.length > 0 ? ['', 'Try first:', ...ways.map((way) => `- ${way}`)] : []),
      '',
      'Complete the task this way. If it cannot be done within these bounds, say exactly what is missing.',
    ].join('\n');
  },
  toHuman: ({ signal }) =>
    `The agent may work around what blocks task ${taskIn(signal).id}: ${signal.text}.`,
});
