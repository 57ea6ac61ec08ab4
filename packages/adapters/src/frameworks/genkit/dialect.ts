import type { Call } from '@unrut/engine/event';
import {
  isObject,
  type JsonObject,
  objectOf,
  objectsOf,
  present,
  textOf,
} from '@unrut/engine/json';
import { spentIn } from '@unrut/reading/response-cost';
import { addUsage } from '../add-usage.ts';
import type { Dialect, Item, SaidItem } from '../dialect.ts';
import { refusalAt } from '../guarded-answer.ts';

/** The used parts of a Genkit request. */
export interface GenkitRequest {
  messages: readonly unknown[];
  tools?: readonly unknown[] | undefined;
  output?: unknown;
}

/** The used parts of a Genkit response. */
export interface GenkitResponse {
  message?: unknown;
  usage?: unknown;
}

const partsOf = (message: unknown): JsonObject[] => objectsOf(objectOf(message).content);

const isCall = (part: JsonObject): boolean => isObject(part.toolRequest);
const callsIn = ({ message }: GenkitResponse): JsonObject[] => partsOf(message).filter(isCall);

function callOf({ toolRequest }: JsonObject): Call {
  const { ref, name, input } = toolRequest as JsonObject;
  return { id: textOf(ref), tool: textOf(name), args: input ?? {} };
}

/** Models of Genkit. */
export const genkitDialect: Dialect<GenkitRequest, GenkitResponse> = {
  items: ({ messages }) =>
    Array.isArray(messages) ? messages.flatMap((message, i) => itemsOf(message, i)) : [],
  tools: ({ tools }) => tools?.flatMap((tool) => (isObject(tool) ? textOf(tool.name) : [])),
  messages: ({ messages }) => messages,
  hasSchema: ({ output }) => {
    const { schema, format } = objectOf(output);
    return schema !== undefined || format === 'json';
  },
  withNotes: (request, notes) => ({
    ...request,
    messages: request.messages.map((message, i) => {
      const here = notes.filter(({ at }) => at[0] === i);
      if (here.length === 0 || !isObject(message)) return message;
      const parts = partsOf(message);
      return {
        ...message,
        content: parts.map((part, j) => withNote(part, here.find(({ at }) => at[1] === j)?.text)),
      };
    }),
  }),
  said: ({ message }) => partsOf(message).flatMap(saidIn),
  calls: (response) => callsIn(response).map(callOf),
  cost: ({ usage }, price) =>
    spentIn(
      usage,
      { input: 'inputTokens', cached: 'cachedContentTokens', output: 'outputTokens' },
      price,
    ),
  without(response, refused) {
    const calls = callsIn(response);
    const content = partsOf(response.message).filter(
      (part) => !refusalAt(refused, calls.indexOf(part)),
    );
    return { ...response, message: { ...(response.message as JsonObject), content } };
  },
  askAgain: (request, response, refused) => ({
    ...request,
    messages: [
      ...request.messages,
      response.message,
      {
        role: 'tool',
        content: callsIn(response).map(({ toolRequest }, i) => {
          const { ref, name } = toolRequest as JsonObject;
          return {
            toolResponse: {
              ...present({ ref }),
              name,
              output: refusalAt(refused, i)?.text ?? '',
            },
          };
        }),
      },
    ],
  }),
  added: (earlier, later) => ({ ...later, usage: addUsage(earlier.usage, later.usage) }),
  finalAnswer: (_, { reason, toHuman }) => ({
    message: {
      role: 'model',
      content: [{ text: toHuman }],
      metadata: { unrut: { stopped: { reason, text: toHuman } } },
    },
    finishReason: 'stop',
    usage: {},
  }),
};

function itemsOf(message: unknown, i: number): Item[] {
  const role = objectOf(message).role;
  const parts = partsOf(message);
  if (role === 'user')
    return [{ kind: 'user', text: parts.map(({ text }) => textOf(text)).join('\n') }];
  if (role !== 'model' && role !== 'tool') return [];
  return parts.flatMap((part, j): Item[] => {
    if (isCall(part)) return [{ kind: 'call', ...callOf(part) }];
    if (!isObject(part.toolResponse)) return saidIn(part);
    const { ref, output, content } = part.toolResponse;
    return [{ kind: 'result', id: textOf(ref), at: [i, j], result: output ?? content }];
  });
}

function saidIn({ text, reasoning }: JsonObject): SaidItem[] {
  const said = textOf(text) || textOf(reasoning);
  return said === ''
    ? []
    : [{ kind: 'said', text: said, channel: textOf(text) === '' ? 'thinking' : 'answer' }];
}

function withNote(part: JsonObject, note: string | undefined): JsonObject {
  if (note === undefined || !isObject(part.toolResponse)) return part;
  const { output } = part.toolResponse;
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? '');
  return { ...part, toolResponse: { ...part.toolResponse, output: `${text}\n\n${note}` } };
}
