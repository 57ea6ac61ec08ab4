import { isObject, type JsonObject, listOf, objectOf, parsed, textOf } from '@unrut/engine/json';
import { oneText } from '@unrut/reading/message-content';

/** A tool call that a model asked for. */
export interface AskedCall {
  id?: string;
  tool: string;
  args: unknown;
}

/** A tool result within a prompt. */
export interface HeardResult {
  id?: string;
  result: unknown;
  error?: true;
}

/** A chat message from any library. Without a role, its author is unknown. */
export interface TraceMessage {
  role: Role | undefined;
  text: string;
  thought: string;
  calls: AskedCall[];
  results: HeardResult[];
}

type Role = 'system' | 'user' | 'assistant' | 'tool';

const ROLES = new Map<unknown, Role>([
  ...['system', 'developer', 'SystemMessage'].map((name) => [name, 'system'] as const),
  ...['user', 'human', 'HumanMessage'].map((name) => [name, 'user'] as const),
  ...['assistant', 'ai', 'model', 'AIMessage', 'AIMessageChunk'].map(
    (name) => [name, 'assistant'] as const,
  ),
  ...['tool', 'function', 'ToolMessage', 'FunctionMessage'].map((name) => [name, 'tool'] as const),
]);

/** Fields that contain the messages of prompts and responses. */
const WRAPPINGS = [
  'messages',
  'message',
  'choices',
  'candidates',
  'generations',
  'contents',
  'prompt',
  'output',
  'input',
];

/**
 * The messages in a prompt or response, as value or JSON text: GenAI conventions, OpenAI,
 * Anthropic, Gemini, Bedrock, LangChain and AI SDK. Other text is a message of the role `plain`, if
 * given.
 */
export function readMessages(value: unknown, plain?: Role): TraceMessage[] {
  const messages = messagesIn(parsed(value), plain);
  const isText = typeof value === 'string' && value.trim() !== '' && plain !== undefined;
  return messages.length === 0 && isText ? [{ ...empty(plain), text: value }] : messages;
}

function messagesIn(value: unknown, plain: Role | undefined): TraceMessage[] {
  if (Array.isArray(value)) {
    // A batch; traces contain only one.
    if (Array.isArray(value[0])) return messagesIn(value[0], plain);
    const items = value.filter(isObject);
    if (items.some((item) => tellsRole(item) || wrappedIn(item) !== undefined))
      return items.flatMap((item) => messagesIn(item, undefined));
    return items.length === 0 ? [] : [readMessage({ content: items }, plain)];
  }
  if (!isObject(value)) return [];
  if (isPart(value)) return [readMessage({ content: [value] }, plain ?? 'assistant')];
  if (tellsRole(value)) return [readMessage(value)];
  const wrapped = wrappedIn(value);
  if (wrapped !== undefined) return readMessages(wrapped, plain);
  return ['content', 'parts', 'text', 'tool_calls'].some((name) => value[name] !== undefined)
    ? [readMessage(value, plain)]
    : [];
}

const empty = (role: Role | undefined): TraceMessage => ({
  role,
  text: '',
  thought: '',
  calls: [],
  results: [],
});
const tellsRole = (item: JsonObject): boolean =>
  typeof item.role === 'string' || classOf(item) !== '' || ROLES.has(item.type);

/** Of several answers, the first was used. */
function wrappedIn(value: JsonObject): unknown {
  if (isPart(value)) return undefined;
  const name = WRAPPINGS.find((each) => value[each] !== undefined && value[each] !== null);
  if (name === undefined) return isObject(value.content) ? value.content : undefined;
  const inner = value[name];
  return (name === 'choices' || name === 'candidates') && Array.isArray(inner) ? inner[0] : inner;
}

/** LangChain serialises a message as a constructor call. */
const classOf = (value: JsonObject): string =>
  Array.isArray(value.id) && isObject(value.kwargs) ? textOf(value.id.at(-1)) : '';

/** One message; `fallback` is the role if it has none. */
export function readMessage(value: JsonObject, fallback?: Role): TraceMessage {
  const fields = isObject(value.kwargs) ? value.kwargs : isObject(value.data) ? value.data : value;
  const role = ROLES.get(classOf(value)) ?? ROLES.get(value.role) ?? ROLES.get(value.type);
  const message = empty(role ?? (typeof value.role === 'string' ? undefined : fallback));
  const content = fields.content ?? fields.parts ?? fields.contents ?? fields.text;
  const parts = Array.isArray(content) ? content : [content];
  if (role === 'tool' && !parts.some((part) => isObject(part) && isResult(part)))
    message.results.push(resultOf(fields, content));
  else for (const part of parts) readPart(message, part);
  message.thought ||=
    textOf(fields.reasoning_content) || textOf(fields.reasoning) || textOf(fields.thinking);
  for (const call of listedCalls(fields)) {
    if (call.id === undefined || !message.calls.some(({ id }) => id === call.id))
      message.calls.push(call);
  }
  return message;
}

