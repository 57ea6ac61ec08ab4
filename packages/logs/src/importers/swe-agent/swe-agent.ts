import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  parsed,
  textOf,
} from '@unrut/engine/json';
import type { ImportedRun, Importer, Source } from '@unrut/reading/importer';
import { messageText } from '@unrut/reading/message-content';
import { spentIn } from '@unrut/reading/response-cost';
import { returnedWith } from '@unrut/reading/returned-with';
import { kindOf, readDocuments } from '@unrut/reading/run-documents';
import { actionCall, onOpenFile } from './swe-agent-action.ts';

/** SWE-agent trajectories (`.traj`): a document with one run or several attempts. */
export const sweAgent: Importer = {
  name: 'swe-agent',
  reads: 'trajectories of SWE-agent (`.traj`)',
  sample: 'written after public samples',
  recognises: (first) => first.some(isTrajectory),
  open: (source) =>
    readDocuments(source, isTrajectory, (document, name) => {
      const attempts = objectsOf(document.attempts);
      // The document repeats the best of its attempts.
      if (attempts.length === 0) readRun(source.run(name), document, source);
      for (const [i, attempt] of attempts.entries())
        readRun(source.run(`${name}/attempt-${i + 1}`), attempt, source);
    }),
};

function isTrajectory(record: unknown): record is JsonObject {
  if (!isObject(record)) return false;
  const { trajectory, info, attempts } = record;
  if (!Array.isArray(trajectory)) return Array.isArray(attempts) && attempts.some(isTrajectory);
  if (trajectory.length === 0)
    return (
      Array.isArray(record.history) &&
      isObject(info) &&
      ('exit_status' in info || 'model_stats' in info)
    );
  return trajectory.some(
    (step) =>
      isObject(step) &&
      typeof step.action === 'string' &&
      'observation' in step &&
      ('response' in step || 'thought' in step),
  );
}

function readRun(run: ImportedRun, document: JsonObject, source: Source): void {
  const history = Array.isArray(document.history)
    ? document.history.filter(isObject).filter(({ is_demo: isDemo }) => isDemo !== true)
    : [];
  const task = taskOf(history);
  if (task !== undefined) run.person(task);
  const callOf = createCalls(history);
  for (const step of listOf(document.trajectory)) {
    if (!isObject(step)) {
      source.unknown(kindOf(step));
      continue;
    }
    const { action, observation, execution_time: seconds } = step;
    const thought = textOf(step.thought) || textOf(step.response);
    if (textOf(action).trim() === '') {
      run.says(textOf(step.response) || thought);
      continue;
    }
    run.thinks(thought);
    run.calls(callOf(textOf(action), step.state));
    const durationMs = typeof seconds === 'number' ? Math.round(seconds * 1000) : undefined;
    run.returns(undefined, returnedWith({ result: observation ?? '', durationMs }));
  }
  const info = objectOf(document.info);
  // Known for the whole run only.
  const cost = spentIn(info.model_stats, {
    input: 'tokens_sent',
    output: 'tokens_received',
    usd: 'instance_cost',
  });
  run.ends({ outcome: textOf(info.exit_status) || undefined, cost });
}

/** The last prompt before the agent began. */
function taskOf(history: readonly JsonObject[]): string | undefined {
  const begin = history.findIndex(({ role }) => role === 'assistant');
  const told = history
    .slice(0, begin === -1 ? history.length : begin)
    .findLast(({ role }) => role === 'user');
  return told === undefined ? undefined : messageText(told.content);
}

/**
 * The original calls, if the history has them; trajectories have only the resulting command lines.
 */
function createCalls(
  history: readonly JsonObject[],
): (action: string, state: unknown) => { tool: string; args: unknown } {
  let from = 0;
  return (action, state) => {
    const read = parsed(state);
    const openFile =
      isObject(read) && textOf(read.open_file) !== 'n/a' ? textOf(read.open_file) : '';
    const at = history.findIndex(
      (message, i) => i >= from && textOf(message.action).trim() === action.trim(),
    );
    const calls = history[at]?.tool_calls;
    const called: unknown =
      Array.isArray(calls) && isObject(calls[0]) ? calls[0].function : undefined;
    if (at !== -1) from = at + 1;
    if (!isObject(called) || textOf(called.name) === '') return actionCall(action, openFile);
    const args = parsed(called.arguments);
    return {
      tool: textOf(called.name),
      args: isObject(args) ? onOpenFile(textOf(called.name), args, openFile) : args,
    };
  };
}
