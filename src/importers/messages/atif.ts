import {
  called,
  callsAndResults,
  failed,
  messageImporter,
  objectsIn,
  type Part,
  returned,
  told,
  valueIn,
} from '../../hosts/reading/message-format.ts';
import { tokenCost } from '../../hosts/reading/response-cost.ts';
import { isObject, type JsonObject, textOf } from '../../json.ts';

const SOURCES = new Set(['user', 'agent', 'system']);

/** Harbor's Agent Trajectory Interchange Format: Terminal-Bench, exports of VS Code and of other agents. */
export const atif = messageImporter({
  name: 'atif',
  reads: 'trajectories in ATIF (Harbor, Terminal-Bench, exports of other agents), also with nested ones',
  sample: 'written after its specification, docs/rfcs/0001 of Harbor (mirror OpenAgentsInc/openagents d39efb6)',
  isMessage: ({ step_id, source }) => typeof step_id === 'number' && SOURCES.has(textOf(source)),
  lists: ['steps'],
  ids: ['session_id', 'trajectory_id'],
  parts: stepParts,
  moment: ({ timestamp: at, metrics }) => {
    const cost = costOf(metrics, 'prompt_tokens', 'cached_tokens', 'completion_tokens', 'cost_usd');
    return { at, ...(cost === undefined ? {} : { cost }) };
  },
  ends({ steps, final_metrics: total }) {
    const isCounted = objectsIn(steps).some(({ metrics }) => isObject(metrics));
    const cost = isCounted
      ? undefined
      : costOf(total, 'total_prompt_tokens', 'total_cached_tokens', 'total_completion_tokens', 'total_cost_usd');
    return cost === undefined ? {} : { cost };
  },
  nested: ({ subagent_trajectories: inner }) =>
    objectsIn(inner).map((each, i) => [textOf(each.trajectory_id) || textOf(each.session_id) || `agent ${i + 1}`, each]),
});

function stepParts(step: JsonObject): Part[] {
  const { source, message, reasoning_content: thought, tool_calls: calls, observation } = step;
  // What a continued trajectory repeats of the one before.
  if (step.is_copied_context === true || source === 'system') return [];
  if (source === 'user') return told('person', message);
  const made = objectsIn(calls).map((call) => called(call.tool_call_id, call.function_name, call.arguments));
  const results = objectsIn(valueIn(observation, 'results')).map((result) =>
    returned(result.source_call_id, result.content, failed(result.is_error === true || valueIn(result.extra, 'is_error') === true)),
  );
  // An agent without calls acts by what it says.
  if (made.length === 0 && results.length > 0)
    return [
      ...told('thinks', thought),
      ...callsAndResults([{ kind: 'calls', id: `step ${step.step_id}`, tool: 'act', args: message }], results.slice(0, 1)),
    ];
  return [...told('thinks', thought), ...told('says', message), ...callsAndResults(made, results)];
}

function costOf(
  metrics: unknown,
  input: string,
  cached: string,
  output: string,
  usd: string,
): { tokens?: number; usd?: number } | undefined {
  if (!isObject(metrics)) return undefined;
  const price = metrics[usd];
  const cost = { ...tokenCost(metrics[input], metrics[cached], metrics[output]), ...(typeof price === 'number' ? { usd: price } : {}) };
  return Object.keys(cost).length === 0 ? undefined : cost;
}
