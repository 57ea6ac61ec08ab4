/**
 * One call of a tool. Arguments that are a text are sent as they are, to tools without a schema.
 */
export interface ToolCall {
  name: string;
  /** Of tools that Codex keeps together. */
  namespace?: string;
  args: Record<string, unknown> | string;
}

/** What a model answers: calls, or a text that ends its turn. */
export interface Reply {
  text?: string;
  calls?: readonly ToolCall[];
  /** Seconds that the model takes for it. */
  takes?: number;
  /** How many tokens the conversation is said to have, where an agent can be told. */
  tokens?: number;
}

/** A request of the agent's own loop, as a script needs to know it. */
export interface Asked {
  /** Whether a nested agent asks: one whose task has `NESTED` in it. */
  nested: boolean;
  /** What was added to the conversation since the model's last reply, as the model reads it. */
  news: string[];
}

/** What a scripted model says to the n-th request of a conversation, counted from 1. */
export type Script = (turn: number, asked: Asked) => Reply;

/** Stands in the task of every nested agent. */
export const NESTED = 'on behalf of another agent';

/** One way in which agents ask a model. */
export interface ModelApi {
  /** Whether a request to this address is a question to the model. */
  asks(url: string): boolean;
  /** Undefined for what an agent asks besides its loop, such as a title. */
  read(body: unknown): Asked | undefined;
  /** The body of a streamed answer. `id` is unique on this server. */
  write(reply: Reply, id: string): string;
}

export type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

export const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.map(fieldsOf) : [];

/** All texts in a piece of a conversation, whatever its shape. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * Tells a conversation by what was said before the model spoke, and its news by what was said
 * after.
 */
export function readConversation(
  parts: readonly Fields[],
  isReply: (part: Fields) => boolean,
): Asked {
  const first = parts.findIndex(isReply);
  const task = parts.slice(0, first < 0 ? parts.length : first);
  return {
    nested: JSON.stringify(task).includes(NESTED),
    news: parts.slice(parts.findLastIndex(isReply) + 1).flatMap(textsIn),
  };
}

/** One event of a stream of server-sent events. */
export const streamed = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
