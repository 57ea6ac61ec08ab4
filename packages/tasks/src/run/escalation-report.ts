import type { LoopFound } from './loop-found.ts';
import type { TriedIteration } from './run-state.ts';

/** The choices at a loop, in the order in which they are offered. */
export const CHOICES = ['continue', 'escalate', 'stop'] as const;
export type Choice = (typeof CHOICES)[number];

const OPTIONS = `**Options**:

1. **Continue with different approach** - The agent is told what was tried, and to try something else
2. **Review and debug** - The run pauses, so that you can see why the same attempt keeps failing
3. **Cancel** - Stop the task`;

/** The report on a loop of iterations, with the choices if the user is asked. Markdown. */
export function loopReport(
  { pattern, signature, count }: LoopFound,
  tried: readonly TriedIteration[],
  isAsked: boolean,
): string {
  const history = tried.slice(-Math.max(count, 1));
  const lines = history.map(
    (each, i) => `${line(each)}${i === history.length - 1 ? ' ← Loop detected' : ''}`,
  );
  const named = signature === undefined ? '' : `**Signature**: \`${signature}\`\n`;
  return `## Loop Detected\n\n**Pattern**: ${pattern}\n${named}\n**Iteration history**:\n\n${lines.join('\n')}\n${isAsked ? `\n${OPTIONS}\n` : ''}`;
}

/** The report on a limit that ended the run. Markdown. */
export function limitReport(
  limit: string,
  reason: string,
  tried: readonly TriedIteration[],
): string {
  const history = tried.length === 0 ? 'No iteration was run.' : tried.map(line).join('\n');
  return `## Limit Reached\n\n**Limit**: ${limit.replaceAll('_', ' ')}\n**Reason**: ${reason}\n\n**Iteration history**:\n\n${history}\n`;
}

const line = ({ iteration, what, inner }: TriedIteration): string =>
  `- Iteration ${iteration}: ${what}${inner ? ` (inside: ${inner.text})` : ''}`;
