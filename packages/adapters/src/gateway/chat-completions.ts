import { isObject, type JsonObject, objectOf, objectsOf, parsed, textOf } from '@unrut/engine/json';
import { responseCost } from '@unrut/reading/response-cost';
import { addUsage } from '../frameworks/add-usage.ts';
import { refusalAt } from '../frameworks/guarded-answer.ts';
import { withNotes } from '../frameworks/messages/dialect.ts';
import {
  event,
  type GatewayDialect,
  itemsOnceIn,
  ownId,
  saidIn,
  stoppedSign,
} from './gateway-dialect.ts';

const choiceOf = ({ choices }: JsonObject): JsonObject => objectsOf(choices)[0] ?? {};
const messageOf = (response: JsonObject): JsonObject => objectOf(choiceOf(response).message);
const callsOf = (message: JsonObject): JsonObject[] => objectsOf(message.tool_calls);
/** The called function, or a tool with text input. */
const calledIn = (call: JsonObject): JsonObject => objectOf(call.function ?? call.custom);
const nameOf = (tool: JsonObject): string => textOf(calledIn(tool).name);

/** OpenAI's chat completions, which many other providers and local servers speak too. */
export const chatCompletions: GatewayDialect = {
  matches: (path) => path.endsWith('/chat/completions'),
  isStreamed: ({ stream }) => stream === true,
  scope: ({ prompt_cache_key: key, safety_identifier: id, user }) =>
    textOf(key) || textOf(user) || textOf(id),
  // Several answers at once are no turn of an agent.
  items: ({ messages, n }) => (typeof n === 'number' && n > 1 ? [] : itemsOnceIn(messages)),
  tools: ({ tools }) => (Array.isArray(tools) ? objectsOf(tools).map(nameOf) : undefined),
  hasSchema: ({ response_format: format }) =>
    ['json_schema', 'json_object'].includes(textOf(objectOf(format).type)),
  withNotes: (body, notes) => ({
    ...body,
    messages: withNotes(body.messages, notes),
  }),
  said: (response) => saidIn({ role: 'assistant', ...messageOf(response), tool_calls: undefined }),
  calls: (response) =>
    callsOf(messageOf(response)).map((call) => {
      const { arguments: args, input } = calledIn(call);
      return { id: textOf(call.id), tool: nameOf(call), args: parsed(args ?? input) };
    }),
  cost: ({ usage }, price) => responseCost(usage, price),
  without(response, refused) {
    const message = messageOf(response);
    const kept = callsOf(message).filter((_, i) => !refusalAt(refused, i));
    return {
      ...response,
      choices: [{ ...choiceOf(response), message: { ...message, tool_calls: kept } }],
    };
  },
  askAgain(body, response, refused) {
    const message = { role: 'assistant', ...messageOf(response) };
    const results = callsOf(message).map(({ id }, i) => ({
      role: 'tool',
      tool_call_id: id,
      content: refusalAt(refused, i)?.text ?? '',
    }));
    return { ...body, messages: [...objectsOf(body.messages), message, ...results] };
  },
  added: (earlier, later) => ({ ...later, usage: addUsage(earlier.usage, later.usage) }),
  finalAnswer: (body, plan) => ({
    id: `chatcmpl-${ownId()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: textOf(body.model),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          ...(chatCompletions.hasSchema!(body)
            ? { content: null, refusal: plan.toHuman }
            : { content: plan.toHuman, refusal: null }),
        },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    unrut: stoppedSign(plan),
  }),
  streamOf: (response) =>
    event(chunkOf(response, { role: 'assistant', content: '' })) + restOf(response, 0, true),
  open() {
    const message: JsonObject = { role: 'assistant', content: null };
    const calls: JsonObject[] = [];
    let whole: JsonObject = {};
    let finish: unknown = null;
    /** Letters of the answer before the first call. */
    let said = 0;
    return {
      read(data) {
        const { choices, ...base } = data;
        whole = { ...whole, ...base };
        const { delta, finish_reason: reason } = choiceOf(data);
        const added = objectOf(delta);
        for (const name of ['content', 'reasoning_content', 'reasoning'])
          if (textOf(added[name]) !== '')
            message[name] = textOf(message[name]) + textOf(added[name]);
        for (const piece of objectsOf(added.tool_calls)) addCall(calls, piece);
        finish = reason ?? finish;
        if (calls.length === 0) said = textOf(message.content).length;
        const { content, reasoning_content, reasoning } = added;
        return {
          said: saidIn({
            role: 'assistant',
            content: textOf(content),
            reasoning_content,
            reasoning,
          }),
          holds:
            finish !== null || objectsOf(choices).length === 0
              ? 'end'
              : calls.length > 0
                ? 'calls'
                : undefined,
        };
      },
      response: () => ({
        ...whole,
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            message: calls.length > 0 ? { ...message, tool_calls: calls } : message,
            finish_reason: finish,
          },
        ],
      }),
      rest: (response, isOther) =>
        restOf({ ...response, id: whole.id }, isOther ? 0 : said, isObject(whole.usage)),
      cut: ({ plan, hasSchema }) =>
        event(
          chunkOf(
            whole,
            hasSchema ? { refusal: plan.toHuman } : { content: `\n\n${plan.toHuman}` },
          ),
        ) +
        event({ ...chunkOf(whole, {}, 'stop'), unrut: stoppedSign(plan) }) +
        event('[DONE]'),
    };
  },
};

/** Pieces of one call share an index; its arguments grow. */
function addCall(calls: JsonObject[], { index: given, ...piece }: JsonObject): void {
  const index = typeof given === 'number' ? given : calls.length;
  const name = isObject(piece.custom) ? 'custom' : 'function';
  const field = name === 'custom' ? 'input' : 'arguments';
  const known = calls[index];
  const before = known ? calledIn(known) : {};
  const added = calledIn(piece);
  const called = { ...before, ...added, [field]: textOf(before[field]) + textOf(added[field]) };
  if (known) known[name] = called;
  else calls[index] = { ...piece, [name]: called };
}

const chunkOf = (
  { id, created, model }: JsonObject,
  delta: JsonObject,
  finish: unknown = null,
): JsonObject => ({
  id,
  object: 'chat.completion.chunk',
  created,
  model,
  choices: [{ index: 0, delta, finish_reason: finish }],
});

function restOf(response: JsonObject, from: number, hasUsage: boolean): string {
  const message = messageOf(response);
  const text = textOf(message.content).slice(from);
  return [
    ...(text === '' ? [] : [event(chunkOf(response, { content: text }))]),
    ...(textOf(message.refusal) === ''
      ? []
      : [event(chunkOf(response, { refusal: message.refusal }))]),
    ...callsOf(message).map((call, index) =>
      event(chunkOf(response, { tool_calls: [{ index, ...call }] })),
    ),
    event({
      ...chunkOf(response, {}, choiceOf(response).finish_reason),
      ...(response.unrut === undefined ? {} : { unrut: response.unrut }),
    }),
    ...(hasUsage ? [event({ ...chunkOf(response, {}), choices: [], usage: response.usage })] : []),
    event('[DONE]'),
  ].join('');
}
