import type { Idle } from '../event.ts';
import { hash64 } from '../hash.ts';
import { redact } from '../redact/redact.ts';

/** What is known of a tick that found nothing to do. */
export interface IdlePrint {
  /** Identity of the reason. */
  key: string;
  /** The reason, for people. Redacted. */
  label: string;
  /** There is no task at all, so that waiting alone changes nothing. */
  isEmpty: boolean;
}

const MAX_LABEL_LENGTH = 120;
const EMPTY =
  /\b(?:no|without(?: any)?|empty|zero|0)\b[^.]{0,20}\b(?:tasks?|roadmap|backlog|queue|work items?)\b|\b(?:roadmap|backlog|queue)\b[^.]{0,20}\b(?:empty|no tasks)\b/i;

/** Reads why there was nothing to do. */
export const readIdle = ({ reason }: Idle, seed: number): IdlePrint => {
  const label = redact(reason.trim()).slice(0, MAX_LABEL_LENGTH);
  return { key: `idle:${hash64(label, seed)}`, label, isEmpty: EMPTY.test(label) };
};
