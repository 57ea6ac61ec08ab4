import { plainOutput } from '../fingerprint/plain-output.ts';
import { extractSignature } from '../fingerprint/signature.ts';
import { redact } from '../redact/redact.ts';
import type { FailedCheck } from '../tasks/checks.ts';
import { cut, printable } from '../text/printable.ts';

const MAX_LENGTH = 160;

/** What an iteration came to, in a line: the first line of what the agent said, one with words in it if there is any, of a log the one with the error, and what went wrong. Redacted. */
export function labelIteration(
  { output, problem, failed }: { output: string; problem?: string | undefined; failed: boolean },
  failedCheck: Pick<FailedCheck, 'command'> | undefined,
): string {
  const lines = plainOutput(output).split('\n');
  const isError = extractSignature(output).startsWith('error:');
  const said =
    (isError ? lines.find((line) => /\b(?:ERROR|FATAL)\b/.test(line)) : undefined) ??
    lines.find((line) => /\p{L}{2}/u.test(line)) ??
    lines.find((line) => line.trim() !== '');
  const troubles = [problem, failedCheck && `the check \`${failedCheck.command}\` failed`].filter((each) => each !== undefined);
  const words = printable(redact(said ?? '')).trim();
  const isSaidAlready = failed && problem?.includes(words.slice(0, 40));
  const heard = words || 'it said nothing';
  const label = troubles.length === 0 ? heard : isSaidAlready ? troubles.join('; ') : `${heard} (${troubles.join('; ')})`;
  return cut(label.trim(), MAX_LENGTH);
}
