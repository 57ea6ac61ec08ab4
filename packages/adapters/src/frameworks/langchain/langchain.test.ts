import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { tool } from '@langchain/core/tools';
import {
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { textOf } from '@unrut/engine/json';
import { withoutWaiting } from '@unrut/test/frameworks/without-waiting';
import { testDialect } from '@unrut/test/suites/test-dialect';
import {
  type FrameworkUnderTest,
  OUTPUT_SCHEMA,
  type ScriptedAnswer,
  testFramework,
} from '@unrut/test/suites/test-framework';
import { createDeepAgent } from 'deepagents';
import {
  createAgent,
  fakeModel,
  humanInTheLoopMiddleware,
  summarizationMiddleware,
  toolRetryMiddleware,
  toolStrategy,
} from 'langchain';
import { createAgent as createAgentOfOld } from 'langchain-1.1';
import { describe, expect, it } from 'vitest';
import { type ChatRequest, langchainDialect } from './dialect.ts';
import { type FrameworkOptions, guardModel, unrutMiddleware } from './index.ts';

type Model = Parameters<FrameworkUnderTest['open']>[0]['model'];
type Tools = Parameters<FrameworkUnderTest['open']>[0]['tools'];

/** A chat model that follows a script. */
class ScriptedChat extends BaseChatModel {
  readonly #script: Model;

  constructor(script: Model) {
    super({});
    this.#script = script;
  }

  _llmType(): string {
    return 'scripted';
  }

  override bindTools(tools: unknown[], settings?: object): never {
    return this.withConfig({ tools, ...settings } as never) as never;
  }

  #answer(messages: BaseMessage[]): ScriptedAnswer {
    const results = messages.filter((message) => ToolMessage.isInstance(message));
    return this.#script({
      prompt: textOf(messages.findLast((message) => HumanMessage.isInstance(message))?.text),
      calls: messages.flatMap((message) =>
        AIMessage.isInstance(message) ? (message.tool_calls ?? []).map(({ id }) => id!) : [],
      ),
      answered: results.map((message) => message.tool_call_id),
      results: results.map(({ text }) => text),
      request: JSON.stringify(
        messages.map((message) => [
          message.type,
          message.content,
          (message as AIMessage).tool_calls,
          (message as ToolMessage).status,
        ]),
      ),
    });
  }

  async _generate(messages: BaseMessage[], options: { signal?: AbortSignal }) {
    const { text = '', calls = [], error } = this.#answer(messages);
    options.signal?.throwIfAborted();
    if (error !== undefined) throw new Error(error);
    const message = new AIMessage({
      content: text,
      tool_calls: calls.map(({ id, tool: name, args }) => ({
        id,
        name,
        args,
        type: 'tool_call' as const,
      })),
    });
    return { generations: [{ text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _: unknown,
    run?: { handleLLMNewToken(token: string): Promise<void> },
  ): AsyncGenerator<ChatGenerationChunk> {
    const { text = '', calls = [], error } = this.#answer(messages);
    if (error !== undefined) throw new Error(error);
    for (const piece of text.split(/(?<= )/)) {
      yield new ChatGenerationChunk({
        text: piece,
        message: new AIMessageChunk({ content: piece }),
      });
      await run?.handleLLMNewToken(piece);
    }
    for (const [index, { id, tool: name, args }] of calls.entries()) {
      const [head, tail] = [JSON.stringify(args).slice(0, 2), JSON.stringify(args).slice(2)];
      for (const part of [{ id, name, args: head }, { args: tail }])
        yield new ChatGenerationChunk({
          text: '',
          message: new AIMessageChunk({
            content: '',
            tool_call_chunks: [{ ...part, index, type: 'tool_call_chunk' }],
          }),
        });
    }
  }
}

/** Asks itself in methods of its own, and makes copies of itself. */
class CopyingChat extends ScriptedChat {
  readonly #copied: Model;
  defaults: object = {};

  constructor(script: Model) {
    super(script);
    this.#copied = script;
  }

  override invoke(input: never, options?: object): never {
    return super.invoke(input, { ...this.defaults, ...options } as never) as never;
  }

  override stream(input: never, options?: object): never {
    return super.stream(input, { ...this.defaults, ...options } as never) as never;
  }

  override withConfig(config: object): never {
    const copy = new CopyingChat(this.#copied);
    copy.defaults = { ...this.defaults, ...config };
    return copy as never;
  }

  override async *_streamChatModelEvents(...given: [never, never, never]): AsyncGenerator<never> {
    yield* super._streamChatModelEvents(...given) as AsyncGenerator<never>;
  }
}

const toolsOf = (tools: Tools) =>
  Object.entries(tools).map(([name, run]) =>
    tool(async (args) => run(args as { [name: string]: unknown }), {
      name,
      description: name,
      schema: {
        type: 'object',
        properties: name === 'search' ? { q: { type: 'string' } } : {},
        required: name === 'search' ? ['q'] : [],
      } as never,
    }),
  );

const frameworkOf = (name: string, how: 'model' | 'middleware'): FrameworkUnderTest => ({
  name,
  can: ['note', 'hint', 'block', 'escalate', 'stop'],
  streams: true,
  cuts: how === 'model',
  throws: how === 'model' ? 'error' : 'cause',
  answers: (json) => ({ calls: [{ id: 'found', tool: 'Found', args: JSON.parse(json) }] }),
  resumes: true,
  open({ model: script, tools, options }) {
    const bare = new ScriptedChat(script);
    const agentWith = (responseFormat: object | undefined) =>
      createAgent({
        model: options && how === 'model' ? guardModel(bare, options) : bare,
        tools: toolsOf(tools),
        ...(options && how === 'middleware' ? { middleware: [unrutMiddleware(options)] } : {}),
        ...(responseFormat ? { responseFormat } : {}),
      } as never);
    return {
      async run(prompts, { stream = false, signal, history, steps, schema = false } = {}) {
        const agent = agentWith(schema ? toolStrategy(OUTPUT_SCHEMA as never) : undefined);
        let messages = (history as BaseMessage[] | undefined) ?? [];
        const pieces: string[] = [];
        const config = { recursionLimit: 300, ...(signal ? { signal } : {}) };
        try {
          for (const prompt of prompts.length === 0 ? [undefined] : prompts) {
            if (prompt !== undefined) messages = [...messages, new HumanMessage(prompt)];
            if (stream || steps !== undefined) {
              let asked = 0;
              for await (const [mode, data] of (await agent.stream(
                { messages } as never,
                { ...config, streamMode: ['messages', 'values'] } as never,
              )) as never as AsyncIterable<[string, never]>) {
                if (mode === 'values') {
                  messages = (data as { messages: BaseMessage[] }).messages;
                  if (ToolMessage.isInstance(messages.at(-1)!) && ++asked === steps) break;
                } else if (
                  AIMessageChunk.isInstance((data as [BaseMessage])[0]) &&
                  (data as [BaseMessage])[0].text !== ''
                )
                  pieces.push((data as [BaseMessage])[0].text);
              }
            } else
              messages = (
                (await agent.invoke({ messages } as never, config)) as { messages: BaseMessage[] }
              ).messages;
          }
          return { answer: messages.at(-1)!.text, pieces, history: messages };
        } catch (error) {
          return { answer: '', pieces, error };
        }
      },
    };
  },
});

describe('LangChain', () => {
  for (const framework of [
    frameworkOf('LangChain, a guarded model', 'model'),
    frameworkOf('LangChain, the middleware', 'middleware'),
  ])
    for (const { name, run } of testFramework(framework)) it(name, withoutWaiting(run));
});

const SAME = 'Three pages were found, none of which says more about it than the others do.';
const LADDER = ['note', 'hint', 'block', 'escalate', 'stop'];
const loop: Model = ({ calls }) =>
  calls.length < 30
    ? { calls: [{ id: `call_number_${calls.length}`, tool: 'search', args: { q: 'foo' } }] }
    : { text: 'I give up.' };
const search = () => toolsOf({ search: () => SAME });

/** A graph of one's own, with a model and tools. */
function graphOf(guarded: ScriptedChat, settings: object = {}) {
  const model = guarded.bindTools(search(), settings);
  return new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({
      messages: [await (model as unknown as ScriptedChat).invoke(messages)],
    }))
    .addNode('tools', new ToolNode(search()))
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) =>
      (messages.at(-1) as AIMessage).tool_calls?.length ? 'tools' : END,
    )
    .addEdge('tools', 'model')
    .compile();
}

