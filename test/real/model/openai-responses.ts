import { fieldsOf, listOf, type ModelApi, readConversation, streamed } from './model.ts';

/** OpenAI's Responses, as Codex asks them. */
export const openaiResponses: ModelApi = {
  asks: (url) => url.includes('/responses'),
  read(body) {
    const { tools, input } = fieldsOf(body);
    const isReply = ({ type, role }: Record<string, unknown>) =>
      role === 'assistant' ||
      type === 'function_call' ||
      type === 'custom_tool_call' ||
      type === 'reasoning';
    return listOf(tools).length > 2 ? readConversation(listOf(input), isReply) : undefined;
  },
  write({ text, calls = [] }, id) {
    const send = (type: string, fields: object): string => streamed({ type, ...fields }, type);
    const output = [
      ...(text === undefined
        ? []
        : [
            {
              type: 'message',
              id: `m_${id}`,
              role: 'assistant',
              content: [{ type: 'output_text', text }],
            },
          ]),
      ...calls.map(({ args, ...tool }, i) => {
        const call = {
          id: `fc_${id}_${i}`,
          call_id: `call_${id}_${i}`,
          ...tool,
          status: 'completed',
        };
        return typeof args === 'string'
          ? { type: 'custom_tool_call', ...call, input: args }
          : { type: 'function_call', ...call, arguments: JSON.stringify(args) };
      }),
    ];
    const usage = {
      input_tokens: 10,
      input_tokens_details: null,
      output_tokens: 5,
      output_tokens_details: null,
      total_tokens: 15,
    };
    return [
      send('response.created', { response: { id: `resp_${id}` } }),
      ...output.map((item, output_index) =>
        send('response.output_item.done', { output_index, item }),
      ),
      send('response.completed', { response: { id: `resp_${id}`, output, usage } }),
    ].join('');
  },
};
