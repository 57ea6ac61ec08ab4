import {
  type Json,
  type ProviderApi,
  rule,
  ruleOfResults,
  sse,
  textIn,
  words,
} from './provider-api.ts';

/** OpenAI's Responses, with histories that it keeps. */
export function responsesApi(): ProviderApi {
  const stored = new Map<string, Json[]>();
  /** The item after each reasoning item. */
  const followers = new Map<string, string>();
  /** The reasoning before an item. */
  const thoughts = new Map<string, string>();
  const listed = ({ input }: Json): Json[] =>
    typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const before = ({ previous_response_id: previous, conversation }: Json): Json[] => {
    rule(!(previous && conversation), 'expected a previous response or a conversation, got both');
    if (conversation) return stored.get(conversation) ?? [];
    rule(!previous || stored.has(previous), `no response ${previous}`);
    return stored.get(previous) ?? [];
  };
  return {
    asks: (url) => url.startsWith('/v1/responses'),
    isStreamed: ({ stream }) => stream === true,
    read(body) {
      const items = [...before(body), ...listed(body)];
      for (const [i, { type = 'message', id, content }] of items.entries()) {
        if (type === 'message') rule(textIn(content) !== '', `item ${i} is empty`);
        const follower = followers.get(id);
        if (follower !== undefined)
          rule(
            follower === items[i + 1]?.id,
            `${id} was provided without the item that followed it`,
          );
        const thought = thoughts.get(id);
        if (thought !== undefined)
          rule(
            items.slice(0, i).some((item) => item.id === thought),
            `${id} was provided without ${thought}`,
          );
      }
      const calls = items
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id }) => call_id);
      const outputs = items.filter(({ type }) => type === 'function_call_output');
      ruleOfResults(
        calls,
        outputs.map(({ call_id }) => call_id),
      );
      return {
        prompt:
          items
            .filter(({ role }) => role === 'user')
            .map(({ content }) => textIn(content))
            .at(-1) ?? '',
        calls,
        answered: outputs.map(({ call_id }) => call_id),
        results: outputs.map(({ output }) => textIn(output)),
      };
    },
    write(body, { id, text, calls = [], thought }) {
      const output: Json[] = [
        ...(thought === undefined
          ? []
          : [
              {
                type: 'reasoning',
                id: `rs_${id}`,
                summary: [{ type: 'summary_text', text: thought }],
              },
            ]),
        ...(text === undefined
          ? []
          : [
              {
                type: 'message',
                id: `msg_${id}`,
                status: 'completed',
                role: 'assistant',
                content: [{ type: 'output_text', text, annotations: [] }],
              },
            ]),
        ...calls.map(({ id: call_id, tool, args }, i) => ({
          type: 'function_call',
          id: `fc_${id}_${i}`,
          call_id,
          name: tool,
          arguments: JSON.stringify(args),
          status: 'completed',
        })),
      ];
      if (thought !== undefined) followers.set(`rs_${id}`, output[1].id);
      if (thought !== undefined)
        for (const item of output.slice(1)) thoughts.set(item.id, `rs_${id}`);
      const history = [...before(body), ...listed(body), ...output];
      stored.set(body.conversation ?? `resp_${id}`, history);
      const usage = {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 15,
      };
      const whole = {
        id: `resp_${id}`,
        object: 'response',
        created_at: 1,
        status: 'completed',
        error: null,
        incomplete_details: null,
        instructions: null,
        metadata: {},
        model: body.model,
        output,
        parallel_tool_calls: true,
        tool_choice: 'auto',
        tools: [],
        usage,
      };
      const begun = { ...whole, status: 'in_progress', output: [], usage: null };
      const datas: Json[] = [
        { type: 'response.created', response: begun },
        { type: 'response.in_progress', response: begun },
        ...output.flatMap(itemEvents),
        { type: 'response.completed', response: whole },
      ];
      return {
        whole,
        events: datas.map((data, sequence_number) => sse({ ...data, sequence_number }, data.type)),
      };
    },
    failure: (message) => ({
      error: { message, type: 'invalid_request_error', param: null, code: null },
    }),
  };
}

function itemEvents(item: Json, output_index: number): Json[] {
  const about = { item_id: item.id, output_index };
  const done = { type: 'response.output_item.done', output_index, item };
  const added = (fields: object) => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, ...fields },
  });
  if (item.type === 'function_call')
    return [
      added({ arguments: '', status: 'in_progress' }),
      ...(item.arguments.match(/.{1,5}/gs) ?? []).map((delta: string) => ({
        type: 'response.function_call_arguments.delta',
        ...about,
        delta,
      })),
      {
        type: 'response.function_call_arguments.done',
        ...about,
        name: item.name,
        arguments: item.arguments,
      },
      done,
    ];
  if (item.type === 'reasoning')
    return [
      added({ summary: [] }),
      {
        type: 'response.reasoning_summary_part.added',
        ...about,
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      },
      {
        type: 'response.reasoning_summary_text.delta',
        ...about,
        summary_index: 0,
        delta: item.summary[0].text,
      },
      {
        type: 'response.reasoning_summary_text.done',
        ...about,
        summary_index: 0,
        text: item.summary[0].text,
      },
      {
        type: 'response.reasoning_summary_part.done',
        ...about,
        summary_index: 0,
        part: item.summary[0],
      },
      done,
    ];
  const [part] = item.content;
  const at = { ...about, content_index: 0 };
  return [
    added({ content: [], status: 'in_progress' }),
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
    ...words(part.text).map((delta) => ({
      type: 'response.output_text.delta',
      ...at,
      delta,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...at, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part },
    done,
  ];
}