describe('guardModel', () => {
  it('guards a graph of your own', async () => {
    const rungs: string[] = [];
    const model = guardModel(new ScriptedChat(loop), {
      onPlan: ({ rung }) => void rungs.push(rung),
    });
    const { messages } = await graphOf(model).invoke(
      { messages: [new HumanMessage('Go.')] },
      { recursionLimit: 100 },
    );
    expect([...new Set(rungs)]).toEqual(LADDER);
    expect(messages.at(-1)!.text).toMatch(/stopped/i);
    expect(messages.at(-1)!.response_metadata).toMatchObject({
      unrut: { stopped: { reason: expect.any(String) } },
    });
  });

  it.each(['model', 'middleware', 'graph'] as const)(
    'tells a stop once in streamEvents and in the stream of messages: %s',
    async (how) => {
      const bare = new ScriptedChat(loop);
      const agent = (how === 'graph'
        ? graphOf(guardModel(bare))
        : createAgent({
            model: how === 'model' ? guardModel(bare) : bare,
            tools: search(),
            ...(how === 'middleware' ? { middleware: [unrutMiddleware()] } : {}),
          } as never)) as unknown as Record<
        'stream' | 'streamEvents',
        (input: never, config: object) => Promise<AsyncIterable<never>> & AsyncIterable<never>
      >;
      const input = { messages: [new HumanMessage('Go.')] } as never;
      const times = (text: string) => text.split('Unrut stopped the run').length - 1;

      let streamed = '';
      const messages = await agent.stream(input, { recursionLimit: 100, streamMode: 'messages' });
      for await (const [message] of messages as AsyncIterable<[BaseMessage]>)
        if (AIMessageChunk.isInstance(message)) streamed += message.text;
      expect(times(streamed)).toBe(1);

      let told = '';
      const events = agent.streamEvents(input, { recursionLimit: 100, version: 'v2' });
      for await (const { event, data } of events as AsyncIterable<{
        event: string;
        data: { chunk?: BaseMessage };
      }>)
        if (event === 'on_chat_model_stream') told += data.chunk?.text ?? '';
      expect(times(told)).toBe(1);
    },
  );

  it('counts what the requests that were refused or replaced have cost', async () => {
    let asked = 0;
    class Counting extends ScriptedChat {
      override async _generate(messages: BaseMessage[], options: { signal?: AbortSignal }) {
        asked++;
        const answer = await super._generate(messages, options);
        Object.assign(answer.generations[0]!.message, {
          usage_metadata: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
        });
        return answer;
      }
    }
    const { messages } = await graphOf(guardModel(new Counting(loop))).invoke(
      { messages: [new HumanMessage('Go.')] },
      { recursionLimit: 100 },
    );
    const counted = messages.flatMap((message) =>
      AIMessage.isInstance(message) ? (message.usage_metadata?.total_tokens ?? 0) : [],
    );
    expect(asked).toBeGreaterThan(counted.length - 1);
    expect(counted.reduce((sum, each) => sum + each, 0)).toBe(15 * asked);
  });

  it('counts the same while streaming, also where the last call comes with the usage', async () => {
    let asked = 0;
    class Counting extends ScriptedChat {
      override async *_streamResponseChunks(...given: [BaseMessage[], unknown]) {
        asked++;
        let last: ChatGenerationChunk | undefined;
        for await (const chunk of super._streamResponseChunks(...given)) {
          if (last) yield last;
          last = chunk;
        }
        const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
        (last!.message as AIMessageChunk).usage_metadata = usage;
        yield last!;
      }
    }
    const model = guardModel(new Counting(loop)).bindTools(search()) as unknown as Counting;
    const history: BaseMessage[] = [new HumanMessage('Go.')];
    let counted = 0;
    for (let turn = 0; turn < 20; turn++) {
      let answer: AIMessageChunk | undefined;
      for await (const chunk of await model.stream(history))
        answer = answer ? answer.concat(chunk) : chunk;
      counted += answer!.usage_metadata?.total_tokens ?? 0;
      history.push(answer!);
      if (!answer!.tool_calls?.length) break;
      for (const { id } of answer!.tool_calls)
        history.push(new ToolMessage({ content: SAME, tool_call_id: id! }));
    }
    expect(asked).toBeGreaterThan(history.filter((each) => AIMessage.isInstance(each)).length);
    expect(counted).toBe(15 * asked);
  });

  it('reaches the subagents of deepagents', async () => {
    const sessions = new Set<string>();
    const rungs: string[] = [];
    const main: Model = (reads) => {
      if (!reads.prompt.startsWith('Go.')) return loop(reads);
      const call = {
        id: 'task_number_1',
        tool: 'task',
        args: { description: 'Search for it.', subagent_type: 'general-purpose' },
      };
      return reads.calls.length === 0 ? { calls: [call] } : { text: 'The helper is done.' };
    };
    const model = guardModel(new ScriptedChat(main), {
      onPlan({ rung }, { session }) {
        sessions.add(session);
        rungs.push(rung);
      },
    });
    const agent = createDeepAgent({ model, tools: search() } as never);
    const { messages } = (await agent.invoke({ messages: [new HumanMessage('Go.')] } as never, {
      recursionLimit: 200,
    })) as {
      messages: BaseMessage[];
    };
    expect([[...new Set(rungs)], sessions.size]).toEqual([LADDER, 1]);
    expect(messages.at(-1)!.text).toBe('The helper is done.');
  });

  it('guards what a model makes of itself', async () => {
    const rungs: string[] = [];
    const stuck = fakeModel();
    for (let i = 0; i < 20; i++)
      stuck.respondWithTools([{ name: 'search', args: { q: 'foo' }, id: `call_number_${i}` }]);
    const agent = createAgent({
      model: guardModel(stuck, { onPlan: ({ rung }) => void rungs.push(rung) }),
      tools: search(),
    });
    await agent.invoke({ messages: [new HumanMessage('Go.')] }, { recursionLimit: 100 });
    expect([...new Set(rungs)]).toEqual(LADDER);
  });

  it.each(['model', 'middleware'] as const)(
    'guards a model that asks itself in ways of its own, as ChatOpenAI does: %s',
    async (how) => {
      const rungs: string[] = [];
      const options = { onPlan: ({ rung }: { rung: string }) => void rungs.push(rung) };
      const bare = new CopyingChat(loop);
      const agent = createAgent({
        model: how === 'model' ? guardModel(bare, options) : bare,
        tools: search(),
        ...(how === 'middleware' ? { middleware: [unrutMiddleware(options)] } : {}),
      } as never);
      const input = { messages: [new HumanMessage('Go.')] } as never;
      const config = { recursionLimit: 100 };
      const { messages } = (await agent.invoke(input, config)) as { messages: BaseMessage[] };
      expect([...new Set(rungs)]).toEqual(LADDER);
      expect(messages.at(-1)!.text).toMatch(/^Unrut stopped the run/);

      let streamed = '';
      const streaming = await agent.stream(input, { ...config, streamMode: 'messages' } as never);
      for await (const [message] of streaming as never as AsyncIterable<[BaseMessage]>)
        if (AIMessageChunk.isInstance(message)) streamed += message.text;
      expect(streamed.split('Unrut stopped the run').length - 1).toBe(1);
    },
  );

  it("guards the events of a provider's own", async () => {
    const rungs: string[] = [];
    const model = guardModel(new CopyingChat(loop), {
      onPlan: ({ rung }) => void rungs.push(rung),
    });
    const history: BaseMessage[] = [new HumanMessage('Go.')];
    const bound = model.bindTools(search()) as unknown as CopyingChat;
    let answer: AIMessage;
    do {
      answer = (await bound.streamEvents(history)) as unknown as AIMessage;
      history.push(answer);
      for (const { id } of answer.tool_calls ?? [])
        history.push(new ToolMessage({ content: SAME, tool_call_id: id! }));
    } while (answer.tool_calls?.length && history.length < 40);
    expect([...new Set(rungs)]).toEqual(LADDER);
    expect(answer.text).toMatch(/Unrut stopped the run/);
  });

  it.each([
    ['auto', false],
    ['none', false],
    [undefined, false],
    [{ type: 'auto' }, false],
    ['search', true],
    ['any', true],
    [{ type: 'function', function: { name: 'search' } }, true],
    [{ type: 'tool', name: 'search' }, true],
  ])('throws by default where the model has to call a tool: %j', async (tool_choice, throws) => {
    const model = guardModel(new ScriptedChat(loop));
    const run = graphOf(model, { tool_choice }).invoke(
      { messages: [new HumanMessage('Go.')] },
      { recursionLimit: 100 },
    );
    if (throws) await expect(run).rejects.toMatchObject({ name: 'LoopError' });
    else expect((await run).messages.at(-1)!.text).toMatch(/^Unrut stopped the run/);
  });

  it('says what it cannot guard', () => {
    expect(() => guardModel('openai:gpt-5' as never)).toThrow(
      /expected a chat model of LangChain.*got string.*use unrutMiddleware/,
    );
    expect(() => guardModel(new ScriptedChat(loop).bindTools(search()) as never)).toThrow(
      /Call guardModel before bindTools/,
    );
  });

  it('throws a LoopError where the user wants that', async () => {
    const agent = createAgent({
      model: guardModel(new ScriptedChat(loop), { onStop: 'throw' }),
      tools: search(),
    } as never);
    await expect(
      agent.invoke({ messages: [new HumanMessage('Go.')] } as never, { recursionLimit: 100 }),
    ).rejects.toMatchObject({
      name: 'LoopError',
    });
  });
});

