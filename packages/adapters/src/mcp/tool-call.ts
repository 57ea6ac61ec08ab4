import type { Call, CallFinished, RefusedBy } from '@unrut/engine/event';
import type { Annotations, ListedTool } from '@unrut/engine/event-parts';
import { isObject, type JsonObject, listOf, objectOf, textOf } from '@unrut/engine/json';
import { resultContent } from '@unrut/reading/message-content';
import type { RpcMessage } from './json-rpc.ts';

/** The declarations of ours that a tool, or one call of it, may carry in its `_meta`. */
const DECLARED = ['unrut/identity', 'unrut/poll', 'unrut/patch', 'unrut/look'] as const;
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** A tool's annotations in a list; invalid hints are omitted. */
export function annotationsOf({ annotations, _meta: meta }: JsonObject): Annotations {
  const said = objectOf(annotations);
  const hints = HINTS.flatMap((name) =>
    typeof said[name] === 'boolean' ? [[name, said[name]]] : [],
  );
  return { ...Object.fromEntries(hints), ...declaredIn(meta) };
}

/**
 * The names of a tool's arguments and of the required ones; undefined if it does not declare them.
 */
export function argumentsOf({ inputSchema }: JsonObject): Pick<ListedTool, 'takes'> {
  if (!isObject(inputSchema) || !isObject(inputSchema.properties)) return {};
  const needed = new Set(listOf(inputSchema.required));
  return {
    takes: Object.fromEntries(
      Object.keys(inputSchema.properties).map((name) => [name, needed.has(name)]),
    ),
  };
}

/** What a `_meta` declares. */
export function declaredIn(meta: unknown): Annotations {
  if (!isObject(meta)) return {};
  return Object.fromEntries(
    DECLARED.flatMap((name) => (meta[name] === undefined ? [] : [[name, meta[name]]])),
  );
}

/** The call in the parameters of `tools/call`; undefined if they name no tool. */
export function callOf(params: unknown, id: string): Call | undefined {
  if (!isObject(params) || typeof params.name !== 'string') return undefined;
  return { id, tool: params.name, args: params.arguments ?? {} };
}

/**
 * The client continues with a call that had asked for input: the same call again, and rightly so.
 */
export const isContinued = (params: unknown): boolean =>
  isObject(params) && (params.inputResponses !== undefined || params.requestState !== undefined);

/**
 * The request belongs to the protocol without sessions, whose results say of what type they are.
 */
export const isStateless = (params: unknown): boolean =>
  isObject(params) &&
  isObject(params._meta) &&
  params._meta['io.modelcontextprotocol/protocolVersion'] !== undefined;

/** A result that ends the call: neither a question to the client nor a task that continues. */
export const isComplete = (result: unknown): result is JsonObject =>
  isObject(result) &&
  (result.resultType === undefined || result.resultType === 'complete') &&
  (Array.isArray(result.content) || result.structuredContent !== undefined);

/**
 * The task that a call was turned into: in a field of its own, or in the result itself since the
 * tasks became an extension.
 */
export function taskOf(result: unknown): string | undefined {
  if (!isObject(result)) return undefined;
  const { task, taskId } = result;
  const id = isObject(task) ? task.taskId : taskId;
  return typeof id === 'string' ? id : undefined;
}

/** The outcome of a call, for its event. */
export type CallReturned = Pick<CallFinished, 'result' | 'error' | 'refusedBy'>;

/**
 * The outcome in a complete result. The model reads the content; if there is none, the structured
 * content.
 */
export function toolResult({ content, structuredContent, isError }: JsonObject): CallReturned {
  const shown =
    Array.isArray(content) && content.length > 0
      ? resultContent(content)
      : (structuredContent ?? '');
  return { result: shown, ...(typeof isError === 'boolean' ? { error: isError } : {}) };
}

const INVALID_PARAMS = -32602;

/** The outcome in a protocol error. */
export function failedBy({ code, message }: RpcMessage): CallReturned {
  const said = textOf(message);
  return {
    error: said || `error ${String(code)}`,
    ...(code === INVALID_PARAMS ? { refusedBy: refuserOf(said) } : {}),
  };
}

const refuserOf = (message: string): RefusedBy =>
  /tool/i.test(message) && /not found|unknown|no such|not exist/i.test(message)
    ? 'unknown-tool'
    : 'schema';
