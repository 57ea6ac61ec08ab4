import { extractSignature, failingTests, failuresIn, plainOutput } from '@unrut/engine/fingerprint';
import { redact } from '@unrut/engine/redact/redact';
import { runShell } from '@unrut/ledger/processes/run-process';

/** A check that did not pass, as quantities. */
export interface FailedCheck {
  /** Redacted. */
  command: string;
  /** The end of what it printed; redacted. */
  tail: string;
  /** How it failed, in short. */
  signature: string;
  /** How many checks are left: this one, and those after it, which were not made. */
  left: number;
  failures: number | null;
  passed: number | null;
  /** The tests that fail, where it names them. */
  names: string[];
}

const MAX_TAIL_LENGTH = 1500;
const MAX_NAMES = 50;
/** For a command that does not end by itself. */
const TEN_MINUTES = 600_000;
const PASSED = /(\d{1,7})\s+(?:tests?\s+|checks?\s+)?(?:passed|passing|ok)\b/gi;

/**
 * Runs commands by the shell, one after the other, until one does not end with 0. Gives that one.
 */
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
