import type { TaskAttempted } from '../event.ts';
import { hash32, hash64 } from '../hash.ts';
import { redact } from '../redact/redact.ts';
import { isRisky, needsPerson } from '../text/needs-person.ts';
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
  /** The blockers in words, shortened and redacted. */
  named: string[];
  /** All that blocks it is what only a person can provide. */
  waits: boolean;
  /** It deploys, deletes or pays, and nobody allowed the agent to decide about its blockers. */
  risky: boolean;
}

const MAX_WORK = 8;
const MAX_LABEL_LENGTH = 80;
const MAX_STATUS_LENGTH = 20;
const MAX_NAMED = 3;
const MAX_BLOCKER_LENGTH = 60;
/** Of a blocker or a title, what is read to judge it. */
const MAX_JUDGED_LENGTH = 500;

/** Reads an attempt at a task: the task, and its outcome. */
export const readTaskAttempt = (
  { task, title, unblock, status, blockers, work }: TaskAttempted,
  seed: number,
): TaskPrint => ({
  key: hash64(`task ${task}`, seed),
  label: redact(task).slice(0, MAX_LABEL_LENGTH),
  status: redact(status).slice(0, MAX_STATUS_LENGTH),
  blockers: hashes(blockers, seed, 1),
  work: hashes(work, seed, MAX_WORK),
  named: namedIn(blockers),
  waits: status === 'blocked' && blockers.length > 0 && blockers.every(waits),
  risky: unblock !== true && isRisky([task, title].map(beginning)),
});

const beginning = (text: unknown): string | undefined =>
  typeof text === 'string' ? text.slice(0, MAX_JUDGED_LENGTH) : undefined;
const waits = (blocker: string): boolean => needsPerson(blocker.slice(0, MAX_JUDGED_LENGTH));

/** The first blockers in words, and how many more there are. */
function namedIn(blockers: readonly string[]): string[] {
  const texts = [...new Set(blockers.map((text) => text.trim()))].filter((text) => text !== '');
  const more = texts.length - MAX_NAMED;
  return [
    ...texts.slice(0, MAX_NAMED).map((text) => shortened(redact(text))),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

const shortened = (text: string): string =>
  text.length > MAX_BLOCKER_LENGTH ? `${text.slice(0, MAX_BLOCKER_LENGTH - 1)}…` : text;

/** If the list is too long, the last number is a hash of the whole list. */
function hashes(texts: readonly string[], seed: number, most: number): number[] {
  const items = [...new Set(texts.map(maskTimes))].filter((text) => text !== '').sort();
  const numbers = items.map((item) => hash32(item, seed));
  return numbers.length <= most
    ? numbers
    : [...numbers.slice(0, most - 1), hash32(items.join('\n'), seed)];
}