describe('unrutMiddleware', () => {
  it.each([
    ['the newest', createAgent, /^t$/],
    // It does not say which thread it is.
    ['the oldest', createAgentOfOld, /^langchain \w+$/],
  ])('works with %s LangChain, and takes the thread for the session', async (_, create, name) => {
    const rungs = new Set<string>();
    const sessions = new Set<string>();
    const onPlan: FrameworkOptions['onPlan'] = ({ rung }, { session }) => {
      rungs.add(rung);
      sessions.add(session);
    };
    const middleware = [unrutMiddleware({ onPlan })];
    const agent = (create as typeof createAgent)({
      model: new ScriptedChat(loop),
      tools: search(),
      middleware,
      checkpointer: new MemorySaver(),
    } as never);
    await agent.invoke({ messages: [new HumanMessage('Go.')] } as never, {
      recursionLimit: 100,
      configurable: { thread_id: 't' },
    });
    expect([...rungs]).toEqual(LADDER);
    expect([...sessions]).toEqual([expect.stringMatching(name)]);
  });

  it('costs no turns', async () => {
    const turns = async (middleware: unknown[]): Promise<number> => {
      let asked = 0;
      const script: Model = ({ calls }) => ({
        calls: [
          {
            id: `call_number_${++asked}`,
            tool: 'search',
            args: { q: `${calls.length} ${'x'.repeat(asked)}` },
          },
        ],
      });
      const agent = createAgent({
        model: new ScriptedChat(script),
        tools: toolsOf({ search: ({ q }) => `Found: ${q}` }),
        middleware,
      } as never);
      await expect(
        agent.invoke({ messages: [new HumanMessage('Go.')] } as never),
      ).rejects.toMatchObject({ name: 'GraphRecursionError' });
      return asked;
    };
    expect(await turns([unrutMiddleware()])).toBe(await turns([]));
  });

  it('works together with middleware that retries, summarises and asks', async () => {
    const rungs: string[] = [];
    const middleware = [
      unrutMiddleware({ onPlan: ({ rung }) => void rungs.push(rung) }),
      toolRetryMiddleware({ maxRetries: 1 }),
      summarizationMiddleware({
        model: new ScriptedChat(() => ({ text: 'A summary.' })),
        trigger: { messages: 200 },
      } as never),
      humanInTheLoopMiddleware({ interruptOn: { other: true } }),
    ];
    const agent = createAgent({
      model: new ScriptedChat(loop),
      tools: search(),
      middleware,
      checkpointer: new MemorySaver(),
    } as never);
    await agent.invoke({ messages: [new HumanMessage('Go.')] } as never, {
      recursionLimit: 200,
      configurable: { thread_id: 't' },
    });
    expect([...new Set(rungs)]).toEqual(LADDER);
  });

  it('passes an interrupt of a tool on', async () => {
    const asks = tool(async () => String(interrupt('May I?')), {
      name: 'search',
      description: 'Asks.',
      schema: { type: 'object', properties: {} } as never,
    });
    const agent = createAgent({
      model: new ScriptedChat(loop),
      tools: [asks],
      middleware: [unrutMiddleware()],
      checkpointer: new MemorySaver(),
    } as never);
    const state = (await agent.invoke({ messages: [new HumanMessage('Go.')] } as never, {
      configurable: { thread_id: 't' },
    })) as {
      __interrupt__?: unknown[];
    };
    expect(state.__interrupt__).toHaveLength(1);
  });
});

