import { maskTimes } from '@unrut/engine/fingerprint';
import { redact } from '@unrut/engine/redact/redact';
import type { TaskStep } from '@unrut/engine/task-parts';

/** The states of a task. */
export const TASK_STATUSES = [
  'pending',
  'in_progress',
  'needs_review',
  'needs_improvement',
  'blocked',
  'done',
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** One attempt at a task, as stored: texts trimmed, sorted, redacted and without duplicates. */
export interface Attempt {
  /** Number of the attempt in the run, over all tasks. */
  number: number;
  task: string;
  status: string;
  blockers: string[];
  work: string[];
  /**
   * The agent's words and the results of its checks. Only set if the work itself is known; these
   * words do not count as progress.
   */
  said?: string[];
  session: string;
  /** Epoch milliseconds. */
  at: number;
  /** The attempt was interrupted. It neither counts towards a loop nor ends one. */
  interrupted?: true;
  /** Reports of the guard inside the agent's own session during this attempt. */
  inner?: string[];
}

const MAX_ITEMS = 16;
const MAX_ITEM_LENGTH = 200;

/**
 * Trims, redacts, deduplicates and sorts texts, so that lists compare as sets. Does not change its
 * argument; returns an empty list if the argument is not a list.
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

/** An attempt in the form used for comparison: times, ports, ids and durations are masked. */
export const asStep = ({ task, status, blockers, work }: Attempt): TaskStep => ({
  task,
  status,
  blockers: masked(blockers),
  work: masked(work),
});
