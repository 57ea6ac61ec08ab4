import { isObject, type JsonObject } from '../json.ts';

/** What names a request, and its answer. */
export type MessageId = string | number;

/** A JSON-RPC message of which nothing is certain but that it is an object. */
export type RpcMessage = JsonObject;

export const isMessageId = (value: unknown): value is MessageId => typeof value === 'string' || typeof value === 'number';

/** An exact number, where the engine can tell; TypeScript's library does not know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON?: (source: string) => unknown };

/** The messages in a text: one, or a batch of the older protocol. None when it is something else. */
export function readRpcMessages(text: string): RpcMessage[] {
  const messages = [parse(text, undefined)].flat();
  return messages.every(isObject) ? messages : [];
}

/** The same as an object that can be changed and written again, with every number as it was written. */
export function readExactly(text: string): unknown {
  if (!rawJSON) return parse(text, undefined);
  return parse(text, ((_name: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value) as Reviver);
}

type Reviver = Parameters<typeof JSON.parse>[1];

function parse(text: string, reviver: Reviver): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}
