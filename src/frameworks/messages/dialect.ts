import { contentBlocks, messageText } from '../../hosts/reading/message-content.ts';
import { isObject, type JsonObject, parsed, textOf } from '../../json.ts';
import type { Item, Note } from '../dialect.ts';

const objectsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The items of a conversation with OpenAI (chat completions or Responses), Anthropic or Gemini. A result stands in its message, at its place among the results there. */
export const itemsOf = (messages: unknown): Item[] =>
  Array.isArray(messages) ? messages.flatMap((message, i) => (isObject(message) ? inMessage(message, i) : [])) : [];

type Returned = (id: unknown, result: unknown, error?: unknown) => Item;

function inMessage(message: JsonObject, i: number): Item[] {
  let results = 0;
  const returned: Returned = (id, result, error) => ({
    kind: 'result',
    id: textOf(id),
    at: [i, results++],
    result,
    ...(error === true ? { error } : {}),
  });
  const { role, type, content } = message;
  if (Array.isArray(message.parts)) return geminiItems(message, returned);
  if (role === 'tool') return [returned(message.tool_call_id, content)];
  if (type === 'function_call_output') return [returned(message.call_id, message.output)];
  if (type === 'function_call') return [callOf(message.call_id, message)];
  if (type === 'reasoning') return saying(messageText(message.summary), true);
  if (role === 'user') {
    const blocks = contentBlocks(content).filter(isResultBlock);
    const text = messageText(content);
    const told = blocks.map((block) => returned(block.tool_use_id, block.content, block.is_error));
    return text === '' && told.length > 0 ? told : [...told, { kind: 'user', text }];
  }
  if (role !== 'assistant') return [];
  const thought = textOf(message.reasoning_content) || textOf(message.reasoning);
  const blocks = contentBlocks(content).flatMap((block): Item[] => {
    if (block.type === 'tool_use') return [{ kind: 'call', id: textOf(block.id), tool: textOf(block.name), args: block.input }];
    return saying(textOf(block.thinking) || textOf(block.text), block.type === 'thinking');
  });
  const calls = objectsOf(message.tool_calls).map((call) => callOf(call.id, objectOf(call.function ?? call.custom)));
  return [...saying(thought, true), ...blocks, ...calls];
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const isResultBlock = ({ type }: JsonObject): boolean => type === 'tool_result';
const saying = (text: string, isThought: boolean): Item[] =>
  text === '' ? [] : [{ kind: 'said', text, channel: isThought ? 'thinking' : 'answer' }];
const callOf = (id: unknown, { name, arguments: args, input }: JsonObject): Item => ({
  kind: 'call',
  id: textOf(id),
  tool: textOf(name),
  args: parsed(args ?? input),
});

function geminiItems({ role, parts }: JsonObject, returned: Returned): Item[] {
  const texts: string[] = [];
  const items = objectsOf(parts).flatMap(({ text, thought, functionCall: call, functionResponse: result }): Item[] => {
    if (isObject(call)) return [{ kind: 'call', id: textOf(call.id), tool: textOf(call.name), args: call.args ?? {} }];
    if (isObject(result)) return [returned(result.id, result.response, isObject(result.response) && 'error' in result.response)];
    if (role === 'model') return saying(textOf(text), thought === true);
    if (typeof text === 'string') texts.push(text);
    return [];
  });
  return texts.length > 0 ? [...items, { kind: 'user', text: texts.join('\n') }] : items;
}

/** The same messages with texts added to results. */
export const withNotes = <Message>(messages: readonly Message[], notes: readonly Note[]): Message[] =>
  messages.map((message, i) => {
    const texts = new Map(notes.flatMap(({ at, text }) => (at[0] === i ? [[at[1], text] as const] : [])));
    return texts.size > 0 && isObject(message) ? (withTexts(message, texts) as Message) : message;
  });

function withTexts(message: JsonObject, texts: ReadonlyMap<number | undefined, string>): JsonObject {
  let results = 0;
  const each = (
    list: unknown,
    isResult: (part: JsonObject) => boolean,
    change: (part: JsonObject, text: string) => JsonObject,
  ): unknown[] =>
    (list as unknown[]).map((part) => {
      const text = isObject(part) && isResult(part) ? texts.get(results++) : undefined;
      return text === undefined ? part : change(part as JsonObject, text);
    });
  if (Array.isArray(message.parts)) return { ...message, parts: each(message.parts, isGeminiResult, withGeminiText) };
  if ('output' in message) return { ...message, output: appended(message.output, texts.get(0)!, 'input_text') };
  if (message.role !== 'user') return { ...message, content: appended(message.content, texts.get(0)!) };
  return {
    ...message,
    content: each(message.content, isResultBlock, (block, text) => ({ ...block, content: appended(block.content, text) })),
  };
}

const appended = (content: unknown, text: string, type = 'text'): unknown =>
  Array.isArray(content)
    ? [...content, { type, text }]
    : `${typeof content === 'string' ? content : JSON.stringify(content ?? '')}\n\n${text}`;

const isGeminiResult = ({ functionResponse }: JsonObject): boolean => isObject(functionResponse);

/** A result of Gemini is an object: the text goes after what it holds as text, else it gets a field of its own. */
function withGeminiText(part: JsonObject, text: string): JsonObject {
  const returned = part.functionResponse as JsonObject;
  const response = isObject(returned.response) ? returned.response : {};
  const name = ['output', 'result', 'error', 'content'].find((field) => typeof response[field] === 'string');
  const noted = name === undefined ? { ...response, note: text } : { ...response, [name]: `${textOf(response[name])}\n\n${text}` };
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
