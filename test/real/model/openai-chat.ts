import { fieldsOf, listOf, type ModelApi, readConversation, streamed } from './model.ts';

/** OpenAI's chat completions, as OpenCode asks them. */
export const openaiChat: ModelApi = {
  asks: (url) => url.includes('/chat/completions'),
  read(body) {
    const { tools, messages } = fieldsOf(body);
    return listOf(tools).length > 2
      ? readConversation(listOf(messages), ({ role }) => role === 'assistant')
      : undefined;
  },
  write({ text, calls = [] }, id) {
    const chunk = {
      id: `chatcmpl-${id}`,
      object: 'chat.completion.chunk',
      created: 1,
      model: 'scripted',
    };
    const tool_calls = calls.map(({ name, args }, index) => ({
      index,
      id: `call_${id}_${index}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    const delta = {
      role: 'assistant',
      ...(text === undefined ? {} : { content: text }),
      ...(calls.length > 0 ? { tool_calls } : {}),
    };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    return [
      streamed({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] }),
      streamed({
        ...chunk,
        choices: [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
        usage,
      }),
      streamed('[DONE]'),
    ].join('');
  },
};
