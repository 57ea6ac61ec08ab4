import { type JsonObject, objectsOf, textOf, valueIn } from '@unrut/engine/json';
import { called, messageImporter, type Part, returned, told } from '@unrut/reading/message-format';
import { responseCost } from '@unrut/reading/response-cost';

const EVENT = /^(?:user|agent|session|span|system|workflow_run)\.[a-z_]+$/;
const USE = /^agent\.(?:mcp_|custom_)?tool_use$/;
const RESULT = /^(?:agent|user)\.(?:mcp_|custom_)?tool_result$/;

/** Events of a session of Claude Managed Agents. */
export const managedAgents = messageImporter({
  name: 'managed-agents',
  reads:
    'events of sessions of Claude Managed Agents (`agent.tool_use`, `agent.tool_result`, …): a list, one a line, or `{data}`',
  sample: "written after the SDK's types, 1.8",
  isMessage: ({ type, id }) => EVENT.test(textOf(type)) && typeof id === 'string',
  isTelling: ({ type, id, processed_at: at }) =>
    /^(?:user\.message|agent\.(?:message|thinking|(?:mcp_|custom_)?tool_(?:use|result)))$/.test(
      textOf(type),
    ) &&
    typeof id === 'string' &&
    at !== undefined,
  lists: ['data', 'events'],
  ids: ['session_id', 'session.id'],
  messageIds: ['session_thread_id', 'session_id'],
  parts: eventParts,
  moment: ({ type, processed_at: at, model_usage: usage }) => ({
    at,
    cost: type === 'span.model_request_end' ? responseCost(usage) : undefined,
  }),
});

function eventParts(event: JsonObject): Part[] {
  const type = textOf(event.type);
  if (type === 'user.message') return told('person', event.content);
  if (type === 'agent.message') return told('says', event.content);
  if (type === 'agent.thinking') return told('thinks', event.thinking);
  if (type === 'agent.thread_context_compacted') return [{ kind: 'compacted' }];
  if (USE.test(type)) return [called(event.id, event.name, event.input)];
  if (RESULT.test(type)) {
    const id = event.tool_use_id ?? event.mcp_tool_use_id ?? event.custom_tool_use_id;
    return [returned(id, event.content, { error: event.is_error })];
  }
  if (type !== 'user.tool_confirmation' || valueIn(event, 'result') !== 'deny') return [];
  return objectsOf([event]).map(({ tool_use_id: id, deny_message: why }) =>
    returned(id, why, { refusedBy: 'user' }),
  );
}
