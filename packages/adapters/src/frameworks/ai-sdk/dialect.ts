import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  parsed,
  textOf,
} from '@unrut/engine/json';
import { spentIn } from '@unrut/reading/response-cost';
import { addUsage } from '../add-usage.ts';
import type { Dialect, Item, Note, RefusedCall, ResultItem, SaidItem } from '../dialect.ts';
import { refusalAt } from '../guarded-answer.ts';

/** The used parts of the input of `doGenerate` and `doStream`. */
export interface ModelRequest {
  prompt: readonly unknown[];
  tools?: readonly unknown[] | undefined;
  providerOptions?: unknown;
  responseFormat?: unknown;
}

/** The used parts of the result of `doGenerate`. */
export interface ModelResponse {
  content: readonly unknown[];
  finishReason: unknown;
  usage: unknown;
  providerMetadata?: unknown;
  warnings: readonly unknown[];
}

const partsOf = (message: unknown): JsonObject[] => objectsOf(objectOf(message).content);

const textsOf = (parts: readonly JsonObject[]): string =>
  parts.flatMap(({ type, text }) => (type === 'text' ? textOf(text) : [])).join('\n');

/** Models of the AI SDK, major versions 6 and 7: `LanguageModelV3` and `V4`. */
export const aiSdkDialect: Dialect<ModelRequest, ModelResponse> = {
  items: ({ prompt }) => prompt.flatMap((message, i) => itemsOf(message, i)),
  tools: ({ tools }) => tools?.flatMap((tool) => (isObject(tool) ? textOf(tool.name) : [])),
  messages: ({ prompt }) => prompt,
  hasSchema: ({ responseFormat }) => objectOf(responseFormat).type === 'json',
  withNotes: (request, notes) => ({
    ...request,
    prompt: request.prompt.map((message, i) =>
      withNote(
        message,
        notes.filter(({ at }) => at[0] === i),
      ),
    ),
  }),
  said: ({ content }) => content.flatMap((part) => (isObject(part) ? saidIn(part) : [])),
  calls: ({ content }) =>
    callsIn(content).map(({ toolCallId, toolName, input }) => ({
      id: textOf(toolCallId),
      tool: textOf(toolName),
      args: parsed(input),
    })),
  cost: ({ usage }, price) =>
    spentIn(
      usage,
      {
        input: 'inputTokens.total',
        cached: 'inputTokens.cacheRead',
        output: 'outputTokens.total',
      },
      price,
    ),
  without(response, refused) {
    const calls = callsIn(response.content);
    return {
      ...response,
      content: response.content.filter(
        (part) => !refusalAt(refused, calls.indexOf(part as JsonObject)),
      ),
    };
  },
  askAgain: (request, response, refused) => ({
    ...request,
    prompt: [
      ...request.prompt,
      { role: 'assistant', content: response.content.flatMap(asPrompt) },
      refusals(response, refused),
    ],
  }),
  added: (earlier, later) => ({ ...later, usage: addUsage(earlier.usage, later.usage) }),
  finalAnswer: (_, { reason, toHuman }) => ({
    content: [{ type: 'text', text: toHuman }],
    finishReason: { unified: 'stop', raw: 'unrut' },
    usage: { inputTokens: {}, outputTokens: {} },
    providerMetadata: { unrut: { stopped: { reason, text: toHuman } } },
    warnings: [],
  }),
};

function itemsOf(message: unknown, i: number): Item[] {
  const role = objectOf(message).role;
  const parts = partsOf(message);
  if (role === 'user') return [{ kind: 'user', text: textsOf(parts) }];
  if (role !== 'assistant' && role !== 'tool') return [];
  return parts.flatMap((part, j): Item[] => {
    const id = textOf(part.toolCallId);
    if (part.type === 'tool-call')
      return [{ kind: 'call', id, tool: textOf(part.toolName), args: part.input }];
    if (part.type === 'tool-result')
      return [
        {
          kind: 'result',
          id,
          at: [i, j],
          ...resultOf(part.output),
          ...(role === 'assistant' ? { isFixed: true } : {}),
        },
      ];
    return role === 'assistant' ? saidIn(part) : [];
  });
}

function saidIn({ type, text }: JsonObject): SaidItem[] {
  if (type !== 'text' && type !== 'reasoning') return [];
  return [{ kind: 'said', text: textOf(text), channel: type === 'text' ? 'answer' : 'thinking' }];
}

/** The AI SDK answers an unusable call itself, with one of these texts. */
const BAD_INPUT = /^(?:AI_)?(?:InvalidToolInputError: )?Invalid input for tool /;

function resultOf(output: unknown): Pick<ResultItem, 'result' | 'error' | 'refusedBy'> {
  if (!isObject(output)) return { result: output };
  const { type, value, reason } = output;
  if (type === 'execution-denied') return { result: reason, error: true, refusedBy: 'user' };
  if (type !== 'error-text' && type !== 'error-json') return { result: value };
  return {
    result: value,
    error: true,
    ...(BAD_INPUT.test(textOf(value)) ? { refusedBy: 'schema' } : {}),
  };
}

function withNote(message: unknown, notes: readonly Note[]): unknown {
  if (notes.length === 0 || !isObject(message) || !Array.isArray(message.content)) return message;
  // Positions count parts that are objects, and so does this.
  const parts = partsOf(message);
  const content = message.content.map((part: unknown) => {
    const note = notes.find(({ at }) => parts[at[1]!] === part);
    return note && isObject(part) ? { ...part, output: appended(part.output, note.text) } : part;
  });
  return { ...message, content };
}

/** Providers send JSON as text, so a text may follow it. */
function appended(output: unknown, text: string): unknown {
  if (!isObject(output)) return output;
  const { type, value, reason } = output;
  if (type === 'content') return { ...output, value: [...listOf(value), { type: 'text', text }] };
  if (type === 'execution-denied')
    return { ...output, reason: `${textOf(reason)}\n\n${text}`.trimStart() };
  const isText = typeof value === 'string' && !textOf(type).endsWith('json');
  const to = textOf(type).startsWith('error') ? 'error-text' : 'text';
  return { ...output, type: to, value: `${isText ? value : JSON.stringify(value)}\n\n${text}` };
}

/** Calls that the provider does not run itself. */
const callsIn = (content: readonly unknown[]): JsonObject[] =>
  content
    .filter(isObject)
    .filter(({ type, providerExecuted }) => type === 'tool-call' && providerExecuted !== true);

/** Converts response parts to prompt parts, including providers' signatures. */
function asPrompt(part: unknown): JsonObject[] {
  if (!isObject(part)) return [];
  const { providerMetadata, ...rest } = part;
  const own = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
  if (part.type === 'text' || part.type === 'reasoning') return [{ ...rest, ...own }];
  if (part.type === 'tool-call') return [{ ...rest, input: parsed(part.input), ...own }];
  if (part.type !== 'tool-result') return [];
  const { result, isError, ...result2 } = rest;
  return [{ ...result2, output: { type: isError ? 'error-json' : 'json', value: result }, ...own }];
}

function refusals({ content }: ModelResponse, refused: readonly RefusedCall[]): JsonObject {
  const results = callsIn(content).map(({ toolCallId, toolName }, i) => ({
    type: 'tool-result',
    toolCallId,
    toolName,
    output: { type: 'error-text', value: refusalAt(refused, i)?.text ?? '' },
  }));
  return { role: 'tool', content: results };
}
