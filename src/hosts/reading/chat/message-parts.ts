import { isObject, type JsonObject, parsed, textOf } from '../../../json.ts';
import type { Returned } from '../importer.ts';
import { messageText, resultContent } from '../message-content.ts';
import { type Part, withId } from './part.ts';
import { personText } from './person-text.ts';
import { itemParts } from './responses-items.ts';
import { namedCall, textParts, textResults } from './text-calls.ts';

/** The part that a message plays in a conversation. */
export type Role = 'user' | 'assistant' | 'system' | 'result' | 'call';

/** Who a message is by, under the names that model APIs and ShareGPT files give them. */
const ROLES: Record<Role, string[]> = {
  user: ['user', 'human'],
  assistant: ['assistant', 'gpt', 'model', 'ai', 'chatgpt'],
  system: ['system', 'developer'],
  result: ['tool', 'function', 'observation', 'tool_response'],
  call: ['function_call', 'tool_call'],
};
const BY_NAME = new Map<unknown, Role>(
  Object.entries(ROLES).flatMap(([role, names]) => names.map((name) => [name, role as Role] as const)),
);

/** Who a message is by; nothing when it is none. */
export const roleOf = ({ role, from }: JsonObject): Role | undefined => BY_NAME.get(role ?? from);

/**
 * What happens in one message of a conversation, in order: a message of OpenAI or Anthropic, a ShareGPT turn, an item of the
 * Responses API.
 */
export function messageParts(message: JsonObject): Part[] {
  switch (roleOf(message)) {
    case 'assistant':
      return assistantParts(message);
    case 'user':
      return userParts(message);
    case 'result':
      return message.from === undefined ? [resultPart(message)] : textResults(textOf(message.value));
    case 'call':
      return [namedCall(message.content ?? message.value) ?? { kind: 'unknown', name: 'call without a name' }];
    case 'system':
      return [];
    default:
      return itemParts(message) ?? [{ kind: 'unknown', name: textOf(message.role) || textOf(message.type) || 'object' }];
  }
}

const contentOf = ({ content, value }: JsonObject): unknown => content ?? value;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** Blocks that are neither said nor done, or not for a reader of text. */
const PASSED_OVER = /^(?:(?:input_)?(?:image|audio|file|video)(?:_url)?|document|redacted_thinking|container_upload|compaction)$/;

function assistantParts(message: JsonObject): Part[] {
  const parts: Part[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') parts.push(...textParts(text, message.from !== undefined));
    text = '';
  };
  const reasoning = textOf(message.reasoning_content) || textOf(message.reasoning) || textOf(message.thinking);
  if (reasoning.trim() !== '') parts.push({ kind: 'thinks', text: reasoning });
  const content = contentOf(message);
  for (const block of listOf(content)) {
    const said = messageText(block);
    if (said !== '') text += text === '' ? said : `\n${said}`;
    else if (isObject(block) && 'type' in block) {
      flush();
      const part = blockPart(block);
      if (part) parts.push(part);
    }
  }
  flush();
  for (const call of Array.isArray(message.tool_calls) ? message.tool_calls : []) if (isObject(call)) parts.push(toolCall(call));
  if (isObject(message.function_call)) parts.push(toolCall({ function: message.function_call }));
  const isEmpty = parts.length === 0 && !(Array.isArray(content) && content.length > 0);
  return isEmpty ? [{ kind: 'says', text: '' }] : parts;
}

function toolCall(call: JsonObject): Part {
  const called = isObject(call.function) ? call.function : isObject(call.custom) ? call.custom : call;
  const args = parsed(called.arguments ?? called.args ?? called.input);
  return withId({ kind: 'calls', tool: textOf(called.name), args }, call.id);
}

/** A block of an assistant's message that is no text. */
function blockPart(block: JsonObject): Part | undefined {
  const type = textOf(block.type);
  if (type === 'thinking') return textOf(block.thinking).trim() === '' ? undefined : { kind: 'thinks', text: textOf(block.thinking) };
  if (type.endsWith('tool_use')) return withId({ kind: 'calls' as const, tool: textOf(block.name), args: block.input }, block.id);
  if (type.endsWith('tool_result')) return blockResult(block);
  return PASSED_OVER.test(type) || type.endsWith('text') ? undefined : { kind: 'unknown', name: `block ${type}` };
}

function userParts(message: JsonObject): Part[] {
  const parts: Part[] = [];
  const texts: string[] = [];
  for (const block of listOf(contentOf(message))) {
    const text = messageText(block);
    if (isObject(block) && textOf(block.type).endsWith('tool_result')) parts.push(blockResult(block));
    else if (text !== '') texts.push(text);
  }
  const isResult = parts.length > 0;
  const text = isResult && texts.length === 0 ? undefined : personText(texts, isResult);
  if (text !== undefined) parts.push({ kind: 'person', text });
  return parts;
}

/** A `tool_result` block, of a tool of the agent or of the API. */
function blockResult({ content, tool_use_id: id, is_error: isError }: JsonObject): Part {
  const returned: Returned = { result: resultContent(content), ...(typeof isError === 'boolean' ? { error: isError } : {}) };
  const isDenied = messageText(Array.isArray(content) ? content[0] : content).startsWith('The user denied this operation');
  return withId({ kind: 'returns', returned: isDenied ? { ...returned, refusedBy: 'user' } : returned }, id);
}

function resultPart(message: JsonObject): Part {
  const isFailed = message.is_error === true || message.status === 'error';
  const returned: Returned = { result: resultContent(message.content), ...(isFailed ? { error: true } : {}) };
  const ids = message.tool_call_ids;
  return withId({ kind: 'returns', returned }, message.tool_call_id ?? (Array.isArray(ids) ? ids[0] : undefined));
}
