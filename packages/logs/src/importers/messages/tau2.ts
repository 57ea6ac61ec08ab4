import { isObject, type JsonObject, objectsOf, textOf } from '@unrut/engine/json';
import { createChat } from '@unrut/reading/chat/chat';
import { called, type Part, returned, told } from '@unrut/reading/chat/part';
import type { Importer } from '@unrut/reading/importer';
import { responseCost } from '@unrut/reading/response-cost';
import { kindOf } from '@unrut/reading/run-documents';

const isResults = (record: unknown): record is JsonObject =>
  isObject(record) &&
  objectsOf(record.simulations).some((each) => Array.isArray(each.messages) && 'task_id' in each);

/** Results of tau2-bench: one run per simulation. */
export const tau2: Importer = {
  name: 'tau2',
  reads: 'results of tau2-bench (`results.json`), a run for each simulation',
  sample: 'written after its data model, sierra-research/tau2-bench',
  recognises: (first) => first.some(isResults),
  open(source) {
    let simulations = 0;
    let messages = 0;
    return {
      read(record) {
        if (!isResults(record)) {
          source.unknown(kindOf(record));
          return;
        }
        for (const simulation of objectsOf(record.simulations)) {
          simulations++;
          const run = source.run(textOf(simulation.id) || `${source.name}:${simulations}`);
          const chat = createChat(run, source);
          for (const message of objectsOf(simulation.messages)) {
            const cost = responseCost(message.usage);
            const usd = typeof message.cost === 'number' ? { usd: message.cost } : {};
            chat.tell(
              messageParts(message),
              { at: message.timestamp, ...(cost ? { cost: { ...cost, ...usd } } : {}) },
              `${++messages}`,
            );
          }
          const outcome = textOf(simulation.termination_reason);
          run.ends(outcome === '' ? {} : { outcome });
        }
      },
    };
  },
};

/** The simulated user's tool calls are not the agent's. */
function messageParts(message: JsonObject): Part[] {
  const { role, content, requestor } = message;
  if (role === 'assistant')
    return [
      ...told('says', content),
      ...objectsOf(message.tool_calls).map((call) => called(call.id, call.name, call.arguments)),
    ];
  if (role === 'user') return told('person', content);
  if (role !== 'tool') return [];
  if (Array.isArray(message.tool_messages))
    return objectsOf(message.tool_messages).flatMap(messageParts);
  return requestor === 'user'
    ? []
    : [returned(message.id ?? message.tool_call_id, content, { error: message.error === true })];
}
