import { join } from 'node:path';
import { AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { createAgent, tool } from 'langchain';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type FrameworkOptions,
  type GuardableChatModel,
  guardModel,
  unrutMiddleware,
} from '../../packages/adapters/src/frameworks/langchain/index.ts';
import { startUpstream } from '../gateway/scripted-upstream.ts';
import { INSTALL_TIMEOUT, installPackage } from './install-agent.ts';

type ChatModel = new (fields: object) => GuardableChatModel;

interface Provider {
  title: string;
  pack: string;
  version: string;
  name: string;
  fields(url: string): object;
}

/** Each asks itself in a way of its own. */
const PROVIDERS: readonly Provider[] = [
  {
    title: 'ChatOpenAI',
    pack: '@langchain/openai',
    version: '1.5.8',
    name: 'ChatOpenAI',
    fields: (url) => ({ configuration: { baseURL: `${url}/v1` } }),
  },
  {
    title: 'ChatOpenAI with the Responses API',
    pack: '@langchain/openai',
    version: '1.5.8',
    name: 'ChatOpenAI',
    fields: (url) => ({ configuration: { baseURL: `${url}/v1` }, useResponsesApi: true }),
  },
  {
    title: 'ChatAnthropic',
    pack: '@langchain/anthropic',
    version: '1.5.11',
    name: 'ChatAnthropic',
    fields: (url) => ({ anthropicApiUrl: url }),
  },
  {
    title: 'ChatGoogleGenerativeAI',
    pack: '@langchain/google-genai',
    version: '2.3.2',
    name: 'ChatGoogleGenerativeAI',
    fields: (url) => ({ baseUrl: url }),
  },
];

const SAME = 'Three pages were found, none of which says more about it than the others do.';
const LADDER = ['note', 'hint', 'block', 'escalate', 'stop'];
const classes = new Map<Provider, ChatModel>();

beforeAll(async () => {
  for (const provider of PROVIDERS) {
    const folder = await installPackage(provider.pack, provider.version);
    const found = (await import(join(folder, 'dist/index.js'))) as Record<string, ChatModel>;
    classes.set(provider, found[provider.name]!);
  }
}, INSTALL_TIMEOUT);

describe.each(PROVIDERS)('$title', (provider) => {
  /** An agent whose model searches for the same for ever. */
  async function looping(how: 'model' | 'middleware') {
    const rungs: string[] = [];
    const options: FrameworkOptions = { onPlan: ({ rung }) => void rungs.push(rung) };
    const { url, broken } = await startUpstream(({ calls }) =>
      calls.length < 30
        ? { calls: [{ id: `call_number_${calls.length}`, tool: 'search', args: { q: 'foo' } }] }
        : { text: 'I give up.' },
    );
    const settings = { model: 'a-model', apiKey: 'none', maxRetries: 0, ...provider.fields(url) };
    const bare = new (classes.get(provider)!)(settings);
    const agent = createAgent({
      model: how === 'model' ? guardModel(bare, options) : bare,
      tools: [
        tool(async () => SAME, {
          name: 'search',
          description: 'Searches.',
          schema: { type: 'object', properties: { q: { type: 'string' } } } as never,
        }),
      ],
      ...(how === 'middleware' ? { middleware: [unrutMiddleware(options)] } : {}),
    } as never);
    return { agent, rungs, broken };
  }

  const input = { messages: [new HumanMessage('Go.')] } as never;

  it.each(['model', 'middleware'] as const)('is guarded in an agent: %s', async (how) => {
    const { agent, rungs, broken } = await looping(how);
    const { messages } = (await agent.invoke(input, { recursionLimit: 100 })) as {
      messages: BaseMessage[];
    };
    expect([[...new Set(rungs)], broken]).toEqual([LADDER, []]);
    expect(messages.at(-1)!.text).toMatch(/^Unrut stopped the run/);
  });

  it.each(['model', 'middleware'] as const)('is guarded while it streams: %s', async (how) => {
    const { agent, rungs, broken } = await looping(how);
    const stream = await agent.stream(input, {
      recursionLimit: 100,
      streamMode: 'messages',
    } as never);
    let streamed = '';
    for await (const [message] of stream as never as AsyncIterable<[BaseMessage]>)
      if (AIMessageChunk.isInstance(message)) streamed += message.text;
    expect([[...new Set(rungs)], broken]).toEqual([LADDER, []]);
    expect(streamed.split('Unrut stopped the run').length - 1).toBe(1);
  });
});
