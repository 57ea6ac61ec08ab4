import { isObject, type JsonObject, objectsOf, textOf, valueIn } from '@unrut/engine/json';
import {
  called,
  callsAndResults,
  messageImporter,
  type Part,
  returned,
  told,
} from '@unrut/reading/message-format';
import { spentIn } from '@unrut/reading/response-cost';

const TOTALS = {
  input: 'total_prompt_tokens',
  cached: 'total_cached_tokens',
  output: 'total_completion_tokens',
  usd: 'total_cost_usd',
};
const SOURCES = new Set(['user', 'agent', 'system']);

/**
 * Harbor's Agent Trajectory Interchange Format: Terminal-Bench, and exports of VS Code and other
 * agents.
 */
export const atif = messageImporter({
  name: 'atif',
  reads:
    'trajectories in ATIF (Harbor, Terminal-Bench, exports of other agents), also with nested ones',
  sample:
    'written after its specification, docs/rfcs/0001 of Harbor (mirror OpenAgentsInc/openagents d39efb6)',
  version: { tried: '1.7', at: 'schema_version', isFormat: true },
  isMessage: ({ step_id, source }) => typeof step_id === 'number' && SOURCES.has(textOf(source)),
  lists: ['steps'],
  ids: ['session_id', 'trajectory_id'],
  parts: stepParts,
  moment: ({ timestamp: at, metrics }) => ({
    at,
    cost: spentIn(metrics, {
      input: 'prompt_tokens',
      cached: 'cached_tokens',
      output: 'completion_tokens',
      usd: 'cost_usd',
    }),
  }),
  ends({ steps, final_metrics: total }) {
    const isCounted = objectsOf(steps).some(({ metrics }) => isObject(metrics));
    return { cost: isCounted ? undefined : spentIn(total, TOTALS) };
  },
  nested: ({ subagent_trajectories: inner }) =>
    objectsOf(inner).map((each, i) => [
      textOf(each.trajectory_id) || textOf(each.session_id) || `agent ${i + 1}`,
      each,
    ]),
});

function stepParts(step: JsonObject, open: Map<string, JsonObject>): Part[] {
  const { source, message, reasoning_content: thought, tool_calls: calls, observation } = step;
  // Copied from the preceding trajectory.
  if (step.is_copied_context === true) return [];
  const made = objectsOf(calls);
  const results = objectsOf(valueIn(observation, 'results'));
  if (made.length === 0 && results.length > 0 && isForOpenCalls(results, open))
    return results.map((result) => resultOf(result, open));
  if (source === 'system') return [];
  if (source === 'user') {
    open.clear();
    return told('person', message);
  }
  // Without calls, the agent's text is its action.
  if (made.length === 0 && results.length > 0 && textOf(message).trim() !== '')
    return [
      ...told('thinks', thought),
      ...callsAndResults(
        [{ kind: 'calls', id: `step ${step.step_id}`, tool: 'act', args: message }],
        results.slice(0, 1).map((result) => resultOf(result, open)),
      ),
    ];
  if (results.length === 0) for (const call of made) open.set(textOf(call.tool_call_id), call);
  return [
    ...told('thinks', thought),
    ...told('says', message),
    ...callsAndResults(
      made.map((call) => called(call.tool_call_id, call.function_name, call.arguments)),
      results.map((result) => resultOf(result, open)),
    ),
  ];
}

/**
 * Whether a step without calls holds the results of earlier ones: log converters write each result
 * as a separate step.
 */
const isForOpenCalls = (
  results: readonly JsonObject[],
  open: ReadonlyMap<string, JsonObject>,
): boolean =>
  open.size > 0 &&
  results.every(({ source_call_id: id }) => textOf(id) === '' || open.has(textOf(id)));

function resultOf(result: JsonObject, open: Map<string, JsonObject>): Part {
  const id = textOf(result.source_call_id);
  open.delete(id === '' ? (open.keys().next().value ?? '') : id);
  return returned(id, result.content, {
    error: result.is_error === true || valueIn(result.extra, 'is_error') === true,
  });
}
