import {
  called,
  failed,
  messageImporter,
  objectsIn,
  type Part,
  returned,
  strange,
  told,
  valueIn,
} from '../../hosts/reading/message-format.ts';
import { isObject, type JsonObject, textOf } from '../../json.ts';

/** The message itself, where a log wraps it. */
const inner = (value: JsonObject): JsonObject =>
  ([value.message, value.msg, value.data].find((each) => isObject(each) && each.jsonrpc === '2.0') as JsonObject | undefined) ?? value;
const updateOf = (value: JsonObject): unknown => valueIn(inner(value), 'params.update');
const QUIET = /^(?:plan|available_commands_update|current_mode_update|config_option_update|session_info_update|usage_update)$/;

/** Logged messages of the Agent Client Protocol. */
export const acpMessages = messageImporter({
  name: 'acp',
  reads: 'logged messages of the Agent Client Protocol (`session/update`), one JSON-RPC message a line',
  sample: 'written to the known shape, unchecked against a recording',
  isMessage: (value) => inner(value).jsonrpc === '2.0',
  isTelling: (value) => inner(value).method === 'session/update' && isObject(updateOf(value)),
  isStreamed: true,
  messageIds: ['params.sessionId', 'message.params.sessionId'],
  parts: (value) => {
    const { method, params } = inner(value);
    if (method === 'session/prompt') return told('person', valueIn(params, 'prompt'));
    const update = updateOf(value);
    return method === 'session/update' && isObject(update) ? updateParts(update) : [];
  },
  moment: ({ timestamp: at, time }) => ({ at: at ?? time }),
});

function updateParts(update: JsonObject): Part[] {
  const { toolCallId: id, status } = update;
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return told('says', update.content);
    case 'agent_thought_chunk':
      return told('thinks', update.content);
    case 'tool_call':
      return [
        called(
          id,
          update.kind === undefined || update.kind === 'other' ? update.title : update.kind,
          update.rawInput ?? { title: update.title },
        ),
        ...resultParts(update),
      ];
    case 'tool_call_update':
      return status === 'completed' || status === 'failed' ? resultParts(update) : [];
    // The prompt said it already.
    case 'user_message_chunk':
      return [];
    default:
      return QUIET.test(textOf(update.sessionUpdate)) ? [] : [strange(update.sessionUpdate)];
  }
}

function resultParts({ toolCallId: id, status, rawOutput, content }: JsonObject): Part[] {
  if (status !== 'completed' && status !== 'failed') return [];
  const texts = objectsIn(content).flatMap((each) =>
    each.type === 'content' ? [valueIn(each.content, 'text')] : each.type === 'diff' ? [JSON.stringify(each)] : [],
  );
  return [returned(id, texts.length > 0 ? texts : rawOutput, failed(status === 'failed'))];
}
