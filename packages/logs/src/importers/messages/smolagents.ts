import { isObject, type JsonObject, objectsOf, textOf, valueIn } from '@unrut/engine/json';
import {
  called,
  callsAndResults,
  messageImporter,
  type Part,
  returned,
  told,
} from '@unrut/reading/message-format';
import { responseCost } from '@unrut/reading/response-cost';

const isAction = (value: JsonObject): boolean =>
  typeof value.step_number === 'number' && 'timing' in value && 'tool_calls' in value;

/** Steps of smolagents: `agent.memory.get_full_steps()`. */
export const smolagents = messageImporter({
  name: 'smolagents',
  reads: 'steps of smolagents (`agent.memory.get_full_steps()`): a list, one a line, or `{steps}`',
  sample: 'written after its source, huggingface/smolagents 038f6f8',
  isMessage: (value) =>
    isAction(value) ||
    (typeof value.task === 'string' && !('steps' in value)) ||
    typeof value.system_prompt === 'string' ||
    'plan' in value,
  isTelling: isAction,
  lists: ['steps', 'memory.steps'],
  parts: stepParts,
  moment: ({ timing, token_usage: usage }) => ({
    at: valueIn(timing, 'start_time'),
    cost: responseCost(usage),
  }),
});

function stepParts(step: JsonObject): Part[] {
  if (!isAction(step))
    return 'plan' in step ? told('thinks', step.plan) : told('person', step.task);
  const calls = objectsOf(step.tool_calls).map((call) => {
    const inner = isObject(call.function) ? call.function : call;
    // The code of a code agent is one call.
    return called(
      call.id,
      inner.name,
      typeof inner.arguments === 'string' && inner.name === 'python_interpreter'
        ? { code: inner.arguments }
        : inner.arguments,
    );
  });
  const error = textOf(valueIn(step.error, 'message'));
  const seen = [textOf(step.observations), error].filter((text) => text !== '').join('\n');
  const result = returned(undefined, seen === '' ? undefined : seen, { error });
  // The results of all calls in a step are one text, which is added to the last call.
  const brought = calls.length === 0 ? [] : [result];
  return [
    ...told(calls.length > 0 ? 'thinks' : 'says', step.model_output),
    ...callsAndResults(calls, brought),
  ];
}
