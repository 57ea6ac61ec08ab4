import { codexResult } from '@unrut/agents/hosts/codex/result';
import { type JsonObject, listOf, objectOf, objectsOf, parsed, textOf } from '@unrut/engine/json';
import { responseCost } from '@unrut/reading/response-cost';
import { addUsage } from '../frameworks/add-usage.ts';
import type { RefusedCall } from '../frameworks/dialect.ts';
import { refusalAt } from '../frameworks/guarded-answer.ts';
import { withNotes } from '../frameworks/messages/dialect.ts';
import {
  event,
  type GatewayDialect,
  itemsOnceIn,
  ownId,
  type StreamCut,
  saidIn,
  stoppedSign,
} from './gateway-dialect.ts';

const CALLS: readonly unknown[] = ['function_call', 'custom_tool_call'];
const callsIn = ({ output }: JsonObject): JsonObject[] =>
  objectsOf(output).filter(({ type }) => CALLS.includes(type));

/** The input as a list; a bare text is a message of a person. */
export const inputItems = ({ input }: JsonObject): unknown[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : listOf(input);

/** The id of a conversation that the provider keeps. */
export const conversationOf = (conversation: unknown): string =>
  textOf(conversation) || textOf(objectOf(conversation).id);

/** A refusal as the result of each call. */
export const refusalsOf = (response: JsonObject, refused: readonly RefusedCall[]): JsonObject[] =>
  callsIn(response).flatMap(({ type, call_id }, i) => {
    const refusal = refusalAt(refused, i);
    return refusal ? [{ type: `${textOf(type)}_output`, call_id, output: refusal.text }] : [];
  });

/** OpenAI's Responses. */
export const openaiResponses: GatewayDialect = {
  matches: (path) => path.endsWith('/responses'),
  isStreamed: ({ stream }) => stream === true,
  scope: ({ conversation, prompt_cache_key: key, safety_identifier: id, user }) =>
    conversationOf(conversation) || textOf(key) || textOf(user) || textOf(id),
  // Codex writes what changes with every run before what a command printed.
  items: (body) => itemsOnceIn(inputItems(body), codexResult),
  tools: ({ tools }) => (Array.isArray(tools) ? objectsOf(tools).flatMap(namesOf) : undefined),
  hasSchema: ({ text }) =>
    ['json_schema', 'json_object'].includes(textOf(objectOf(objectOf(text).format).type)),
  withNotes: (body, notes) => ({
    ...body,
    input: withNotes(inputItems(body), notes),
  }),
  said: ({ output }) => objectsOf(output).flatMap(saidIn),
  calls: (response) =>
    callsIn(response).map(({ call_id, name, arguments: args, input }) => ({
      id: textOf(call_id),
      tool: textOf(name),
      args: parsed(args ?? input),
    })),
  cost: ({ usage }, price) => responseCost(usage, price),
  without(response, refused) {
    const calls = callsIn(response);
    const isRefused = (item: JsonObject): boolean =>
      refusalAt(refused, calls.indexOf(item)) !== undefined;
    const output = objectsOf(response.output);
    /**
     * A thought cannot be sent back without the item that followed it, nor an item of that id
     * without the thought.
     */
    let isCutOff = false;
    const kept = output.flatMap((item, i) => {
      if (item.type === 'reasoning')
        isCutOff = isRefused(output.slice(i).find(({ type }) => type !== 'reasoning') ?? {});
      if (isRefused(item) || (isCutOff && item.type === 'reasoning')) return [];
      return [
        isCutOff && item.id !== undefined
          ? { ...item, id: `${textOf(item.id).split('_', 1)[0]}_${ownId()}` }
          : item,
      ];
    });
    return { ...response, output: kept };
  },
  // A conversation that the provider keeps has the response already.
  askAgain: (body, response, refused) => ({
    ...body,
    input: [
      ...(body.conversation ? [] : [...inputItems(body), ...listOf(response.output)]),
      ...refusalsOf(response, refused),
    ],
  }),
  added: (earlier, later) => ({ ...later, usage: addUsage(earlier.usage, later.usage) }),
  finalAnswer: (body, plan) => ({
    id: `resp_${ownId()}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: { unrut: 'stopped' },
    model: textOf(body.model),
    output: [
      {
        type: 'message',
        id: `msg_${ownId()}`,
        status: 'completed',
        role: 'assistant',
        content: [lastPart({ plan, hasSchema: openaiResponses.hasSchema!(body) })],
      },
    ],
    parallel_tool_calls: true,
    previous_response_id: body.previous_response_id ?? null,
    tool_choice: 'auto',
    tools: [],
    usage: {
      input_tokens: 0,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 0,
    },
    unrut: stoppedSign(plan),
  }),
  streamOf(response) {
    const begun = { ...response, status: 'in_progress', output: [], usage: null };
    const start = { type: 'response.created', sequence_number: 0, response: begun };
    return (
      event(start, start.type) +
      restOf(response, objectsOf(response.output), { index: 0, number: 1, before: [] })
    );
  },
  open() {
    const items: JsonObject[] = [];
    let whole: JsonObject = {};
    let holds: 'calls' | 'end' | undefined;
    let sent = 0;
    let number = 0;
    /** Of the answer that is being written. */
    let text = '';
    return {
      read(data) {
        const { type, item, response, output_index: index, delta, sequence_number: count } = data;
        const kind = textOf(type);
        if (typeof count === 'number' && !holds) number = count + 1;
        if (response !== undefined) whole = { ...whole, ...objectOf(response) };
        if (/^response\.(?:completed|incomplete|failed)$/.test(kind) || kind === 'error')
          holds = 'end';
        if (item !== undefined) {
          // Reasoning belongs to the call after it: both must be sent back together.
          if (CALLS.includes(objectOf(item).type) || objectOf(item).type === 'reasoning')
            holds ??= 'calls';
          if (!holds) sent = Number(index ?? items.length) + 1;
          if (kind.endsWith('.added')) text = '';
          items[Number(index ?? items.length)] = objectOf(item);
        }
        const isThought = /^response\.reasoning(?:_summary)?_text\.delta$/.test(kind);
        if (kind !== 'response.output_text.delta' && !isThought) return { said: [], holds };
        if (!isThought) text += textOf(delta);
        return {
          said: [{ kind: 'said', text: textOf(delta), channel: isThought ? 'thinking' : 'answer' }],
          holds,
        };
      },
      response: () => ({
        ...whole,
        output: objectsOf(whole.output).length > 0 ? whole.output : items.filter(Boolean),
      }),
      rest(response, isOther) {
        const output = objectsOf(response.output);
        const place = {
          index: sent,
          number,
          before: isOther ? items.slice(0, sent) : output.slice(0, sent),
        };
        // Clients want one id in all of a stream.
        return restOf({ ...response, id: whole.id }, isOther ? output : output.slice(sent), place);
      },
      cut(why) {
        const at = sent - 1;
        const last = lastPart(why);
        const message = {
          ...items[at],
          status: 'completed',
          content: [{ type: 'output_text', text, annotations: [] }, last],
        };
        const place = { index: at, number, before: items.slice(0, Math.max(0, at)) };
        const [, , , ...open] = at < 0 ? [] : endsOf(message, at);
        const response = {
          ...whole,
          status: 'completed',
          metadata: { ...objectOf(whole.metadata), unrut: 'stopped' },
          unrut: stoppedSign(why.plan),
        };
        return ending(response, at < 0 ? [] : [message], place, open);
      },
    };
  },
};

/** Part of a final message: a text, or the API's own refusal if a text would violate a schema. */
const lastPart = ({ plan: { toHuman }, hasSchema }: StreamCut): JsonObject =>
  hasSchema
    ? { type: 'refusal', refusal: toHuman }
    : { type: 'output_text', text: toHuman, annotations: [] };

/** Tools may be kept together under one name. */
const namesOf = ({ name, type, tools }: JsonObject): string[] =>
  Array.isArray(tools) ? objectsOf(tools).flatMap(namesOf) : [textOf(name) || textOf(type)];

/** Where a stream continues: after these items, with this index and event number. */
interface Place {
  index: number;
  number: number;
  before: readonly JsonObject[];
}

const restOf = (response: JsonObject, items: readonly JsonObject[], place: Place): string =>
  ending(
    response,
    items,
    place,
    items.flatMap((item, i) => endsOf(item, place.index + i)),
  );

function ending(
  response: JsonObject,
  items: readonly JsonObject[],
  { number, before }: Place,
  events: readonly JsonObject[],
): string {
  const last = {
    type: 'response.completed',
    response: { ...response, output: [...before, ...items] },
  };
  return [...events, last]
    .map((data, i) => event({ ...data, sequence_number: number + i }, textOf(data.type)))
    .join('');
}

/** The events of one item: its start, its content in one piece, and its end. */
function endsOf(item: JsonObject, output_index: number): JsonObject[] {
  const { id: item_id, type } = item;
  const about = { item_id, output_index };
  const begun = {
    type: 'response.output_item.added',
    output_index,
    item: { ...item, status: 'in_progress', ...emptied(item) },
  };
  const done = { type: 'response.output_item.done', output_index, item };
  const field = type === 'function_call' ? 'arguments' : 'input';
  if (CALLS.includes(type)) {
    const name = `response.${type === 'function_call' ? 'function_call_arguments' : 'custom_tool_call_input'}`;
    return [
      begun,
      { type: `${name}.delta`, ...about, delta: item[field] },
      { type: `${name}.done`, ...about, name: item.name, [field]: item[field] },
      done,
    ];
  }
  if (type !== 'message') return [begun, done];
  const parts = objectsOf(item.content).flatMap((part, content_index): JsonObject[] => {
    const at = { ...about, content_index };
    const text = textOf(part.text);
    if (part.type === 'refusal')
      return [
        { type: 'response.content_part.added', ...at, part: { ...part, refusal: '' } },
        { type: 'response.refusal.delta', ...at, delta: part.refusal },
        { type: 'response.refusal.done', ...at, refusal: part.refusal },
        { type: 'response.content_part.done', ...at, part },
      ];
    return [
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      { type: 'response.output_text.delta', ...at, delta: text, logprobs: [] },
      { type: 'response.output_text.done', ...at, text, logprobs: [] },
      { type: 'response.content_part.done', ...at, part },
    ];
  });
  return [begun, ...parts, done];
}

const emptied = ({ type }: JsonObject): JsonObject =>
  type === 'function_call'
    ? { arguments: '' }
    : type === 'custom_tool_call'
      ? { input: '' }
      : type === 'message'
        ? { content: [] }
        : {};
