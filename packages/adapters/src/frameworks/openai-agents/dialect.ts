import type { EventBase } from '@unrut/engine/event';
import { isObject, type JsonObject, listOf, objectOf, parsed, textOf } from '@unrut/engine/json';
import { messageText } from '@unrut/reading/message-content';
import type { ModelPrice } from '@unrut/reading/prices';
import { spent } from '@unrut/reading/response-cost';
import { addUsage } from '../add-usage.ts';
import type { Dialect, Item, ResultItem, SaidItem } from '../dialect.ts';
import { refusalAt } from '../guarded-answer.ts';
import { hostedItem, providersItems } from '../provider-calls.ts';

/** The used parts of an Agents SDK request. */
export interface AgentRequest {
  input: string | readonly unknown[];
  tools?: readonly unknown[] | undefined;
  /** With one of these, the request contains only new items. */
  previousResponseId?: string | undefined;
  conversationId?: string | undefined;
  /** `text`, or a schema. */
  outputType?: unknown;
}

/** The used parts of an Agents SDK response. */
export interface AgentResponse {
  output: readonly unknown[];
  usage: unknown;
  responseId?: string | undefined;
}

export const inputOfAgent = (input: AgentRequest['input']): readonly unknown[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input);

/** Models of the OpenAI Agents SDK. */
export const openaiAgentsDialect: Dialect<AgentRequest, AgentResponse> = {
  items: ({ input }) =>
    inputOfAgent(input).flatMap((item, i) => (isObject(item) ? readItem(item, i) : [])),
  // Handovers are calls of no listed tool.
  tools: ({ tools }) => tools?.flatMap((tool) => (isObject(tool) ? textOf(tool.name) : [])),
  messages: ({ input }) => inputOfAgent(input),
  hasSchema: ({ outputType }) => isObject(outputType),
  withNotes: (request, notes) =>
    notes.length === 0
      ? request
      : {
          ...request,
          input: inputOfAgent(request.input).map((item, i) => {
            const note = notes.find(({ at }) => at[0] === i);
            return note && isObject(item)
              ? { ...item, output: appended(item.output, note.text) }
              : item;
          }),
        },
  said: ({ output }) => output.flatMap((item) => (isObject(item) ? saidIn(item) : [])),
  calls: ({ output }) => callsIn(output).map(callOf),
  cost: ({ usage }, price) => costOf(usage, price),
  without(response, refused) {
    const calls = callsIn(response.output);
    return {
      ...response,
      output: response.output.filter(
        (item) => !refusalAt(refused, calls.indexOf(item as JsonObject)),
      ),
    };
  },
  askAgain(request, { output, responseId }, refused) {
    const refusals = callsIn(output).map((call, i) =>
      refusalItem(call, refusalAt(refused, i)?.text),
    );
    // The provider's history already contains the response.
    if (request.conversationId) return { ...request, input: refusals };
    if (request.previousResponseId && responseId)
      return { ...request, previousResponseId: responseId, input: refusals };
    return { ...request, input: [...inputOfAgent(request.input), ...output, ...refusals] };
  },
  added: (earlier, later) => ({ ...later, usage: bothUsages(earlier.usage, later.usage) }),
  finalAnswer: (_, { reason, toHuman }) => ({
    output: [
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: toHuman }],
        providerData: { unrut: { stopped: { reason, text: toHuman } } },
      },
    ],
    usage: {
      requests: 0,
      inputTokens: 0,
      outputTokens: 0,
      totalTokens: 0,
      inputTokensDetails: [],
      outputTokensDetails: [],
    },
  }),
};

function readItem(item: JsonObject, i: number): Item[] {
  if (item.role === 'user') return [{ kind: 'user', text: messageText(item.content) }];
  if (item.type === 'function_call') return [{ kind: 'call', ...callOf(item) }];
  if (item.type === 'function_call_result')
    return [{ kind: 'result', id: textOf(item.callId), at: [i], ...resultOf(item.output) }];
  if (item.type === 'hosted_tool_call') return providersItems([hostedItem(item)], i);
  return saidIn(item);
}

function saidIn({ type, role, content, rawContent }: JsonObject): SaidItem[] {
  const isThought = type === 'reasoning';
  if (role !== 'assistant' && !isThought) return [];
  const text = messageText(content) || messageText(rawContent);
  return text === '' ? [] : [{ kind: 'said', text, channel: isThought ? 'thinking' : 'answer' }];
}

export const callsIn = (output: readonly unknown[]): JsonObject[] =>
  output.filter(isObject).filter(({ type }) => type === 'function_call');

const callOf = ({ callId, name, arguments: args }: JsonObject) => ({
  id: textOf(callId),
  tool: textOf(name),
  args: parsed(args),
});

/** The Agents SDK sets no flag on a failure: these are its own words. */
const FAILED = /^An error occurred while (?:running the tool|(parsing) tool arguments)/;
const DENIED = 'Tool execution was not approved.';

function resultOf(output: unknown): Pick<ResultItem, 'result' | 'error' | 'refusedBy'> {
  const result = isObject(output) && output.type === 'text' ? output.text : output;
  if (result === DENIED) return { result, error: true, refusedBy: 'user' };
  const failed = FAILED.exec(textOf(result));
  return {
    result,
    ...(failed ? { error: true } : {}),
    ...(failed?.[1] ? { refusedBy: 'schema' } : {}),
  };
}

function appended(output: unknown, text: string): unknown {
  if (Array.isArray(output)) return [...output, { type: 'input_text', text }];
  if (typeof output === 'string') return `${output}\n\n${text}`;
  if (!isObject(output)) return text;
  if (output.type === 'text') return { ...output, text: `${textOf(output.text)}\n\n${text}` };
  return [asInput(output), { type: 'input_text', text }];
}

/** A picture alone, as one of several parts. */
const asInput = (output: JsonObject): JsonObject => ({
  ...output,
  type: `input_${textOf(output.type).replace(/^input_/, '')}`,
});

/** A refusal as the result of a call. */
export const refusalItem = ({ callId, name, namespace }: JsonObject, text = ''): JsonObject => ({
  type: 'function_call_result',
  callId,
  name,
  ...(namespace === undefined ? {} : { namespace }),
  status: 'completed',
  output: { type: 'text', text },
});

function bothUsages(earlier: unknown, later: unknown): unknown {
  if (!isObject(later) || typeof later.add !== 'function') return addUsage(earlier, later);
  later.add(earlier);
  return later;
}

function costOf(usage: unknown, price?: ModelPrice): EventBase['cost'] {
  const { totalTokens, inputTokens, outputTokens, inputTokensDetails } = objectOf(usage);
  const { cached_tokens, cachedTokens } = objectOf([inputTokensDetails].flat()[0]);
  const counts =
    inputTokens === undefined
      ? { input: totalTokens }
      : { input: inputTokens, output: outputTokens };
  return spent({ ...counts, cached: cached_tokens ?? cachedTokens }, price);
}
