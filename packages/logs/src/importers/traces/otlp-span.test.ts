import { span } from '@unrut/test/importers/otlp-records';
import { describe, expect, it } from 'vitest';
import { createSource } from '../source.ts';
import { attributesOf, plainValue, spreadList } from './otlp-attributes.ts';
import { tracePlaceOf } from './otlp-place.ts';
import { readSpan } from './otlp-span.ts';

type Attributes = Record<string, string | number | boolean>;

const toldBySpan = (given: Parameters<typeof span>[0]): unknown => readSpan(span(given)).tells;

describe('a span of a tool', () => {
  const call = (told: object, returned: object = { durationMs: 1 }): object => ({
    kind: 'tool',
    ...told,
    returned,
  });

  it.each<[string, Parameters<typeof span>[0], object]>([
    [
      'in the GenAI conventions',
      {
        name: 'execute_tool ls',
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'ls',
          'gen_ai.tool.call.id': 'c1',
          'gen_ai.tool.call.arguments': '{"path":"."}',
          'gen_ai.tool.call.result': 'a.ts',
        },
      },
      call({ call: 'c1', tool: 'ls', args: { path: '.' } }, { result: 'a.ts', durationMs: 1 }),
    ],
    [
      'that has only a name, and failed',
      {
        name: 'execute_tool ls',
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'error.type': 'timeout' },
      },
      call({ tool: 'ls', args: undefined }, { error: 'timeout', durationMs: 1 }),
    ],
    [
      'of Pydantic AI, before it named the operation',
      {
        name: 'running tool: ls',
        attributes: {
          'gen_ai.tool.name': 'ls',
          'gen_ai.tool.call.id': 'c1',
          tool_arguments: '{"path":"."}',
          tool_response: 'a.ts',
        },
      },
      call({ call: 'c1', tool: 'ls', args: { path: '.' } }, { result: 'a.ts', durationMs: 1 }),
    ],
    [
      'of MCP',
      {
        name: 'tools/call get-weather',
        attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'get-weather' },
      },
      call({ tool: 'get-weather', args: undefined }),
    ],
    [
      'of ADK',
      {
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'ls',
          'gcp.vertex.agent.tool_call_args': '{"path":"."}',
          'gcp.vertex.agent.tool_response': '{"files":["a.ts"]}',
        },
      },
      call({ tool: 'ls', args: { path: '.' } }, { result: { files: ['a.ts'] }, durationMs: 1 }),
    ],
    [
      'that has its input and output as events',
      {
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'ls' },
        events: [
          { name: 'gen_ai.tool.message', attributes: { role: 'tool', content: '{"path":"."}' } },
          { name: 'gen_ai.choice', attributes: { message: '[{"text":"a.ts"}]' } },
        ],
      },
      call({ tool: 'ls', args: { path: '.' } }, { result: [{ text: 'a.ts' }], durationMs: 1 }),
    ],
    [
      'of Traceloop',
      {
        name: 'ls.tool',
        attributes: {
          'traceloop.span.kind': 'tool',
          'traceloop.entity.name': 'ls',
          'traceloop.entity.input': '{"inputs":{"path":"."},"tags":[]}',
          'traceloop.entity.output':
            '{"output":{"type":"tool","tool_call_id":"c1","content":"a.ts"}}',
        },
      },
      call({ call: 'c1', tool: 'ls', args: { path: '.' } }, { result: 'a.ts', durationMs: 1 }),
    ],
    [
      'of OpenInference, whose text stays text',
      {
        name: 'ls',
        attributes: {
          'openinference.span.kind': 'TOOL',
          'tool.id': 'c1',
          'input.value': '{"path":"."}',
          'output.value': '{"a":1}',
          'output.mime_type': 'text/plain',
        },
      },
      call({ call: 'c1', tool: 'ls', args: { path: '.' } }, { result: '{"a":1}', durationMs: 1 }),
    ],
    [
      'of OpenInference that threw',
      {
        name: 'ls',
        attributes: { 'openinference.span.kind': 'TOOL', 'input.value': '.' },
        error: 'no such file\n\nError: no such file\n    at ls (ls.ts:1:1)',
      },
      call({ tool: 'ls', args: '.' }, { error: 'Error: no such file', durationMs: 1 }),
    ],
    [
      'of AI SDK 4',
      {
        attributes: {
          'ai.operationId': 'ai.toolCall',
          'ai.toolCall.name': 'ls',
          'ai.toolCall.id': 'c1',
          'ai.toolCall.args': '{"path":"."}',
          'ai.toolCall.result': '42',
        },
      },
      call({ call: 'c1', tool: 'ls', args: { path: '.' } }, { result: '42', durationMs: 1 }),
    ],
    [
      'of Langfuse',
      {
        name: 'ls',
        attributes: {
          'langfuse.observation.type': 'tool',
          'langfuse.observation.input': '{"path":"."}',
          'langfuse.observation.level': 'ERROR',
          'langfuse.observation.status_message': 'no such file',
        },
      },
      call({ tool: 'ls', args: { path: '.' } }, { error: 'no such file', durationMs: 1 }),
    ],
    [
      'of Claude Code before it knew the GenAI conventions',
      {
        name: 'claude_code.tool',
        attributes: { tool_name: 'Bash', tool_use_id: 'c1', full_command: 'ls' },
        events: [{ name: 'tool.output', attributes: { bash_command: 'ls', output: 'a.ts' } }],
      },
      call({ call: 'c1', tool: 'Bash', args: { command: 'ls' } }, { result: 'a.ts' }),
    ],
    [
      'that waited for a person of Claude Code, who declined',
      {
        name: 'claude_code.tool.blocked_on_user',
        attributes: { decision: 'reject', source: 'user_reject' },
      },
      call({}, { error: true, refusedBy: 'user' }),
    ],
  ])('%s', (_, given, told) => {
    expect(toldBySpan(given)).toEqual(told);
  });
});

