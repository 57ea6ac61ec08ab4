import {
  type Json,
  type ProviderApi,
  rule,
  ruleOfResults,
  sse,
  textIn,
  words,
} from './provider-api.ts';

const signed = (thinking: string): string => `signature of ${thinking}`;

/** Anthropic's messages. */
export const anthropicApi = (): ProviderApi => ({
  asks: (url) => /^\/v1\/messages(?:\?|$)/.test(url),
  isStreamed: ({ stream }) => stream === true,
  read({ messages, thinking }) {
    const calls: string[] = [];
    const answered: string[] = [];
    const results: string[] = [];
    let prompt = '';
    for (const [i, { role, content }] of (messages as Json[]).entries()) {
      rule(role === (i % 2 === 0 ? 'user' : 'assistant'), `message ${i}: expected roles in turns`);
      rule(content.length > 0, `message ${i} is empty`);
      const blocks: Json[] =
        typeof content === 'string' ? [{ type: 'text', text: content }] : content;
      for (const [j, block] of blocks.entries()) {
        if (block.type === 'text') rule(block.text !== '', `message ${i}: text ${j} is empty`);
        if (block.type !== 'thinking') continue;
        rule(
          block.signature === signed(block.thinking),
          `message ${i}: the signature of the thought is wrong`,
        );
        rule(blocks[j - 1]?.type !== 'thinking', `message ${i}: thoughts of two responses`);
      }
      const uses = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
      const own = blocks.filter(({ type }) => type === 'tool_result');
      if (uses.length > 0 && thinking)
        rule(
          blocks[0].type === 'thinking',
          `message ${i}: expected a thinking block before the calls`,
        );
      calls.push(...uses);
      answered.push(...own.map(({ tool_use_id }) => tool_use_id));
      results.push(...own.map((each) => textIn(each.content)));
      if (role === 'user' && own.length === 0) prompt = textIn(content);
      if (role === 'assistant' && i < messages.length - 1) {
        const next: Json[] = Array.isArray(messages[i + 1].content) ? messages[i + 1].content : [];
        ruleOfResults(
          uses,
          next.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id),
        );
      }
    }
    return { prompt, calls, answered, results };
  },
  write({ model }, { id, text, calls = [], thought }) {
    const usage = { input_tokens: 10, output_tokens: 5 };
    const blocks: Json[] = [
      ...(thought === undefined
        ? []
        : [{ type: 'thinking', thinking: thought, signature: signed(thought) }]),
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, tool, args }) => ({ type: 'tool_use', id, name: tool, input: args })),
    ];
    const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model,
      content: blocks,
      stop_reason,
      stop_sequence: null,
      usage,
    };
    const send = (type: string, fields: object): string => sse({ type, ...fields }, type);
    return {
      whole: message,
      events: [
        send('message_start', { message: { ...message, content: [], stop_reason: null } }),
        send('ping', {}),
        ...blocks.flatMap((block, index) => [
          send('content_block_start', { index, content_block: emptied(block) }),
          ...deltasOf(block).map((delta) => send('content_block_delta', { index, delta })),
          send('content_block_stop', { index }),
        ]),
        send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage }),
        send('message_stop', {}),
      ],
    };
  },
  failure: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
});

const emptied = (block: Json): Json =>
  block.type === 'text'
    ? { ...block, text: '' }
    : block.type === 'thinking'
      ? { ...block, thinking: '', signature: '' }
      : { ...block, input: {} };

const deltasOf = ({ type, text, thinking, signature, input }: Json): Json[] =>
  type === 'text'
    ? words(text).map((word) => ({ type: 'text_delta', text: word }))
    : type === 'thinking'
      ? [
          { type: 'thinking_delta', thinking },
          { type: 'signature_delta', signature },
        ]
      : (JSON.stringify(input).match(/.{1,5}/gs) ?? []).map((part) => ({
          type: 'input_json_delta',
          partial_json: part,
        }));
