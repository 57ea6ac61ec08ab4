import { appendFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { redact } from '@unrut/engine/redact/redact';
import { printable } from '@unrut/engine/text/printable';

/** At this size the log is rotated. One old file is kept. */
const MAX_LENGTH = 1_000_000;

/** The path of the runs' log, next to the ledger. */
export const runLogPath = (ledger: string): string => join(dirname(ledger), 'run.log');

/**
 * Appends redacted lines to the log of all runs, readable only by the user. A log that cannot be
 * written is ignored.
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
      // The run matters more than its log.
    }
  };
}
