import type { TaskAttempted } from '../event.ts';
import { redact } from '../redact.ts';
import { hash32, hash64 } from './hash.ts';

/** What is known of one attempt at a task. */
export interface TaskPrint {
  /** Identity of the task. */
  key: string;
  /** Its id, for people. Redacted. */
  label: string;
  status: string;
  /** Hashes, sorted, each once: order and repetition make no difference. */
  blockers: number[];
  work: number[];
}

const MOST_ITEMS = 16;
const LONGEST_LABEL = 80;
const LONGEST_STATUS = 40;

/** Reads an attempt at a task: which one, and what it came to. */
export const readTask = ({ task, status, blockers, work }: TaskAttempted, seed: number): TaskPrint => ({
  key: `task:${hash64(task, seed)}`,
  label: redact(task).slice(0, LONGEST_LABEL),
  status: redact(status).slice(0, LONGEST_STATUS),
  blockers: hashes(blockers, seed),
  work: hashes(work, seed),
});

const hashes = (texts: readonly string[], seed: number): number[] =>
  [...new Set(texts.map((text) => text.trim()))]
    .filter((text) => text !== '')
    .map((text) => hash32(text, seed))
    .sort((a, b) => a - b)
    .slice(0, MOST_ITEMS);
