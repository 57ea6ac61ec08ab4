import { isObject, type JsonObject, listOf, objectOf, objectsOf, textOf } from '@unrut/engine/json';
import { contentBlocks, messageText } from '@unrut/reading/message-content';
import { spentIn } from '@unrut/reading/response-cost';
import { addUsage } from '../add-usage.ts';
import type { Dialect, Item, RefusedCall, SaidItem } from '../dialect.ts';
import { refusalAt } from '../guarded-answer.ts';
import { providersItems } from '../provider-calls.ts';

/** A message of LangChain, as far as it is read. */
export interface ChatMessage {
  content: unknown;
  id?: string | undefined;
  type?: string;
  tool_calls?: unknown;
  tool_call_id?: unknown;
  status?: unknown;
  additional_kwargs?: unknown;
  usage_metadata?: unknown;
  response_metadata?: unknown;
}

export interface ChatRequest {
  messages: readonly ChatMessage[];
  tools?: readonly unknown[] | undefined;
  /** The answer has to match a schema. */
  hasSchema?: boolean;
}

/** The parts of `@langchain/core` for creating messages. */
export interface MessageClasses {
  AIMessage: new (fields: object) => ChatMessage;
  ToolMessage: new (fields: object) => ChatMessage;
}

const callsOf = ({ tool_calls: calls }: ChatMessage): JsonObject[] => objectsOf(calls);

/** Chat models of LangChain. */
export const langchainDialect = ({
  AIMessage,
  ToolMessage,
}: MessageClasses): Dialect<ChatRequest, ChatMessage> => ({
  items: ({ messages }) => messages.flatMap((message, i) => itemsOf(message, i)),
  tools: ({ tools }) => tools?.map(nameOf),
  messages: ({ messages }) => messages,
  hasSchema: (request) => request.hasSchema === true,
  withNotes: (request, notes) => ({
    ...request,
    messages: request.messages.map((message, i) => {
      const note = notes.find(({ at }) => at[0] === i);
      return note
        ? new ToolMessage({ ...message, content: appended(message.content, note.text) })
        : message;
    }),
  }),
  said: (message) => saidIn(message),
  calls: (message) =>
    callsOf(message).map(({ id, name, args }) => ({ id: textOf(id), tool: textOf(name), args })),
  cost: ({ usage_metadata: usage }, price) =>
    spentIn(
      usage,
      {
        input: 'input_tokens',
        cached: 'input_token_details.cache_read',
        output: 'output_tokens',
      },
      price,
    ),
  without: (message, refused) => new AIMessage(withoutCalls(message, refused)),
  askAgain: (request, message, refused) => ({
    ...request,
    messages: [
      ...request.messages,
      message,
      ...callsOf(message).map(
        ({ id, name }, i) =>
          new ToolMessage({
            content: refusalAt(refused, i)?.text ?? '',
            tool_call_id: id,
            name,
            status: 'error',
          }),
      ),
    ],
  }),
  added: (earlier, later) =>
    earlier.usage_metadata === undefined
      ? later
      : new AIMessage({
          ...later,
          usage_metadata: addUsage(earlier.usage_metadata, later.usage_metadata),
        }),
  finalAnswer: (_, { reason, toHuman }) =>
    new AIMessage({
      content: toHuman,
      response_metadata: { unrut: { stopped: { reason, text: toHuman } } },
    }),
});

/** A tool's name, in the forms of LangChain and of the providers. */
function nameOf(tool: unknown): string {
  if (!isObject(tool)) return '';
  return (
    textOf(tool.name) ||
    (isObject(tool.function) ? textOf(tool.function.name) : '') ||
    textOf(tool.type)
  );
}

function itemsOf(message: ChatMessage, i: number): Item[] {
  if (!isObject(message)) return [];
  const { type, content } = message as ChatMessage;
  if (type === 'human') return [{ kind: 'user', text: messageText(content) }];
  if (type === 'tool') {
    const isFailed = message.status === 'error';
    return [
      {
        kind: 'result',
        id: textOf(message.tool_call_id),
        at: [i],
        result: content,
        ...(isFailed ? { error: true } : {}),
      },
    ];
  }
  if (type !== 'ai') return [];
  const calls = callsOf(message).map(
    ({ id, name, args }): Item => ({ kind: 'call', id: textOf(id), tool: textOf(name), args }),
  );
  return [...saidIn(message), ...providersItems(madeByProvider(message), i), ...calls];
}

/** The parts of a message about tools that the provider ran. */
function madeByProvider({
  content,
  additional_kwargs: extra,
  ...message
}: ChatMessage): JsonObject[] {
  const own = new Set(callsOf({ ...message, content }).map(({ id }) => id));
  const made = [...objectsOf(content), ...objectsOf(objectOf(extra).tool_outputs)];
  return made.filter(({ id }) => id === undefined || !own.has(id));
}

const THOUGHT = /^(?:reasoning|thinking)$/;

function saidIn({ content }: ChatMessage): SaidItem[] {
  return contentBlocks(content).flatMap((block): SaidItem[] => {
    const text = textOf(block.text) || textOf(block.thinking) || textOf(block.reasoning);
    const isThought = THOUGHT.test(textOf(block.type));
    return text !== '' && (isThought || textOf(block.type) === 'text')
      ? [{ kind: 'said', text, channel: isThought ? 'thinking' : 'answer' }]
      : [];
  });
}

const appended = (content: unknown, text: string): unknown =>
  Array.isArray(content) ? [...content, { type: 'text', text }] : `${textOf(content)}\n\n${text}`;

/**
 * A call is in up to three places of a message: its calls, its content, and the provider's data.
 */
function withoutCalls(message: ChatMessage, refused: readonly RefusedCall[]): object {
  const { content, additional_kwargs: extra } = message;
  const gone = new Set(refused.map(({ call }) => call.id));
  const isKept = (block: unknown): boolean => !(isObject(block) && gone.has(textOf(block.id)));
  const { tool_calls: raw, ...rest } = objectOf(extra);
  return {
    ...message,
    content: Array.isArray(content) ? content.filter(isKept) : content,
    tool_calls: callsOf(message).filter((_, i) => !refusalAt(refused, i)),
    additional_kwargs: Array.isArray(raw) ? { ...rest, tool_calls: raw.filter(isKept) } : rest,
    response_metadata: withoutOutput(message, gone),
  };
}

/** The calls among the items of the Responses API, which go back to it as they are. */
export const outputCallsOf = ({ response_metadata: about }: ChatMessage): JsonObject[] =>
  objectsOf(objectOf(about).output).filter((item) => 'call_id' in item);

/** Removes the items of some calls from a response. */
export function withoutOutput(message: ChatMessage, gone: ReadonlySet<string>): JsonObject {
  const about = objectOf(message.response_metadata);
  const refused = new Set<unknown>(
    outputCallsOf(message).filter(({ call_id: id }) => gone.has(textOf(id))),
  );
  return refused.size === 0
    ? about
    : { ...about, output: listOf(about.output).filter((item) => !refused.has(item)) };
}