describe('the dialect of LangChain', () => {
  const dialect = langchainDialect({ AIMessage, ToolMessage } as never);
  const call = (id: string) => ({
    id,
    name: 'search',
    args: { q: id },
    type: 'tool_call' as const,
  });
  const requests: ChatRequest[] = [
    {
      messages: [
        new HumanMessage('Go.'),
        new AIMessage({
          content: [{ type: 'text', text: 'Now.' }],
          tool_calls: [call('a'), call('b')],
        }),
        new ToolMessage({ content: 'one', tool_call_id: 'a' }),
        new ToolMessage({
          content: [{ type: 'text', text: 'two' }],
          tool_call_id: 'b',
          status: 'error',
        }),
      ] as never,
    },
  ];
  const responses = [
    new AIMessage({
      content: [
        { type: 'text', text: 'Again.' },
        { type: 'tool_use', id: 'c', name: 'search', input: {} },
      ] as never,
      tool_calls: [call('c'), call('d')],
      additional_kwargs: { tool_calls: [{ id: 'c' }, { id: 'd' }] as never },
      // As the Responses API gives them, and gets them back.
      response_metadata: {
        output: ['c', 'd'].map((id) => ({ type: 'function_call', call_id: id })),
      },
    }),
  ] as never[];
  const malformed = (value: unknown) => ({
    messages: (Array.isArray(value) ? value : [value]) as never,
  });
  for (const { name, run } of testDialect('LangChain', dialect, { requests, responses, malformed }))
    it(name, run);

  it('takes a refused call out of every place where it stands', () => {
    const message = dialect.without(responses[0]!, [
      { index: 0, call: { id: 'c', tool: 'search', args: {} }, text: 'No.' },
    ]);
    expect(
      JSON.stringify([
        message.content,
        message.tool_calls,
        message.additional_kwargs,
        message.response_metadata,
      ]),
    ).not.toContain('"c"');
    expect(message.response_metadata).toMatchObject({ output: [{ call_id: 'd' }] });
  });
});

it('the example runs as it says', async () => {
  const lines: string[] = [];
  const log = console.log;
  console.log = (line: string) => void lines.push(line);
  try {
    // @ts-expect-error: a program without types.
    await import('../../../../../examples/frameworks/langchain.mjs');
  } finally {
    console.log = log;
  }
  const rungs = lines.flatMap((line) => /^after \d+ searches: (\w+)$/.exec(line)?.[1] ?? []);
  expect([...new Set(rungs)]).toEqual(LADDER);
  expect(lines.at(-1)).toMatch(/^\d searches instead of 50\. The last answer:\n.*stop/i);
});
