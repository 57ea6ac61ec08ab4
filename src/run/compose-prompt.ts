import type { RunState, Tried } from './run-state.ts';

/** What of the settings the agent is told. */
export interface PromptSettings {
  maxIterations: number;
  promise: string;
  /** The promise counts. */
  needsPromise: boolean;
  checks: readonly string[];
}

/** The prompt of the next iteration: the task, how it is known to be done, and the scratchpad of what was tried. */
export function composePrompt(task: string, state: RunState, settings: PromptSettings): string {
  const parts = [task.trimEnd(), '---', aboutTheEnd(state, settings)];
  if (state.tried.length > 0) parts.push(`What earlier iterations came to:\n\n${state.tried.map(line).join('\n')}`);
  const { failedCheck, advice } = state;
  if (failedCheck)
    parts.push(
      `The check \`${failedCheck.command}\` failed after the last iteration:\n\n${indented(failedCheck.tail || '(it printed nothing)')}`,
    );
  if (advice !== null) parts.push(advice);
  return `${parts.join('\n\n')}\n`;
}

function aboutTheEnd({ iteration }: RunState, { maxIterations, promise, needsPromise, checks }: PromptSettings): string {
  const sentences = [
    `This is iteration ${iteration} of at most ${maxIterations}; you remember nothing of the earlier ones but what stands here.`,
    'Nobody can answer questions.',
  ];
  if (checks.length > 0)
    sentences.push(`The task is done when these commands succeed: ${checks.map((check) => `\`${check}\``).join(', ')}.`);
  if (needsPromise)
    sentences.push(`Write ${promise} as the last line of your answer when the task is done and you have checked it, and not before.`);
  return sentences.join(' ');
}

const line = ({ iteration, what, inner }: Tried): string =>
  `- Iteration ${iteration}: ${what}${inner ? ` (it went round in circles: ${inner.text})` : ''}`;

const indented = (text: string): string => text.replace(/^/gm, '    ');
