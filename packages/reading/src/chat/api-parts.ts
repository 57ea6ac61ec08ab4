import { isObject, type JsonObject, objectsOf, parsed, textOf } from '@unrut/engine/json';
import { messageText, resultContent } from '../message-content.ts';
import { returnedWith } from '../returned-with.ts';
import { geminiContentParts } from './gemini-content-parts.ts';
import { type Part, told, withId } from './part.ts';
import { itemParts } from './responses-items.ts';

/** The part that a message plays in a conversation. */
export type Role = 'user' | 'assistant' | 'system' | 'result' | 'call';

/** The names of the roles in model APIs and in ShareGPT files. */
const ROLES: Record<Role, string[]> = {
  user: ['user', 'human'],
  assistant: ['assistant', 'gpt', 'model', 'ai', 'chatgpt'],
  system: ['system', 'developer'],
  result: ['tool', 'function', 'observation', 'tool_response'],
  call: ['function_call', 'tool_call'],
};
const BY_NAME = new Map<unknown, Role>(
  Object.entries(ROLES).flatMap(([role, names]) =>
    names.map((name) => [name, role as Role] as const),
  ),
);

/** The role of a message's sender; undefined if the value is not a message. */
export const roleOf = ({ role, from }: JsonObject): Role | undefined => BY_NAME.get(role ?? from);

/** How the texts of messages are read. */
export interface TextReading {
  /** The parts of a model's text. */
  said(text: string): Part[];
  /**
   * The user's own words in the texts of a user message; undefined if there are none. `isResult`:
   * the message also carries results.
   */
  heard(texts: readonly string[], isResult: boolean): string | undefined;
}

/** For programs that write nothing of their own into texts. */
const PLAINLY: TextReading = {
  said: (text) => [{ kind: 'says', text }],
  heard: (texts) => texts.join('\n'),
};

/**
 * The parts of one message in order: a message of OpenAI or Anthropic, an item of the Responses
 * API, or a content of Gemini.
 */
export function apiParts(message: JsonObject, reading: TextReading = PLAINLY): Part[] {
  if (Array.isArray(message.parts)) return geminiContentParts(message);
  switch (roleOf(message)) {
    case 'assistant':
      return assistantParts(message, reading);
    case 'user':
      return userParts(message, reading);
    case 'result':
      return [resultPart(message)];
    case 'system':
      return [];
    default:
      return (
        itemParts(message) ?? [
          { kind: 'unknown', name: textOf(message.role) || textOf(message.type) || 'object' },
        ]
      );
  }
}

/** The blocks of a content, which may be a single one. */
const blocksOf = (content: unknown): readonly unknown[] =>
  Array.isArray(content) ? content : [content];

/** Block types that hold neither text nor calls, or no text that can be read. */
const PASSED_OVER =
  /^(?:(?:input_)?(?:image|audio|file|video)(?:_url)?|document|redacted_thinking|container_upload|compaction)$/;

function assistantParts(
  { content, function_call: called, ...message }: JsonObject,
  { said }: TextReading,
): Part[] {
  const parts: Part[] = told(
    'thinks',
    textOf(message.reasoning_content) || textOf(message.reasoning) || textOf(message.thinking),
  );
  let text = '';
  const flush = (): void => {
    if (text !== '') parts.push(...said(text));
    text = '';
  };
  for (const block of blocksOf(content)) {
    const more = messageText(block);
    if (more !== '') text += text === '' ? more : `\n${more}`;
    else if (isObject(block) && 'type' in block) {
      flush();
      parts.push(...blockParts(block));
    }
  }
  flush();
  parts.push(...objectsOf(message.tool_calls).map(toolCall));
  if (isObject(called)) parts.push(toolCall({ function: called }));
  const isEmpty = parts.length === 0 && !(Array.isArray(content) && content.length > 0);
  return isEmpty ? [{ kind: 'says', text: '' }] : parts;
}

function toolCall(call: JsonObject): Part {
  const called = isObject(call.function)
    ? call.function
    : isObject(call.custom)
      ? call.custom
      : call;
  const args = parsed(called.arguments ?? called.args ?? called.input);
  return withId({ kind: 'calls', tool: textOf(called.name), args }, call.id);
}

/** A block of an assistant's message that is no text. */
function blockParts(block: JsonObject): Part[] {
  const type = textOf(block.type);
  if (type === 'thinking') return told('thinks', block.thinking);
  if (type.endsWith('tool_use'))
    return [withId({ kind: 'calls', tool: textOf(block.name), args: block.input }, block.id)];
  if (type.endsWith('tool_result')) return [blockResult(block)];
  return PASSED_OVER.test(type) || type.endsWith('text')
    ? []
    : [{ kind: 'unknown', name: `block ${type}` }];
}

function userParts({ content }: JsonObject, { heard }: TextReading): Part[] {
  const blocks = blocksOf(content);
  const results = blocks.filter(
    (block) => isObject(block) && textOf(block.type).endsWith('tool_result'),
  ) as JsonObject[];
  const texts = blocks.filter((block) => !results.includes(block as JsonObject)).map(messageText);
  const written = texts.filter((text) => text !== '');
  const isResult = results.length > 0;
  const text = isResult && written.length === 0 ? undefined : heard(written, isResult);
  return [
    ...results.map(blockResult),
    ...(text === undefined ? [] : [{ kind: 'person' as const, text }]),
  ];
}

/** Search results of the API repeat their text in encrypted form, which differs every time. */
function withoutCipher(block: unknown): unknown {
  if (!isObject(block) || !('encrypted_content' in block)) return block;
  const { encrypted_content: _, ...rest } = block;
  return rest;
}

/** A `tool_result` block, of a tool of the agent or of the API. */
function blockResult({ content, tool_use_id: id, is_error: isError }: JsonObject): Part {
  const isDenied = messageText(Array.isArray(content) ? content[0] : content).startsWith(
    'The user denied this operation',
  );
  const error = typeof isError === 'boolean' ? isError : undefined;
  const returned = returnedWith({
    result: resultContent(Array.isArray(content) ? content.map(withoutCipher) : content),
    error,
    refusedBy: isDenied ? 'user' : undefined,
  });
  return withId({ kind: 'returns', returned }, id);
}

function resultPart({
  content,
  is_error: isError,
  status,
  tool_call_id: id,
  tool_call_ids: ids,
}: JsonObject): Part {
  const error = isError === true || status === 'error' ? true : undefined;
  const returned = returnedWith({ result: resultContent(content), error });
  return withId({ kind: 'returns', returned }, id ?? (Array.isArray(ids) ? ids[0] : undefined));
}