function readPart(message: TraceMessage, given: unknown): void {
  if (typeof given === 'string') message.text = append(message.text, given);
  if (!isObject(given)) return;
  const part = isObject(given.message_content) ? given.message_content : given;
  const type = textOf(part.type);
  if (isResult(part)) {
    const inner = [part.functionResponse, part.toolResult].find(isObject) ?? part;
    message.results.push(
      resultOf(inner, inner.response ?? inner.result ?? inner.output ?? inner.content),
    );
  } else if (isCall(part)) {
    message.calls.push(callOf(part));
    // Inspect stores the result of a provider's tool in the same part as the call.
    if (part.result !== undefined) message.results.push(resultOf(part, part.result));
  } else if (type === 'reasoning' || type === 'thinking') {
    // Reasoning may be encrypted, with a readable summary.
    const open =
      part.redacted === true ? [] : [part.text, part.content, part.thinking, part.reasoning];
    const thought = [...open, oneText(part.summary)].find((text) => textOf(text) !== '');
    message.thought = append(message.thought, textOf(thought));
  } else if (type === '' || /^(?:input_|output_)?text$/.test(type)) {
    message.text = append(message.text, textOf(part.text) || textOf(part.content));
  }
}

const append = (text: string, more: string): string =>
  text === '' || more === '' ? text + more : `${text}\n${more}`;

const CALL = /^(?:server_)?tool[_-](?:call|use)$|^(?:function|mcp|custom_tool)_call$/;
const RESULT = /tool[_-](?:call_)?(?:result|response)$|^(?:function|custom_tool)_call_output$/;

const isCall = (part: JsonObject): boolean =>
  CALL.test(textOf(part.type)) ||
  [part.functionCall, part.toolUse, part.tool_call].some(isObject) ||
  isNamed(part.function);
const isResult = (part: JsonObject): boolean =>
  RESULT.test(textOf(part.type)) || [part.functionResponse, part.toolResult].some(isObject);
const isPart = (part: JsonObject): boolean =>
  isCall(part) || isResult(part) || part.type === 'reasoning' || part.type === 'thinking';
const isNamed = (value: unknown): boolean => isObject(value) && typeof value.name === 'string';

const ID = ['toolCallId', 'tool_call_id', 'tool_use_id', 'toolUseId', 'call_id', 'id'];

function withId<Rest extends object>(fields: JsonObject, rest: Rest): Rest & { id?: string } {
  const name = ID.find((each) => typeof fields[each] === 'string' && fields[each] !== '');
  return name === undefined ? rest : { id: fields[name] as string, ...rest };
}

function callOf(given: JsonObject): AskedCall {
  const call = [given.tool_call, given.functionCall, given.toolUse].find(isObject) ?? given;
  const inner = isObject(call.function) ? call.function : call;
  const tool = textOf(inner.name) || textOf(call.toolName) || textOf(call.function);
  return withId(call, {
    tool,
    args: parsed(inner.arguments ?? inner.args ?? inner.input ?? call.server_tool_call),
  });
}

function listedCalls(fields: JsonObject): AskedCall[] {
  const extra = objectOf(fields.additional_kwargs);
  const lists = [fields.tool_calls, extra.tool_calls].filter((list) => Array.isArray(list));
  const listed = lists.find(({ length }) => length > 0) ?? [];
  const invalid = listOf(fields.invalid_tool_calls);
  const single = [fields.function_call, extra.function_call];
  return [...listed, ...invalid, ...single].filter(isObject).map(callOf);
}

function resultOf(fields: JsonObject, content: unknown): HeardResult {
  // The AI SDK's output marks errors.
  const typed =
    isObject(content) && typeof content.type === 'string' && 'value' in content
      ? content
      : undefined;
  const failed =
    [fields.is_error, fields.isError].includes(true) ||
    fields.status === 'error' ||
    isObject(fields.error);
  const error = failed || textOf(typed?.type).startsWith('error') ? { error: true as const } : {};
  return withId(fields, { result: typed ? typed.value : oneText(content), ...error });
}

/** A tool's output, extracted from LangChain's message. */
export function readToolOutput(value: unknown): HeardResult {
  const given =
    isObject(value) && Object.keys(value).length === 1 && 'output' in value ? value.output : value;
  if (!isObject(given)) return { result: given };
  const [message] =
    tellsRole(given) || isObject(given.update) ? messagesIn(given.update ?? given, undefined) : [];
  return message?.role === 'tool' ? message.results[0]! : { result: given };
}
