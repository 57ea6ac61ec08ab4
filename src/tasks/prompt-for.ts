import { taskLoop } from '../detectors/task-loop/detector.ts';
import type { ContextEntry } from '../ledger/ledger.ts';
import type { LoopResult } from './detect-task-loop.ts';
import { reportFormat } from './read-report.ts';
import type { RoadmapTask } from './roadmap.ts';

/** Of the entries that a prompt includes. */
export const PROMPT_TOPICS: readonly string[] = ['loop_recovery_directive', 'unblock_authority', 'loop_escalation'];

const MOST_ENTRIES = 5;
const MOST_TRIED = 3;

export interface PromptParts {
  task: RoadmapTask;
  promise: string;
  /** What recoveries left, the oldest first. */
  context: readonly ContextEntry[];
  loop: LoopResult;
}

/** What an agent is told: the task, what recoveries have said, what was tried, and how to report. */
export function promptFor({ task, promise, context, loop }: PromptParts): string {
  // Authority is for its own task alone. That others are set aside concerns every task; that this one was, none, as somebody wants it tried.
  const told = context.filter(({ topic, relatedTasks }) => relatedTasks.includes(task.id) === (topic === 'unblock_authority'));
  const tried = loop.evidence.slice(-MOST_TRIED);
  const parts = [
    task.prompt.trim(),
    `This is task ${task.id}: ${task.title}. Work on it alone.`,
    ...told.slice(-MOST_ENTRIES).map(({ content }) => content),
    ...(tried.length > 0 ? [`What earlier attempts came to:\n${tried.map((line) => `- ${line}`).join('\n')}`] : []),
    ...(loop.isLooping ? [`Note: ${loop.reason} This time: ${taskLoop.moves.join('; or ')}.`] : []),
    reportFormat(promise),
  ];
  return parts.join('\n\n');
}
