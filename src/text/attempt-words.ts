import type { TaskAttempted } from '../event.ts';

/** An attempt at a task and what it came to, in the words of a run's screen. */
export function attemptWords({ task, status, blockers, work, attemptSession }: Omit<TaskAttempted, 'type' | 'session' | 'at'>): {
  what: string;
  brought: string;
} {
  const number = attemptSession.startsWith(`${task}#`) ? ` · attempt ${attemptSession.slice(task.length + 1)}` : '';
  const came = blockers.length > 0 ? `blocked by ${blockers.join('; ')}` : work.join('; ') || 'no work reported';
  return { what: `task ${task}${number}`, brought: `${status}: ${came}` };
}
