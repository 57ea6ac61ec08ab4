import { isObject, type JsonObject, textOf, valueIn } from '@unrut/engine/json';
import { acpCall, acpReturned, acpShown } from '@unrut/reading/acp-call';
import { withId } from '@unrut/reading/chat/part';
import { messageImporter, type Part, strange, told } from '@unrut/reading/message-format';

/** The message in a log wrapper. */
const inner = (value: JsonObject): JsonObject =>
  ([value.message, value.msg, value.data].find(
    (each) => isObject(each) && each.jsonrpc === '2.0',
  ) as JsonObject | undefined) ?? value;
const updateOf = (value: JsonObject): unknown => valueIn(inner(value), 'params.update');
const QUIET =
  /^(?:plan|available_commands_update|current_mode_update|config_option_update|session_info_update|usage_update)$/;

/** Logged messages of the Agent Client Protocol. */
export const acpMessages = messageImporter({
  name: 'acp',
  reads:
    'logged messages of the Agent Client Protocol (`session/update`), one JSON-RPC message a line',
  sample: 'recorded, OpenCode 1.18',
  isMessage: (value) => inner(value).jsonrpc === '2.0',
  isTelling: (value) => inner(value).method === 'session/update' && isObject(updateOf(value)),
  isStreamed: true,
  messageIds: ['params.sessionId', 'message.params.sessionId'],
  parts: (value, kept) => {
    const { method, params } = inner(value);
    if (method === 'session/prompt') return told('person', valueIn(params, 'prompt'));
    const update = updateOf(value);
    return method === 'session/update' && isObject(update) ? updateParts(update, kept) : [];
  },
  moment: ({ timestamp: at, time }) => ({ at: at ?? time }),
});

function updateParts(update: JsonObject, kept: Map<string, JsonObject>): Part[] {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return told('says', update.content);
    case 'agent_thought_chunk':
      return told('thinks', update.content);
    case 'tool_call':
    case 'tool_call_update':
      return callParts(update, kept);
    // Repeats the prompt.
    case 'user_message_chunk':
      return [];
    default:
      return QUIET.test(textOf(update.sessionUpdate)) ? [] : [strange(update.sessionUpdate)];
  }
}

/** A call is reported when it begins. */
function callParts(update: JsonObject, kept: Map<string, JsonObject>): Part[] {
  const id = textOf(update.toolCallId);
  const now = acpShown(kept.get(id) ?? {}, update);
  const hasEnded = update.status === 'completed' || update.status === 'failed';
  const begins = now.isTold !== true && (hasEnded || update.status === 'in_progress');
  kept.set(id, begins ? { ...now, isTold: true } : now);
  return [
    ...(begins ? [withId({ kind: 'calls' as const, ...acpCall(now) }, id)] : []),
    ...(hasEnded ? [withId({ kind: 'returns' as const, returned: acpReturned(update) }, id)] : []),
  ];
}
