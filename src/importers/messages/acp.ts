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
    // The prompt said it already.
    case 'user_message_chunk':
      return [];
    default:
      return QUIET.test(textOf(update.sessionUpdate)) ? [] : [strange(update.sessionUpdate)];
  }
}

/** A call is told when it begins: agents show it before its arguments are known, and complete them bit by bit. */
function callParts(update: JsonObject, kept: Map<string, JsonObject>): Part[] {
  const id = textOf(update.toolCallId);
  const before = kept.get(id);
  const now = { ...before, ...update, rawInput: hasFields(update.rawInput) ? update.rawInput : before?.rawInput };
  kept.set(id, now);
  const hasEnded = update.status === 'completed' || update.status === 'failed';
  const begins = before?.isTold !== true && (hasEnded || update.status === 'in_progress');
  if (begins) kept.set(id, { ...now, isTold: true });
  const { kind, title, rawInput } = now as JsonObject;
  const call = called(id, kind === undefined || kind === 'other' ? title : kind, rawInput ?? { title });
  return [...(begins ? [call] : []), ...(hasEnded ? resultParts(update) : [])];
}

const hasFields = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0;

function resultParts({ toolCallId: id, status, rawOutput, content }: JsonObject): Part[] {
  const texts = objectsIn(content).flatMap((each) =>
    each.type === 'content' ? [valueIn(each.content, 'text')] : each.type === 'diff' ? [JSON.stringify(each)] : [],
  );
  const exit = [valueIn(rawOutput, 'metadata.exit'), valueIn(rawOutput, 'exitCode'), valueIn(rawOutput, 'exit_code')].find(
    (each) => typeof each === 'number',
  );
  const more = { ...failed(status === 'failed'), ...(exit === undefined ? {} : { exitCode: exit as number }) };
  return [returned(id, texts.length > 0 ? texts : rawOutput, more)];
}
