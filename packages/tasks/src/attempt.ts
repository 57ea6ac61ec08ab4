import { maskTimes } from '@unrut/engine/fingerprint';
import { redact } from '@unrut/engine/redact/redact';
import type { TaskStep } from '@unrut/engine/task-parts';

/** How far a task has come. */
export const TASK_STATUSES = [
  'pending',
  'in_progress',
  'needs_review',
  'needs_improvement',
  'blocked',
  'done',
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** One attempt at a task, as it is kept: texts trimmed, sorted, redacted, each once. */
export interface Attempt {
  /** Counts the attempts of a run, over all tasks. */
  number: number;
  task: string;
  status: string;
  blockers: string[];
  work: string[];
  /** What it said and how its checks went, where the work itself is known: it makes no progress. */
  said?: string[];
  session: string;
  /** Epoch milliseconds. */
  at: number;
  /** It was cut off, and so says nothing about the task: it neither counts nor clears. */
  interrupted?: true;
  /** What a guard inside the agent's own session reported during it. */
  inner?: string[];
}

const MAX_ITEMS = 16;
const MAX_ITEM_LENGTH = 200;

/**
 * Trimmed, redacted, each once, in an order of its own: so lists are compared as sets. The given
 * list is left as it is; what is none is empty.
 */
export const asSet = (texts: readonly unknown[] | null | undefined): string[] =>
  [
    ...new Set(
      (Array.isArray(texts) ? texts : []).map((text) =>
        redact(String(text).trim()).slice(0, MAX_ITEM_LENGTH),
      ),
    ),
  ]
    .filter((text) => text !== '')
    .sort()
    .slice(0, MAX_ITEMS);

const masked = (texts: readonly string[]): string[] => [...new Set(texts.map(maskTimes))].sort();

/** An attempt as it is compared: times, ports, ids and durations make no difference. */
export const asStep = ({ task, status, blockers, work }: Attempt): TaskStep => ({
  task,
  status,
  blockers: masked(blockers),
  work: masked(work),
});
