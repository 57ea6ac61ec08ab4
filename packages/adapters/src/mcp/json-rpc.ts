import { isObject, type JsonObject, parsed } from '@unrut/engine/json';

/** The id of a request and its answer. */
export type MessageId = string | number;

/** A JSON-RPC message: an object that is not validated yet. */
export type RpcMessage = JsonObject;

export const isMessageId = (value: unknown): value is MessageId =>
  typeof value === 'string' || typeof value === 'number';

/**
 * The messages in a text: one, or a batch of the older protocol. Empty if the text is something
 * else.
 */
export function readRpcMessages(text: string): RpcMessage[] {
  const messages = [parsed(text)].flat();
  return messages.every(isObject) ? messages : [];
}
