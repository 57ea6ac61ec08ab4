import { join } from 'node:path';
import { AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { createAgent, tool } from 'langchain';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type EventJudge,
  type FrameworkOptions,
  type GuardableChatModel,
  guardModel,
  unrutMiddleware,
} from '../../packages/adapters/src/frameworks/langchain/index.ts';
import { startUpstream } from '../gateway/scripted-upstream.ts';
import { pairs, refusing } from '../suites/test-framework.ts';
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

/** An agent whose model follows a script: by default, it searches for the same for ever. */
async function running(
  provider: Provider,
  how: 'model' | 'middleware',
  script: Parameters<typeof startUpstream>[0] = ({ calls }) =>
    calls.length < 30
      ? { calls: [{ id: `call_number_${calls.length}`, tool: 'search', args: { q: 'foo' } }] }
      : { text: 'I give up.' },
  guard?: EventJudge,
) {
  const rungs: string[] = [];
  const onPlan: FrameworkOptions['onPlan'] = ({ rung }) => void rungs.push(rung);
  const options: FrameworkOptions = guard ? { guard, onPlan } : { onPlan };
  const { url, broken } = await startUpstream(script);
  const ran: unknown[] = [];
  const search = async ({ q }: { q: string }) => {
    ran.push(q);
    return q === 'foo' ? SAME : `Found ${q}.`;
  };
  const settings = { model: 'a-model', apiKey: 'none', maxRetries: 0, ...provider.fields(url) };
  const bare = new (classes.get(provider)!)(settings);
  const agent = createAgent({
    model: how === 'model' ? guardModel(bare, options) : bare,
    tools: [
      tool(search, {
        name: 'search',
        description: 'Searches.',
        schema: { type: 'object', properties: { q: { type: 'string' } } } as never,
      }),
    ],
    ...(how === 'middleware' ? { middleware: [unrutMiddleware(options)] } : {}),
  } as never);
  return { agent, rungs, broken, ran };
}

async function streamed(agent: { stream(input: never, how: never): Promise<unknown> }) {
  const how = { recursionLimit: 100, streamMode: 'messages' } as never;
  let text = '';
  for await (const [message] of (await agent.stream(input, how)) as AsyncIterable<[BaseMessage]>)
    if (AIMessageChunk.isInstance(message)) text += message.text;
  return text;
}

const input = { messages: [new HumanMessage('Go.')] } as never;

describe.each(PROVIDERS)('$title', (provider) => {
  it.each(['model', 'middleware'] as const)('is guarded in an agent: %s', async (how) => {
    const { agent, rungs, broken } = await running(provider, how);
    const { messages } = (await agent.invoke(input, { recursionLimit: 100 })) as {
      messages: BaseMessage[];
    };
    expect([[...new Set(rungs)], broken]).toEqual([LADDER, []]);
    expect(messages.at(-1)!.text).toMatch(/^Unrut stopped the run/);
  });

  it.each(['model', 'middleware'] as const)('is guarded while it streams: %s', async (how) => {
    const { agent, rungs, broken } = await running(provider, how);
    const text = await streamed(agent);
    expect([[...new Set(rungs)], broken]).toEqual([LADDER, []]);
    expect(text.split('Unrut stopped the run').length - 1).toBe(1);
  });
});

/** LangChain gives Gemini each result in a content of its own, which the scripted one refuses. */
const PARALLEL = PROVIDERS.filter(({ name }) => name !== 'ChatGoogleGenerativeAI');

describe.each(PARALLEL)('$title', (provider) => {
  it.each([
    ['model', false],
    ['model', true],
    ['middleware', false],
    ['middleware', true],
  ] as const)('takes one of several calls out everywhere: %s, streams %s', async (how, streams) => {
    const { agent, broken, ran } = await running(
      provider,
      how,
      pairs,
      refusing(({ q }) => q === 'foo'),
    );
    if (streams) await streamed(agent as never);
    else await agent.invoke(input, { recursionLimit: 100 });
    expect(broken).toEqual([]);
    expect(ran.filter((q) => q === 'foo').length).toBe(1);
    expect(ran.filter((q) => q !== 'foo').length).toBeGreaterThan(2);
  });
});
