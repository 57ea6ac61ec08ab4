import type { TaskAttempted } from '../event.ts';
import { hash32, hash64 } from '../hash.ts';
import { redact } from '../redact/redact.ts';
import { maskTimes } from './gist.ts';

/** What is known of one attempt at a task. */
export interface TaskPrint {
  /** Identity of the task. */
  key: string;
  /** Its id, for people. Redacted. */
  label: string;
  status: string;
  /** One hash for all of them, or none: order and repetition make no difference. */
  blockers: number[];
  /** Hashes, each once, in an order of their own. */
  work: number[];
}

const MAX_WORK = 8;
const MAX_LABEL_LENGTH = 80;
const MAX_STATUS_LENGTH = 20;

/** Reads an attempt at a task: which one, and what it came to. */
export const readTaskAttempt = ({ task, status, blockers, work }: TaskAttempted, seed: number): TaskPrint => ({
  key: hash64(`task ${task}`, seed),
  label: redact(task).slice(0, MAX_LABEL_LENGTH),
  status: redact(status).slice(0, MAX_STATUS_LENGTH),
  blockers: hashes(blockers, seed, 1),
  work: hashes(work, seed, MAX_WORK),
});

/** Of a long list the last number stands for the whole. */
function hashes(texts: readonly string[], seed: number, most: number): number[] {
  const items = [...new Set(texts.map(maskTimes))].filter((text) => text !== '').sort();
  const numbers = items.map((item) => hash32(item, seed));
  return numbers.length <= most ? numbers : [...numbers.slice(0, most - 1), hash32(items.join('\n'), seed)];
}
