import type { FailedCheck } from './run-checks.ts';

/**
 * What stands for the output of an iteration that printed nothing: how its check failed. Nothing when the agent has changed files since the
 * last such iteration, or when that cannot be told: then it may be at work. `before` is null after another kind of iteration.
 */
export function outputOfSilent({ command, tail }: FailedCheck, folder: string, before: string | null): string {
  if (folder === '' || (before !== null && before !== folder)) return '';
  return tail || `The check \`${command}\` failed and printed nothing.`;
}
