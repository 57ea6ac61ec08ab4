import { push } from '../../recent.ts';
import { asOneText } from '../detect-task-loop.ts';
import type { TaskRecovery } from './task-recovery.ts';

const MAX_GRANTED = 16;

/** Lets the agent decide about these blockers of this task, once. */
export const unblockAuthority: TaskRecovery = {
  name: 'unblock_authority',
  topic: 'unblock_authority',

  content({ result: { taskId, attemptCount, blockers = [] }, ways }) {
    const first = ways.map(({ blocker, text }) => `- ${text} (${blocker})`);
    return [
      `UNBLOCK AUTHORITY GRANTED: Task ${taskId} blocked by [${blockers.join(', ')}] after ${attemptCount} attempts.`,
      '',
      'For this task and these blockers alone, you may decide yourself to:',
      '1. Remove or work around these blockers',
      '2. Make the changes to the design that this needs',
      '3. Skip an unavailable dependency for now',
      '4. Create stub implementations if needed',
      '5. Write each of these down as technical debt',
      '',
      'You may not: skip tests or security checks, touch credentials or production data, rewrite history.',
      ...(first.length > 0 ? ['', 'Try first:', ...first] : []),
      '',
      'Complete the task this way. If it cannot be done within these bounds, say exactly what is missing.',
    ].join('\n');
  },

  status: () => undefined,

  remember(record, { blockers = [] }) {
    push(record.granted, asOneText(blockers), MAX_GRANTED);
  },
};
