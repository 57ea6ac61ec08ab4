import { isObject, type JsonObject, listOf } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import { messageParts } from '@unrut/reading/chat/message-parts';
import type { Returned } from '@unrut/reading/importer';
import type { Dialect, Item, SaidItem } from '../frameworks/dialect.ts';
import { itemsIn } from '../frameworks/messages/dialect.ts';
import { itemsOnce } from './known-messages.ts';

/** A provider's API: its bodies, and its streams of server-sent events. */
export interface GatewayDialect extends Dialect<JsonObject, JsonObject> {
  /** Whether a request to this path is a question to a model. */
  matches(path: string): boolean;
  isStreamed(body: JsonObject, path: string): boolean;
  /** The request's user or thread, which separates conversations with equal beginnings. */
  scope?(body: JsonObject): string;
  /** Begins to read a stream. */
  open(): StreamReading;
  /** A whole response as a stream. */
  streamOf(response: JsonObject): string;
}

/** The content of a stream event. */
export interface StreamPiece {
  said: readonly SaidItem[];
  /** The event begins calls or data that they require, or the end. */
  holds?: 'calls' | 'end' | undefined;
}

export interface StreamReading {
  /** Adds an event. */
  read(data: JsonObject): StreamPiece;
  /** The response assembled from the events. */
  response(): JsonObject;
  /**
   * The events after those that came before the first call: of this response, or of another one
   * that takes its place.
   */
  rest(response: JsonObject, isOther: boolean): string;
  /** The events that end the stream here, as a normal end, and say why. */
  cut(why: StreamCut): string;
}

/** Why a stream is ended before the model ended it. */
export interface StreamCut {
  plan: Plan;
  /** The output must match a schema, so no text may be appended. */
  hasSchema: boolean;
}

/** The sign for programs that Unrut ended a run or an answer, as a field of the last answer. */
export const stoppedSign = ({ reason, toHuman }: Plan): JsonObject => ({
  stopped: { reason, text: toHuman },
});

/** The items of a list of messages; `read` says more of the text of a result. */
export const itemsOnceIn = (messages: unknown, read?: (result: string) => Returned): Item[] => {
  const each = (message: unknown, i: number): Item[] =>
    isObject(message) ? itemsIn(messageParts(message), i, read) : [];
  return listOf(messages).flatMap((message, i) => itemsOnce(message, i, each));
};

/** The texts in a message. */
export const saidIn = (message: JsonObject): SaidItem[] =>
  itemsIn(messageParts(message), 0).filter(
    (item): item is SaidItem => item.kind === 'said' && item.text !== '',
  );

/** One event of a stream. */
export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** Part of an id of our own. */
export const ownId = (): string => `unrut_${crypto.randomUUID().replaceAll('-', '')}`;
