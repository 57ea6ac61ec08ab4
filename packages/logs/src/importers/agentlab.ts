import { isObject, type JsonObject, listOf, textOf } from '@unrut/engine/json';
import type { ImportedRun, Importer, Returned, Source } from '@unrut/reading/importer';
import { messageText } from '@unrut/reading/message-content';
import { kindOf, readDocuments } from '@unrut/reading/run-documents';

/**
 * AgentLab runs in BrowserGym, in AgentRewardBench's JSON: a goal, and steps with the page, the
 * reasoning and the action.
 */
export const agentlab: Importer = {
  name: 'agentlab',
  reads: 'runs of AgentLab / BrowserGym in the JSON of AgentRewardBench (`goal`, `steps`)',
  sample: 'written after its tools',
  recognises: (first) => first.some(isTrajectory),
  open: (source) =>
    readDocuments(source, isTrajectory, (document, name) =>
      readRun(source.run(name), document, source),
    ),
};

/** A step has an action and the page on which it was chosen. */
const isStep = (value: unknown): boolean =>
  isObject(value) &&
  'action' in value &&
  'reasoning' in value &&
  ('url' in value || 'axtree' in value || 'screenshot_path' in value);
const isTrajectory = (value: unknown): value is JsonObject =>
  isObject(value) && 'goal' in value && Array.isArray(value.steps) && value.steps.some(isStep);

function readRun(run: ImportedRun, record: JsonObject, source: Source): void {
  run.person(messageText(record.goal));
  const steps: unknown[] = listOf(record.steps);
  for (const [i, step] of steps.entries()) {
    if (!isObject(step)) {
      source.unknown(kindOf(step));
      continue;
    }
    run.thinks(textOf(step.reasoning));
    const calls = callsIn(textOf(step.action));
    const after: unknown = steps[i + 1];
    calls.forEach(({ tool, args }, n) => {
      const id = `${i} ${n}`;
      run.calls({ id, tool, args, batch: `step ${i}` });
      run.returns(id, n === calls.length - 1 && isObject(after) ? pageOf(step, after) : {});
    });
  }
  run.ends();
}

/** `click('a12')`, or several calls, one per line; arguments stay as text. */
function callsIn(action: string): { tool: string; args: string }[] {
  return action
    .trim()
    .split(/\n(?=\w+\()/)
    .map((call) => /^(\w+)\(([\s\S]*)\)\s*$/.exec(call.trim()))
    .filter((match) => match !== null)
    .map(([, tool, args]) => ({ tool: tool!, args: args! }));
}

/** The result of an action: the page of the next step. An unchanged address is not informative. */
function pageOf(before: JsonObject, after: JsonObject): Returned {
  const page = textOf(after.axtree_pruned) || textOf(after.axtree);
  const url = textOf(after.url);
  const error = textOf(after.last_action_error);
  const isTold = page !== '' || (url !== '' && url !== before.url);
  return {
    ...(isTold
      ? { result: { ...(url === '' ? {} : { url }), ...(page === '' ? {} : { page }) } }
      : {}),
    ...(error === '' ? {} : { error }),
  };
}
