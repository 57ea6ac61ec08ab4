import { type JsonObject, listOf, objectOf, objectsOf, parsed, textOf } from '@unrut/engine/json';
import { responseCost } from '@unrut/reading/response-cost';
import { addUsage } from '../frameworks/add-usage.ts';
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

const callsIn = ({ content }: JsonObject): JsonObject[] =>
  objectsOf(content).filter(({ type }) => type === 'tool_use');
const isThought = ({ type }: JsonObject): boolean =>
  type === 'thinking' || type === 'redacted_thinking';

/** Anthropic's messages. */
export const anthropicApi: GatewayDialect = {
  matches: (path) => path.endsWith('/messages'),
  isStreamed: ({ stream }) => stream === true,
  scope: ({ metadata }) => textOf(objectOf(metadata).user_id),
  items: ({ messages }) => itemsOnceIn(messages),
  tools: ({ tools }) =>
    Array.isArray(tools) ? objectsOf(tools).map(({ name }) => textOf(name)) : undefined,
  hasSchema: ({ output_config: config, output_format: format }) =>
    (objectOf(config).format ?? format) !== undefined,
  withNotes: (body, notes) => ({
    ...body,
    messages: withNotes(body.messages, notes),
  }),
  said: ({ content }) => saidIn({ role: 'assistant', content }),
  calls: (response) =>
    callsIn(response).map(({ id, name, input }) => ({
      id: textOf(id),
      tool: textOf(name),
      args: input,
    })),
  cost: ({ usage }, price) => responseCost(usage, price),
  without(response, refused) {
    const calls = callsIn(response);
    return {
      ...response,
      content: objectsOf(response.content).filter(
        (block) => !refusalAt(refused, calls.indexOf(block)),
      ),
    };
  },
  // The response goes back whole: a signed thought must stand before its calls.
  askAgain(body, response, refused) {
    const results = callsIn(response).map(({ id }, i) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: refusalAt(refused, i)?.text ?? '',
      is_error: true,
    }));
    const turns = [
      { role: 'assistant', content: response.content },
      { role: 'user', content: results },
    ];
    return { ...body, messages: [...objectsOf(body.messages), ...turns] };
  },
  added: (earlier, later) => ({ ...later, usage: addUsage(earlier.usage, later.usage) }),
  finalAnswer: (body, plan) => ({
    id: `msg_${ownId()}`,
    type: 'message',
    role: 'assistant',
    model: textOf(body.model),
    ...lastPart({ plan, hasSchema: anthropicApi.hasSchema!(body) }),
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
    unrut: stoppedSign(plan),
  }),
  streamOf: (response) =>
    named('message_start', { message: { ...response, content: [], stop_reason: null } }) +
    restOf(response, objectsOf(response.content), 0),
  open() {
    const blocks: JsonObject[] = [];
    let message: JsonObject = {};
    let holds: 'calls' | 'end' | undefined;
    /** Blocks before the first call. */
    let sent = 0;
    let isOpen = false;
    return {
      read(data) {
        const { type, index, content_block: block } = data;
        const delta = objectOf(data.delta);
        if (type === 'message_start') message = { ...objectOf(data.message) };
        if (type === 'content_block_start') {
          blocks[Number(index)] = { ...objectOf(block) };
          if (objectOf(block).type === 'tool_use') holds ??= 'calls';
          if (!holds) [sent, isOpen] = [blocks.length, true];
        }
        if (type === 'content_block_stop' && !holds) isOpen = false;
        if (type === 'message_delta') {
          holds = 'end';
          message = {
            ...message,
            ...delta,
            usage: { ...objectOf(message.usage), ...objectOf(data.usage) },
          };
        }
        const open = blocks[Number(index)];
        if (type !== 'content_block_delta' || !open) return { said: [], holds };
        grow(open, delta);
        const said = saidIn({
          role: 'assistant',
          content: [{ ...delta, type: delta.type === 'thinking_delta' ? 'thinking' : 'text' }],
        });
        return { said, holds };
      },
      response: () => ({
        ...message,
        content: blocks.map(({ json, ...block }) =>
          textOf(json) === '' ? block : { ...block, input: parsed(json) },
        ),
      }),
      rest(response, isOther) {
        const content = objectsOf(response.content);
        if (!isOther) return restOf(response, content.slice(sent), sent);
        // A signed thought of this response was passed on and replaces the other's, since the API
        // rejects thoughts of two responses.
        const hasThought = blocks.slice(0, sent).some(isThought);
        return restOf(
          response,
          hasThought ? content.filter((block) => !isThought(block)) : content,
          sent,
        );
      },
      cut(why) {
        const last: JsonObject = { ...message, ...lastPart(why), unrut: stoppedSign(why.plan) };
        const end = isOpen ? named('content_block_stop', { index: sent - 1 }) : '';
        return end + restOf(last, objectsOf(last.content), sent);
      },
    };
  },
};

/** A final text, or the API's own refusal if a text would violate a schema. */
const lastPart = ({ plan: { toHuman }, hasSchema }: StreamCut): JsonObject =>
  hasSchema
    ? {
        content: [],
        stop_reason: 'refusal',
        stop_details: { type: 'refusal', category: null, explanation: toHuman },
      }
    : { content: [{ type: 'text', text: toHuman }], stop_reason: 'end_turn' };

/** Adds a piece to a block. */
function grow(
  block: JsonObject,
  { text, thinking, signature, partial_json: json, citation }: JsonObject,
): void {
  for (const [name, added] of Object.entries({ text, thinking, signature, json }))
    if (typeof added === 'string') block[name] = textOf(block[name]) + added;
  if (citation !== undefined) block.citations = [...listOf(block.citations), citation];
}

const named = (type: string, fields: JsonObject): string => event({ type, ...fields }, type);

/** A block begins empty and comes in pieces. */
function piecesOf(block: JsonObject): { start: JsonObject; deltas: JsonObject[] } {
  const { type, text, thinking, signature, input } = block;
  if (type === 'text')
    return { start: { ...block, text: '' }, deltas: [{ type: 'text_delta', text }] };
  if (type === 'tool_use')
    return {
      start: { ...block, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }],
    };
  if (type !== 'thinking') return { start: block, deltas: [] };
  const signed = signature === undefined ? [] : [{ type: 'signature_delta', signature }];
  return {
    start: { type, thinking: '', signature: '' },
    deltas: [{ type: 'thinking_delta', thinking }, ...signed],
  };
}

function restOf(
  { stop_reason, stop_sequence = null, stop_details, usage, unrut }: JsonObject,
  blocks: readonly JsonObject[],
  from: number,
): string {
  const events = blocks.flatMap((block, i) => {
    const { start, deltas } = piecesOf(block);
    const index = from + i;
    return [
      named('content_block_start', { index, content_block: start }),
      ...deltas.map((delta) => named('content_block_delta', { index, delta })),
      named('content_block_stop', { index }),
    ];
  });
  const delta = {
    stop_reason,
    stop_sequence,
    ...(stop_details === undefined ? {} : { stop_details }),
  };
  const end = named('message_delta', {
    delta,
    usage,
    ...(unrut === undefined ? {} : { unrut }),
  });
  return [...events, end, named('message_stop', {})].join('');
}
