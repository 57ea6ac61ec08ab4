import { runShell } from '../processes/run-shell.ts';
import { redact } from '../redact/redact.ts';

/** What the first failing check printed, or nothing when all passed. */
export interface FailedCheck {
  command: string;
  /** Redacted. */
  tail: string;
}

const MAX_TAIL_LENGTH = 1500;

/** Runs commands by the shell, one after the other, until one does not end with 0. */
export async function runChecks(
  commands: readonly string[],
  { cwd, signal, timeout }: { cwd: string; signal: AbortSignal; timeout?: number },
): Promise<FailedCheck | undefined> {
  for (const command of commands) {
    const end = await runShell(command, { cwd, signal, ...(timeout === undefined ? {} : { timeout }) });
    if (end.exitCode !== 0) {
      const why = end.by === 'timeout' ? '\n(it did not end in time)' : '';
      return { command: redact(command), tail: redact(end.output).trim().slice(-MAX_TAIL_LENGTH) + why };
    }
  }
  return undefined;
}
