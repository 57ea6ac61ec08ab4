import { extractSignature, failingTests, failuresIn, plainOutput } from '@unrut/engine/fingerprint';
import { redact } from '@unrut/engine/redact/redact';
import { runShell } from '@unrut/ledger/processes/run-process';

/** A failed check, in figures. */
export interface FailedCheck {
  /** Redacted. */
  command: string;
  /** The end of its output; redacted. */
  tail: string;
  /** A short description of the failure. */
  signature: string;
  /** Number of checks left: this one and the ones after it, which were not run. */
  left: number;
  failures: number | null;
  passed: number | null;
  /** Names of the failing tests, if the output lists them. */
  names: string[];
}

const MAX_TAIL_LENGTH = 1500;
const MAX_NAMES = 50;
/** Time limit for a command that does not end by itself. */
const TEN_MINUTES = 600_000;
const PASSED = /(\d{1,7})\s+(?:tests?\s+|checks?\s+)?(?:passed|passing|ok)\b/gi;

/** Runs shell commands in order until one fails. Returns the failed one. */
export async function runChecks(
  commands: readonly string[],
  { cwd, signal, timeout = TEN_MINUTES }: { cwd: string; signal: AbortSignal; timeout?: number },
): Promise<FailedCheck | undefined> {
  for (const [i, command] of commands.entries()) {
    const { exitCode, output, by } = await runShell(command, { cwd, signal, timeout });
    if (exitCode === 0) continue;
    const text = redact(plainOutput(output)).trim();
    const passed = [...text.matchAll(PASSED)].at(-1)?.[1];
    return {
      command: redact(command),
      tail: text.slice(-MAX_TAIL_LENGTH) + (by === 'timeout' ? '\n(it did not end in time)' : ''),
      signature: extractSignature(text) || (exitCode === null ? 'killed' : `exit code ${exitCode}`),
      left: commands.length - i,
      failures: failuresIn(text),
      passed: passed === undefined ? null : Number(passed),
      names: failingTests(text.split('\n')).names.slice(0, MAX_NAMES),
    };
  }
  return undefined;
}
