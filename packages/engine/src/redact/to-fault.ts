import type { Fault } from '../signal.ts';
import { redact } from './redact.ts';

const MAX_LENGTH = 300;

/** Describes a fault in one short, redacted text, because an error may quote what caused it. */
export const toFault = (where: string, error: unknown): Fault => ({
  where,
  message: redact((error instanceof Error ? error.message : String(error)).slice(0, MAX_LENGTH)),
});
