import { present } from '@unrut/engine/json';
import {
  type Json,
  type ProviderApi,
  rule,
  ruleOfResults,
  sse,
  textIn,
  words,
} from './provider-api.ts';

/** OpenAI's chat completions. */
export const chatApi = (): ProviderApi => ({
  asks: (url) => url.startsWith('/v1/chat/completions'),
  isStreamed: ({ stream }) => stream === true,
  read({ messages }) {
    const calls: string[] = [];
    const answered: string[] = [];
    const results: string[] = [];
    let prompt = '';
    for (const [i, { role, content, tool_calls = [], tool_call_id }] of (
      messages as Json[]
    ).entries()) {
      rule(textIn(content) !== '' || tool_calls.length > 0, `message ${i} is empty`);
      if (role === 'user') prompt = textIn(content);
      if (role === 'tool') {
        rule(calls.includes(tool_call_id), `message ${i} answers no call`);
        answered.push(tool_call_id);
        results.push(textIn(content));
      }
      if (role !== 'assistant') continue;
      const ids: string[] = tool_calls.map((call: Json) => call.id);
      calls.push(...ids);
      const after = messages.slice(i + 1);
      const end = after.findIndex((each: Json) => each.role !== 'tool');
      const answers = end < 0 ? after : after.slice(0, end);
      if (ids.length > 0)
        ruleOfResults(
          ids,
          answers.map((each: Json) => each.tool_call_id),
        );
    }
    return { prompt, calls, answered, results };
  },
  write({ model, stream_options }, { id, text, calls = [], thought }) {
    const base = { id: `chatcmpl-${id}`, created: 1, model };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const tool_calls = calls.map(({ id, tool, args }) => ({
      id,
      type: 'function',
      function: { name: tool, arguments: JSON.stringify(args) },
    }));
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
    const message = {
      role: 'assistant',
      content: text ?? null,
      refusal: null,
      ...present({ reasoning_content: thought }),
      ...(calls.length > 0 ? { tool_calls } : {}),
    };
    const chunk = (delta: object, finish: string | null = null) =>
      sse({
        ...base,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    return {
      whole: {
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, message, logprobs: null, finish_reason }],
        usage,
      },
      events: [
        chunk({ role: 'assistant', content: '' }),
        ...(thought === undefined ? [] : [chunk({ reasoning_content: thought })]),
        ...words(text).map((word) => chunk({ content: word })),
        ...tool_calls.flatMap(({ id, type, function: called }, index) => [
          chunk({
            tool_calls: [{ index, id, type, function: { name: called.name, arguments: '' } }],
          }),
          ...(called.arguments.match(/.{1,5}/gs) ?? []).map((part) =>
            chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
          ),
        ]),
        chunk({}, finish_reason),
        ...(stream_options?.include_usage
          ? [sse({ ...base, object: 'chat.completion.chunk', choices: [], usage })]
          : []),
        sse('[DONE]'),
      ],
    };
  },
  failure: (message) => ({ error: { message, type: 'invalid_request_error' } }),
});
