import { called, messageImporter, objectsIn, returned, told, valueIn } from '../../hosts/reading/message-format.ts';
import { tokenCost } from '../../hosts/reading/response-cost.ts';
import { isObject } from '../../json.ts';

/** Trajectories of trae-agent. */
export const trae = messageImporter({
  name: 'trae',
  reads: 'trajectories of trae-agent (`agent_steps`)',
  sample: 'written after its source, bytedance/trae-agent 246e7c8',
  isMessage: (value) => typeof value.step_number === 'number' && 'llm_response' in value && 'tool_results' in value,
  lists: ['agent_steps'],
  before: ({ task }) => told('person', task),
  parts: (step) => [
    ...told('says', valueIn(step.llm_response, 'content')),
    ...objectsIn(step.tool_calls).map((call) => called(call.call_id, call.name, call.arguments)),
    ...objectsIn(step.tool_results).map(({ call_id: id, success, result, error }) =>
      returned(id, success === false ? (error ?? result) : (result ?? error), success === false ? { error: true } : false),
    ),
    ...told('thinks', step.reflection),
  ],
  moment: ({ timestamp: at, llm_response: response }) => {
    const usage = valueIn(response, 'usage');
    const cost = isObject(usage) ? tokenCost(usage.input_tokens, undefined, usage.output_tokens) : undefined;
    return { at, ...(cost === undefined ? {} : { cost }) };
  },
  ends: ({ success }) => (typeof success === 'boolean' ? { outcome: success ? 'done' : 'failed' } : {}),
});
