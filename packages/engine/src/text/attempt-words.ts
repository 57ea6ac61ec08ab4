import type { TaskAttempted } from '../event.ts';

/** An attempt at a task and its result, in the words of a run's screen. */
export function attemptWords({
  task,
  status,
  blockers,
  work,
  said = [],
  attemptSession,
}: Omit<TaskAttempted, 'type' | 'session' | 'at'> & { said?: readonly string[] }): {
  what: string;
  brought: string;
} {
  const number = attemptSession.startsWith(`${task}#`)
    ? ` · attempt ${attemptSession.slice(task.length + 1)}`
    : '';
  const came =
    blockers.length > 0
      ? `blocked by ${blockers.join('; ')}`
      : [...work, ...said].join('; ') || 'no work reported';
  return { what: `task ${task}${number}`, brought: `${status}: ${came}` };
}