describe('a span of a model', () => {
  const turn = {
    kind: 'model',
    heard: { persons: ['Hi'], results: [] },
    says: 'Hello',
    asks: [],
    cost: { tokens: 12 },
  };

  it.each<[string, Attributes, { name: string; attributes: Attributes }[]]>([
    [
      'in the GenAI conventions',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]',
        'gen_ai.output.messages':
          '[{"role":"assistant","parts":[{"type":"text","content":"Hello"}],"finish_reason":"stop"}]',
        'gen_ai.usage.input_tokens': 15,
        'gen_ai.usage.cache_read.input_tokens': 5,
        'gen_ai.usage.output_tokens': 2,
      },
      [],
    ],
    [
      'before there were operations',
      {
        'gen_ai.system': 'openai',
        'gen_ai.prompt.0.role': 'user',
        'gen_ai.prompt.0.content': 'Hi',
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.content': 'Hello',
        'gen_ai.usage.prompt_tokens': 10,
        'gen_ai.usage.completion_tokens': 2,
      },
      [],
    ],
    [
      'with events',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 2,
      },
      [
        { name: 'gen_ai.user.message', attributes: { content: '[{"text":"Hi"}]' } },
        {
          name: 'gen_ai.choice',
          attributes: { finish_reason: 'end_turn', message: '[{"text":"Hello"}]' },
        },
      ],
    ],
    [
      'of ADK',
      {
        'gen_ai.operation.name': 'generate_content',
        'gcp.vertex.agent.llm_request':
          '{"model":"gemini","contents":[{"role":"user","parts":[{"text":"Hi"}]}]}',
        'gcp.vertex.agent.llm_response': '{"content":{"role":"model","parts":[{"text":"Hello"}]}}',
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 2,
      },
      [],
    ],
    [
      'of OpenInference, spread over attributes',
      {
        'openinference.span.kind': 'LLM',
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.contents.0.message_content.type': 'text',
        'llm.input_messages.0.message.contents.0.message_content.text': 'Hi',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': 'Hello',
        'llm.token_count.prompt': 10,
        'llm.token_count.completion': 2,
      },
      [],
    ],
    [
      'of the AI SDK while it streams',
      {
        'ai.operationId': 'ai.streamText.doStream',
        'ai.prompt.messages': '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]',
        'ai.response.text': 'Hello',
        'ai.usage.promptTokens': 10,
        'ai.usage.completionTokens': 2,
      },
      [],
    ],
    [
      'of Langfuse',
      {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.input': '[{"role":"user","content":"Hi"}]',
        'langfuse.observation.output': '{"role":"assistant","content":"Hello"}',
        'langfuse.observation.usage_details':
          '{"input":10,"input_cached_tokens":7,"output":2,"total":19}',
      },
      [],
    ],
  ])('%s', (_, attributes, events) => {
    expect(toldBySpan({ attributes, events })).toEqual(turn);
  });

  it('whose input is plain text has no person: it may be all that was said, in one piece', () => {
    const attributes = {
      'openinference.span.kind': 'LLM',
      'input.value': 'Human: Hi',
      'input.mime_type': 'text/plain',
      'output.value': 'Hello',
    };
    expect(toldBySpan({ attributes })).toEqual({
      kind: 'model',
      heard: { persons: [], results: [] },
      says: 'Hello',
      asks: [],
    });
  });
});

it.each<[string, Parameters<typeof span>[0]]>([
  ['of a database', { name: 'SELECT users', attributes: { 'db.system': 'postgresql' } }],
  ['of another method of MCP', { attributes: { 'mcp.method.name': 'initialize' } }],
  [
    'of embeddings',
    { attributes: { 'gen_ai.operation.name': 'embeddings', 'gen_ai.usage.input_tokens': 3 } },
  ],
  [
    'of a chain',
    { attributes: { 'openinference.span.kind': 'CHAIN', 'input.value': '{"messages":[]}' } },
  ],
  ["of a step of the AI SDK's", { attributes: { 'gen_ai.operation.name': 'agent_step' } }],
  [
    'of a request beside the turns of Claude Code',
    { name: 'claude_code.llm_request', attributes: { 'llm_request.context': 'standalone' } },
  ],
  [
    'of a permission that was given',
    { name: 'claude_code.tool.blocked_on_user', attributes: { decision: 'accept' } },
  ],
])('a span %s tells of no step', (_, given) => {
  expect(toldBySpan(given)).toBeUndefined();
});

