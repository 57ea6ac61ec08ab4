import { objectsOf, valueIn } from '@unrut/engine/json';
import { called, messageImporter, returned, told } from '@unrut/reading/message-format';
import { responseCost } from '@unrut/reading/response-cost';

/** Trajectories of trae-agent. */
export const trae = messageImporter({
  name: 'trae',
  reads: 'trajectories of trae-agent (`agent_steps`)',
  sample: 'written after its source, bytedance/trae-agent 246e7c8',
  isMessage: (value) =>
    typeof value.step_number === 'number' && 'llm_response' in value && 'tool_results' in value,
  lists: ['agent_steps'],
  before: ({ task }) => told('person', task),
  parts: (step) => [
    ...told('says', valueIn(step.llm_response, 'content')),
    ...objectsOf(step.tool_calls).map((call) => called(call.call_id, call.name, call.arguments)),
    ...objectsOf(step.tool_results).map(({ call_id: id, success, result, error }) =>
      returned(id, success === false ? (error ?? result) : (result ?? error), {
        error: success === false,
      }),
    ),
    ...told('thinks', step.reflection),
  ],
  moment: ({ timestamp: at, llm_response: response }) => ({
    at,
    cost: responseCost(valueIn(response, 'usage')),
  }),
  ends: ({ success }) =>
    typeof success === 'boolean' ? { outcome: success ? 'done' : 'failed' } : {},
});
