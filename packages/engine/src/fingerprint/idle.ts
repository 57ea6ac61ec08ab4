import type { Idle } from '../event.ts';
import { hash64 } from '../hash.ts';
import { redact } from '../redact/redact.ts';

/** What is known about a tick that found nothing to do. */
export interface IdlePrint {
  /** Identifies the reason. */
  key: string;
  /** The reason, for people. Redacted. */
  label: string;
  /** There are no tasks at all, so waiting alone does not help. */
  isEmpty: boolean;
}

const MAX_LABEL_LENGTH = 120;
const EMPTY =
  /\b(?:no|without(?: any)?|empty|zero|0)\b[^.]{0,20}\b(?:tasks?|roadmap|backlog|queue|work items?)\b|\b(?:roadmap|backlog|queue)\b[^.]{0,20}\b(?:empty|no tasks)\b/i;

export const readIdle = ({ reason }: Idle, seed: number): IdlePrint => {
  const label = redact(reason.trim()).slice(0, MAX_LABEL_LENGTH);
  return { key: `idle:${hash64(label, seed)}`, label, isEmpty: EMPTY.test(label) };
};
