import type { Fault } from '../signal.ts';
import { redact } from './redact.ts';

const MAX_LENGTH = 300;

/** What went wrong, in one short text: an error may quote what it stumbled over. */
export const toFault = (where: string, error: unknown): Fault => ({
  where,
  message: redact((error instanceof Error ? error.message : String(error)).slice(0, MAX_LENGTH)),
});
