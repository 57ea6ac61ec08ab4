import type { TaskAttempted } from '../event.ts';
import { hash32, hash64 } from '../hash.ts';
import { redact } from '../redact/redact.ts';
import { maskTimes } from './gist.ts';

/** What is known about one attempt at a task. */
export interface TaskPrint {
  /** Identifies the task. */
  key: string;
  /** Its id, for people. Redacted. */
  label: string;
  status: string;
  /** A single hash of all blockers, or none. Order and duplicates do not matter. */
  blockers: number[];
  /** Hashes of the work items, without duplicates. Order does not matter. */
  work: number[];
}

const MAX_WORK = 8;
const MAX_LABEL_LENGTH = 80;
const MAX_STATUS_LENGTH = 20;

/** Reads an attempt at a task: the task, and what came of it. */
export const readTaskAttempt = (
  { task, status, blockers, work }: TaskAttempted,
  seed: number,
): TaskPrint => ({
  key: hash64(`task ${task}`, seed),
  label: redact(task).slice(0, MAX_LABEL_LENGTH),
  status: redact(status).slice(0, MAX_STATUS_LENGTH),
  blockers: hashes(blockers, seed, 1),
  work: hashes(work, seed, MAX_WORK),
});

/** If the list is too long, the last number is a hash of the whole list. */
function hashes(texts: readonly string[], seed: number, most: number): number[] {
  const items = [...new Set(texts.map(maskTimes))].filter((text) => text !== '').sort();
  const numbers = items.map((item) => hash32(item, seed));
  return numbers.length <= most
    ? numbers
    : [...numbers.slice(0, most - 1), hash32(items.join('\n'), seed)];
}
