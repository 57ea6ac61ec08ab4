import { fieldsOf, listOf, type ModelApi, readConversation, streamed } from './model.ts';

/** Anthropic's Messages, as Claude Code asks them. */
export const anthropicMessages: ModelApi = {
  asks: (url) => url.startsWith('/v1/messages') && !url.includes('count_tokens'),
  read(body) {
    const { tools, messages } = fieldsOf(body);
    return listOf(tools).length > 2
      ? readConversation(listOf(messages), ({ role }) => role === 'assistant')
      : undefined;
  },
  write({ text, calls = [], tokens = 10 }, id) {
    const send = (type: string, fields: object): string => streamed({ type, ...fields }, type);
    const usage = { input_tokens: tokens, output_tokens: 5 };
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      content: [],
      stop_reason: null,
      usage,
    };
    const blocks = [
      ...(text === undefined
        ? []
        : [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text } }]),
      ...calls.map(({ name, args }, i) => ({
        start: { type: 'tool_use', id: `toolu_${id}_${i}`, name, input: {} },
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(args) },
      })),
    ];
    return [
      send('message_start', { message }),
      ...blocks.flatMap(({ start, delta }, index) => [
        send('content_block_start', { index, content_block: start }),
        send('content_block_delta', { index, delta }),
        send('content_block_stop', { index }),
      ]),
      send('message_delta', {
        delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage,
      }),
      send('message_stop', {}),
    ].join('');
  },
};
