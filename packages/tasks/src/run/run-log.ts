import { appendFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { redact } from '@unrut/engine/redact/redact';
import { printable } from '@unrut/engine/text/printable';

/** Then it is put aside, in place of the one before. */
const MAX_LENGTH = 1_000_000;

/** Where runs are logged: beside the ledger. */
export const runLogPath = (ledger: string): string => join(dirname(ledger), 'run.log');

/**
 * Adds lines to the log of all runs, redacted, for the user's eyes only. A log that cannot be
 * written is done without.
 */
export function createRunLog(path: string, run: string): (line: string) => void {
  return (line) => {
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LENGTH)
        renameSync(path, `${path}.1`);
      appendFileSync(path, `${new Date().toISOString()} ${run} ${printable(redact(line))}\n`, {
        mode: 0o600,
      });
    } catch {
      // The run matters more.
    }
  };
}
