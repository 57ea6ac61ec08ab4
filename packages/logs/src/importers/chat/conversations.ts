import { hash32 } from '@unrut/engine/hash';
import { isObject, type JsonObject, listOf, textOf } from '@unrut/engine/json';
import { roleOf } from '@unrut/reading/chat/api-parts';
import { itemParts } from '@unrut/reading/chat/responses-items';
import type { ImportMoment } from '@unrut/reading/importer';
import { messageText } from '@unrut/reading/message-content';
import { responseCost } from '@unrut/reading/response-cost';

/** A conversation in one record. */
export interface Conversation {
  /** The conversation's id in the record; ids of requests may change within a conversation. */
  id: string | undefined;
  isSession: boolean;
  messages: readonly unknown[];
  /** Messages from this index are the answer to a request, given at `moment`. */
  answer: number;
  moment: ImportMoment;
}

const LISTS = ['messages', 'conversation', 'conversations', 'traj', 'trajectory', 'input'];
const SESSIONS =
  'session_id sessionId conversation_id conversationId thread_id trajectory_id traj_id run_id'.split(
    ' ',
  );
const IDS = 'instance_id id uuid task_id custom_id'.split(' ');

/** Whether a value is a message or a Responses API item. */
export function isMessage(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (value.role === undefined && value.from === undefined) {
    return value.type !== 'compaction' && itemParts(value) !== undefined;
  }
  if (roleOf(value) === undefined) return false;
  return value.role === undefined
    ? typeof value.value === 'string'
    : 'content' in value || 'tool_calls' in value || 'function_call' in value;
}

/**
 * The conversation in a record, alone or as a request with its answer; undefined if there is none.
 */
export function conversationIn(record: unknown): Conversation | undefined {
  if (Array.isArray(record))
    return record.some(isMessage)
      ? { id: undefined, isSession: false, messages: record, answer: record.length, moment: {} }
      : undefined;
  // A document that names its format is read by that format.
  if (!isObject(record) || 'trajectory_format' in record || isMessage(record)) return undefined;
  const { request, body, response } = record;
  const asked =
    listIn(record) ??
    listIn(request) ??
    listIn(body) ??
    (isObject(request) ? listIn(request.body) : undefined);
  const answered = isObject(response)
    ? answerIn(isObject(response.body) ? response.body : response)
    : answerIn({ ...record, message: undefined });
  if (asked === undefined && answered === undefined) return undefined;
  return {
    id: idOf(record, SESSIONS) ?? idOf(record, IDS),
    isSession: idOf(record, SESSIONS) !== undefined,
    messages: answered === undefined ? asked! : [...(asked ?? []), ...answered.messages],
    answer: asked?.length ?? 0,
    moment: { at: record.timestamp ?? record.created_at ?? record.created, cost: answered?.cost },
  };
}

function idOf(record: JsonObject, names: readonly string[]): string | undefined {
  const id = names
    .map((name) => record[name])
    .find((value) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  return id === undefined ? undefined : String(id);
}

function listIn(holder: unknown): readonly unknown[] | undefined {
  if (!isObject(holder)) return undefined;
  if (typeof holder.input === 'string' && Array.isArray(holder.output))
    return [{ role: 'user', content: holder.input }];
  for (const name of LISTS) {
    const list = holder[name];
    if (Array.isArray(list) && list.some(isMessage)) return list;
  }
  return undefined;
}

/** The answer of a model API: choices, a message, or a list of items. */
function answerIn(
  response: JsonObject,
): { messages: readonly unknown[]; cost: ImportMoment['cost'] } | undefined {
  const { choices, output, message, usage } = response;
  const choice = Array.isArray(choices) && isObject(choices[0]) ? choices[0].message : undefined;
  const messages =
    Array.isArray(output) && output.some(isMessage)
      ? output
      : [choice, message, response].filter(isMessage).slice(0, 1);
  return messages.length === 0 ? undefined : { messages, cost: responseCost(usage) };
}

/** A short hash that identifies a message in other records. */
export function markOf(message: unknown): string {
  if (!isObject(message)) return typeof message;
  const { content, value, tool_calls: calls, tool_call_id: id, call_id: item } = message;
  const text = messageText(content ?? value);
  const blocks = Array.isArray(calls) ? calls : listOf(content);
  const ids = blocks
    .map((block) => (isObject(block) ? textOf(block.id) || textOf(block.tool_use_id) : ''))
    .join('');
  const who = textOf(message.role) || textOf(message.from) || textOf(message.type);
  return `${who} ${text.length} ${hash32(text.slice(0, 80))} ${ids}${textOf(id)}${textOf(item)}`;
}