describe('where a span stands', () => {
  it.each<[string, Attributes, { session?: string; agent?: string }]>([
    ['in a conversation', { 'gen_ai.conversation.id': 'c', 'session.id': 's' }, { session: 'c' }],
    ['in a session', { 'session.id': 's' }, { session: 's' }],
    [
      'in a session of Langfuse',
      { 'langfuse.session.id': 'l', 'gen_ai.conversation.id': 'c' },
      { session: 'l' },
    ],
    ['in a thread that metadata name', { 'ai.telemetry.metadata.threadId': 't' }, { session: 't' }],
    [
      'in a thread that Traceloop names',
      { 'traceloop.association.properties.session_id': 't' },
      { session: 't' },
    ],
    ['in a graph', { 'langfuse.observation.metadata.langgraph_checkpoint_ns': 'tools:1' }, {}],
    [
      'in a graph of a graph',
      { 'langfuse.observation.metadata.langgraph_checkpoint_ns': 'tools:1|model:2' },
      { agent: 'tools:1' },
    ],
    [
      'in a graph of a graph, by OpenInference',
      { metadata: '{"langgraph_checkpoint_ns":"tools:1|model:2"}' },
      { agent: 'tools:1' },
    ],
    ['in an agent that names itself and is a subagent of none', { agent_id: 'a' }, {}],
    ['nowhere in particular', {}, {}],
  ])('%s', (_, attributes, place) => {
    const { session, agent } = readSpan(span({ attributes }));
    expect({ ...(session && { session }), ...(agent && { agent }) }).toEqual(place);
  });

  it("in a subagent of Claude Code, which has a conversation of its own in the parent's session", () => {
    const attributes = { 'session.id': 's', 'gen_ai.conversation.id': 'a1', agent_id: 'a1' };
    expect(readSpan(span({ name: 'claude_code.tool', attributes }))).toMatchObject({
      session: 's',
      agent: 'a1',
    });
  });

  it('without a parent when its id is empty or zero', () => {
    expect(readSpan(span({ parent: '0000000000000000' }))).not.toHaveProperty('parent');
    expect(readSpan({ ...span({}), traceId: '' })).not.toHaveProperty('trace');
  });

  it('at a time with its fraction', () => {
    const times = {
      startTimeUnixNano: '1794799837378000000',
      endTimeUnixNano: '1794799837380909772',
    };
    expect(readSpan({ ...span({}), ...times })).toMatchObject({
      start: 1794799837378,
      end: 1794799837380.9097,
    });
  });
});

it('attributes that reach for what all objects share, or for a list of a billion, are left out', () => {
  const given = {
    'gen_ai.prompt.__proto__.polluted': 'yes',
    'gen_ai.prompt.0.__proto__.polluted': 'yes',
    'gen_ai.prompt.99999999.role': 'user',
  };
  expect(spreadList({ ...given, 'gen_ai.prompt.1.role': 'user' }, 'gen_ai.prompt')).toEqual([
    undefined,
    { role: 'user' },
  ]);
  expect(spreadList(given, 'gen_ai.prompt')).toBeUndefined();
  expect({}).not.toHaveProperty('polluted');
  expect(
    attributesOf([
      {
        key: '__proto__',
        value: { kvlistValue: { values: [{ key: 'polluted', value: { stringValue: 'yes' } }] } },
      },
    ]),
  ).not.toHaveProperty('polluted');
});

it.each<[string, unknown, unknown]>([
  ['a text', { stringValue: 'x' }, 'x'],
  ['an integer of 64 bits', { intValue: '12' }, 12],
  ['a list', { arrayValue: { values: [{ boolValue: true }, { doubleValue: 0.5 }] } }, [true, 0.5]],
  ['an empty list', { arrayValue: {} }, []],
  [
    'an object',
    { kvlistValue: { values: [{ key: 'a', value: { kvlistValue: { values: [] } } }] } },
    { a: {} },
  ],
  ['nothing', {}, undefined],
  ['what is plain already', 'x', 'x'],
])('%s of OTLP is plain', (_, value, plain) => {
  expect(plainValue(value)).toEqual(plain);
});

it("a session that a list names has no name, and is the file's own", () => {
  expect(tracePlaceOf('chat', { 'session.id': [[]] })).toEqual({});
  const events: unknown[] = [];
  createSource('a.jsonl', { event: ({ event }) => events.push(event.session), unknown: () => {} })
    .run('')
    .person('Hello.', {});
  expect(events).toEqual(['a.jsonl']);
});
