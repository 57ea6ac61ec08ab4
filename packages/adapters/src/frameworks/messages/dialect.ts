import type { Call } from '@unrut/engine/event';
import { isObject, type JsonObject, listOf, objectOf, objectsOf, textOf } from '@unrut/engine/json';
import { apiParts } from '@unrut/reading/chat/api-parts';
import type { Part } from '@unrut/reading/chat/part';
import type { Returned } from '@unrut/reading/importer';
import type { Item, Note, SaidItem } from '../dialect.ts';

/**
 * The items of a message's parts. A result's position is its message, and which of the results in
 * it; `read` says more of its text.
 */
export function itemsIn(
  parts: readonly Part[],
  i: number,
  read?: (result: string) => Returned,
): Item[] {
  let results = 0;
  // A message with a call and a result has a tool that the provider ran itself.
  const isFixed = parts.some(({ kind }) => kind === 'calls');
  return parts.flatMap((part): Item[] => {
    switch (part.kind) {
      case 'person':
        return [{ kind: 'user', text: part.text }];
      case 'says':
      case 'thinks':
        return [
          { kind: 'said', text: part.text, channel: part.kind === 'says' ? 'answer' : 'thinking' },
        ];
      case 'calls':
        return [{ kind: 'call', id: part.id ?? '', tool: part.tool, args: part.args }];
      case 'returns': {
        const told =
          read && typeof part.returned.result === 'string' ? read(part.returned.result) : {};
        const { durationMs, ...returned } = { ...part.returned, ...told };
        return [
          {
            kind: 'result',
            id: part.id ?? '',
            at: [i, results++],
            ...returned,
            error: returned.error || undefined,
            ...(isFixed ? { isFixed } : {}),
          },
        ];
      }
      default:
        return [];
    }
  });
}

/** The items of a conversation with OpenAI (chat completions or Responses), Anthropic or Gemini. */
export const itemsOf = (messages: unknown): Item[] =>
  listOf(messages).flatMap((message, i) =>
    isObject(message) ? itemsIn(apiParts(message), i) : [],
  );

const hasResult = (items: readonly Item[], { id }: { id: string }): boolean =>
  id !== '' && items.some((item) => item.kind === 'result' && item.id === id);

/**
 * The calls of a reply that need an answer. A call next to its result was run by the provider: it
 * is in the history and cannot be blocked.
 */
export const answeredBy = (items: readonly Item[]): { said: SaidItem[]; calls: Call[] } => ({
  said: items.filter((item) => item.kind === 'said'),
  calls: items.flatMap((item) =>
    item.kind === 'call' && !hasResult(items, item)
      ? [{ id: item.id, tool: item.tool, args: item.args }]
      : [],
  ),
});

/** The same messages with texts added to results. */
export const withNotes = (messages: unknown, notes: readonly Note[]): unknown[] =>
  listOf(messages).map((message, i) => {
    const texts = new Map(
      notes.flatMap(({ at, text }) => (at[0] === i ? [[at[1], text] as const] : [])),
    );
    return texts.size > 0 && isObject(message) ? withTexts(message, texts) : message;
  });

function withTexts(
  message: JsonObject,
  texts: ReadonlyMap<number | undefined, string>,
): JsonObject {
  let results = 0;
  const each = (
    list: unknown,
    isResult: (part: JsonObject) => boolean,
    change: (part: JsonObject, text: string) => JsonObject,
  ) =>
    listOf(list).map((part) => {
      const text = isObject(part) && isResult(part) ? texts.get(results++) : undefined;
      return text === undefined ? part : change(part as JsonObject, text);
    });
  const { parts, output, content } = message;
  if (Array.isArray(parts))
    return { ...message, parts: each(parts, isGeminiResult, withGeminiText) };
  // A picture of a screen takes no text.
  if ('output' in message)
    return typeof output === 'string' || Array.isArray(output)
      ? { ...message, output: withText(output, texts.get(0)!, 'input_text') }
      : message;
  if (!objectsOf(content).some(isResultBlock))
    return { ...message, content: withText(content, texts.get(0)!) };
  return {
    ...message,
    content: each(content, isResultBlock, (block, text) => ({
      ...block,
      content: withText(block.content, text),
    })),
  };
}

const isResultBlock = ({ type }: JsonObject): boolean => textOf(type).endsWith('tool_result');

/** A text after a content, which is a text or a list of blocks. */
const withText = (content: unknown, text: string, type = 'text'): unknown =>
  Array.isArray(content)
    ? [...content, { type, text }]
    : `${typeof content === 'string' ? content : JSON.stringify(content ?? '')}\n\n${text}`;

const isGeminiResult = ({ functionResponse, codeExecutionResult }: JsonObject): boolean =>
  isObject(functionResponse) || isObject(codeExecutionResult);

/**
 * A Gemini result is an object: the text is appended to its text, otherwise added as a separate
 * field.
 */
function withGeminiText(part: JsonObject, text: string): JsonObject {
  const { functionResponse: returned } = part;
  if (!isObject(returned)) return part;
  const response = objectOf(returned.response);
  const name = ['output', 'result', 'error', 'content'].find(
    (field) => typeof response[field] === 'string',
  );
  const noted =
    name === undefined
      ? { ...response, note: text }
      : { ...response, [name]: `${textOf(response[name])}\n\n${text}` };
  return { ...part, functionResponse: { ...returned, response: noted } };
}

/** The messages in what a client gave: a response, one of its messages, or a list of items. */
export function messagesIn(reply: unknown): JsonObject[] {
  if (Array.isArray(reply)) return objectsOf(reply);
  if (!isObject(reply)) return [];
  const { choices, candidates, output } = reply;
  const [choice] = objectsOf(choices);
  if (choice) return objectsOf([choice.message]);
  const [candidate] = objectsOf(candidates);
  if (candidate) return objectsOf([candidate.content]);
  return Array.isArray(output) ? objectsOf(output) : [reply];
}
