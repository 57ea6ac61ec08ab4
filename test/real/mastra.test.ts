import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { JsonObject } from '@unrut/engine/json';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { unrutProcessor } from '../../packages/adapters/src/frameworks/mastra/index.ts';
import { scripted } from '../frameworks/scripted-ai-sdk.ts';
import { type FrameworkUnderTest, OUTPUT_SCHEMA, testFramework } from '../suites/test-framework.ts';
import { compileConsumer, runExample } from './consumers.ts';
import { INSTALL_TIMEOUT, installPackage } from './install-agent.ts';

/** The ends of the range that is supported. */
const VERSIONS = ['1.50.0', '1.71.0'] as const;

type Tools = Parameters<FrameworkUnderTest['open']>[0]['tools'];
interface Output {
  text: string | Promise<string>;
  textStream: AsyncIterable<string>;
  messages?: unknown[];
  error?: unknown;
}
interface Mastra {
  Agent: new (
    given: object,
  ) => Record<'generate' | 'stream', (messages: unknown, how: object) => Promise<Output>>;
  createTool(given: object): unknown;
  MockMemory: new () => unknown;
}
const versions = new Map<string, Mastra>();

beforeAll(async () => {
  for (const version of VERSIONS) {
    const folder = await installPackage('@mastra/core', version);
    const parts = await Promise.all(
      ['agent', 'tools', 'memory'].map((part) => import(join(folder, `dist/${part}/index.js`))),
    );
    versions.set(version, Object.assign({}, ...parts));
  }
}, INSTALL_TIMEOUT);

const toolsOf = ({ createTool }: Mastra, tools: Tools): object =>
  Object.fromEntries(
    Object.entries(tools).map(([name, run]) => [
      name,
      createTool({
        id: name,
        description: name,
        inputSchema: {
          type: 'object',
          properties: name === 'search' ? { q: { type: 'string' } } : {},
          required: name === 'search' ? ['q'] : [],
        },
        execute: async (given: JsonObject) =>
          run(given.context === undefined ? given : (given.context as JsonObject)),
      }),
    ]),
  );

const frameworkOf = (version: string): FrameworkUnderTest => ({
  name: `Mastra ${version}`,
  can: ['note', 'hint', 'block', 'escalate', 'stop'],
  streams: true,
  cuts: true,
  resumes: true,
  open({ model: script, tools, options }) {
    const mastra = versions.get(version)!;
    const agent = new mastra.Agent({
      id: 'a',
      name: 'a',
      instructions: 'Search.',
      // Mastra stamps each message with the moment.
      model: scripted(7, (reads) =>
        script({ ...reads, request: reads.request.replace(/"createdAt":\d+/g, '') }),
      ),
      tools: toolsOf(mastra, tools),
      ...(options ? { inputProcessors: [unrutProcessor(options)] } : {}),
    });
    return {
      async run(prompts, { stream = false, signal, history, steps = 120, schema = false } = {}) {
        let messages = (history as unknown[] | undefined) ?? [];
        const pieces: string[] = [];
        let answer = '';
        const how = {
          maxSteps: steps,
          modelSettings: { maxRetries: 0 },
          ...(signal ? { abortSignal: signal } : {}),
          ...(schema ? { structuredOutput: { schema: OUTPUT_SCHEMA } } : {}),
        };
        try {
          for (const prompt of prompts.length === 0 ? [undefined] : prompts) {
            if (prompt !== undefined) messages = [...messages, { role: 'user', content: prompt }];
            const result = await agent[stream ? 'stream' : 'generate'](messages, how);
            if (stream) for await (const piece of result.textStream) pieces.push(piece);
            answer = await result.text;
            if (result.error) throw result.error;
            // As Mastra keeps it: messages of the model's form would be taken for one response.
            messages = result.messages ?? messages;
          }
          return { answer, pieces, history: messages };
        } catch (error) {
          return { answer, pieces, error };
        }
      },
    };
  },
});

describe('Mastra', () => {
  for (const version of VERSIONS)
    for (const { name, run } of testFramework(frameworkOf(version))) it(name, run);
});

const LADDER = ['note', 'hint', 'block', 'escalate', 'stop'];

/** A server that answers every chat with the same call. */
async function stuckServer(): Promise<string> {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const call = {
        index: 0,
        id: `call_number_${asked++}`,
        type: 'function',
        function: { name: 'search', arguments: '{"q":"foo"}' },
      };
      const chunk = (delta: object, finish: string | null) =>
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        `${chunk({ role: 'assistant', tool_calls: [call] }, null)}${chunk({}, 'tool_calls')}data: [DONE]\n\n`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe('unrutProcessor', () => {
  it.each(VERSIONS)(
    'guards models that are named by a text, in Mastra %s, and takes the thread for the session',
    async (version) => {
      const rungs: string[] = [];
      const sessions = new Set<string>();
      const mastra = versions.get(version)!;
      const agent = new mastra.Agent({
        id: 'a',
        name: 'a',
        instructions: 'Search.',
        memory: new mastra.MockMemory(),
        model: { id: 'own/model', url: await stuckServer(), apiKey: 'none' },
        tools: toolsOf(mastra, {
          search: () =>
            'Three pages were found, none of which says more about it than the others do.',
        }),
        inputProcessors: [
          unrutProcessor({
            onPlan({ rung }, { session }) {
              rungs.push(rung);
              sessions.add(session);
            },
          }),
        ],
      });
      const result = await agent.stream('Go.', {
        maxSteps: 30,
        memory: { thread: 't', resource: 'r' },
      });
      const text = await result.text;
      expect([[...new Set(rungs)], [...sessions]]).toEqual([LADDER, ['t']]);
      expect(text).toMatch(/stopped/i);
    },
  );

  it('does nothing with what is no model', () => {
    for (const args of [{}, { model: 'openai/gpt-5' }, { model: null, requestContext: {} }])
      expect(unrutProcessor().processInputStep(args)).toEqual({});
  });
});

it('a consumer compiles', async () => {
  for (const version of VERSIONS)
    await compileConsumer(
      await installPackage('@mastra/core', version),
      `import { Agent } from '@mastra/core/agent';
      import { unrutProcessor } from 'unrut/mastra';
      export const agent = new Agent({
        id: 'a', name: 'a', instructions: 'Search.', model: 'openai/gpt-5', inputProcessors: [unrutProcessor({ shadow: true })],
      });
      // @ts-expect-error: no such option.
      unrutProcessor({ shadows: true });`,
    );
});

it('the example runs as it says', async () => {
  const lines = await runExample('mastra', await installPackage('@mastra/core', VERSIONS[1]));
  const rungs = lines.flatMap((line) => /^after \d+ searches: (\w+)$/.exec(line)?.[1] ?? []);
  expect([...new Set(rungs)]).toEqual(LADDER);
  expect(lines.join('\n')).toMatch(/^\d searches instead of 50\. The last answer:\n.*stop/im);
});
