import { join } from 'node:path';
import type { JsonObject } from '@unrut/engine/json';
import { beforeAll, describe, expect, it } from 'vitest';
import { UnrutPlugin } from '../../packages/adapters/src/frameworks/google-adk/index.ts';
import { itemsOf } from '../../packages/adapters/src/frameworks/messages/dialect.ts';
import {
  type FrameworkUnderTest,
  type ScriptedAnswer,
  testFramework,
} from '../suites/test-framework.ts';
import { compileConsumer, runExample } from './consumers.ts';
import { INSTALL_TIMEOUT, installPackage } from './install-agent.ts';

/** The lowest version that is supported, and so far the newest. */
const VERSION = '2.0.0';
const install = (): Promise<string> => installPackage('@google/adk', VERSION);

type Script = Parameters<FrameworkUnderTest['open']>[0]['model'];
type Tools = Parameters<FrameworkUnderTest['open']>[0]['tools'];
interface AdkEvent {
  content?: { parts?: { text?: string }[] };
  partial?: boolean;
  customMetadata?: { unrut?: unknown };
  errorCode?: string;
  errorMessage?: string;
}
interface Adk {
  BaseLlm: new (given: object) => object;
  LlmAgent: new (given: object) => object;
  FunctionTool: new (given: object) => object;
  AgentTool: new (given: object) => object;
  InMemoryRunner: new (
    given: object,
  ) => {
    sessionService: { createSession(given: object): Promise<{ id: string }> };
    runAsync(given: object): AsyncGenerator<AdkEvent>;
  };
  LogLevel: { ERROR: number };
  setLogLevel(level: number): void;
}
let adk: Adk;

beforeAll(async () => {
  adk = await import(join(await install(), 'dist/esm/index.js'));
  adk.setLogLevel(adk.LogLevel.ERROR);
}, INSTALL_TIMEOUT);

/** The ADK takes its own ids out of what a model reads, so results are matched by their order. */
function answerTo(contents: JsonObject[], script: Script): ScriptedAnswer {
  const items = itemsOf(contents);
  const calls = items.flatMap((item) => (item.kind === 'call' ? [item] : []));
  const results = items.flatMap((item) => (item.kind === 'result' ? [item] : []));
  const given = script({
    prompt: items.flatMap((item) => (item.kind === 'user' ? item.text : [])).at(-1) ?? '',
    calls: calls.map(({ id }, i) => id || `${i}`),
    answered: results.map(({ id }, i) => id || `${i}`),
    results: results.map(({ result }) =>
      String((result as JsonObject).result ?? (result as JsonObject).error),
    ),
    request: JSON.stringify(contents),
  });
  if (given.error !== undefined) throw new Error(given.error);
  return given;
}

function scripted(script: Script): object {
  const model = new adk.BaseLlm({ model: 'scripted' });
  return Object.assign(model, {
    async *generateContentAsync({ contents }: { contents: JsonObject[] }, stream = false) {
      const { text, calls = [] } = answerTo(contents, script);
      if (stream)
        for (const piece of (text ?? '').split(/(?<= )/))
          yield { content: { role: 'model', parts: [{ text: piece }] }, partial: true };
      const parts = [
        ...(text === undefined ? [] : [{ text }]),
        ...calls.map(({ id, tool, args }) => ({ functionCall: { id, name: tool, args } })),
      ];
      yield { content: { role: 'model', parts } };
    },
  });
}

const toolsOf = (tools: Tools): object[] =>
  Object.entries(tools).map(([name, run]) => {
    const properties = name === 'search' ? { q: { type: 'STRING' } } : {};
    const parameters = { type: 'OBJECT', properties, required: Object.keys(properties) };
    return new adk.FunctionTool({
      name,
      description: name,
      parameters,
      execute: async (args: JsonObject) => {
        if (name === 'search' && typeof args.q !== 'string') throw new Error('q: expected a text');
        return { result: run(args) };
      },
    });
  });

const ADK_SCHEMA = {
  type: 'OBJECT',
  properties: { found: { type: 'STRING' } },
  required: ['found'],
};

const framework: FrameworkUnderTest = {
  name: `Google ADK ${VERSION}`,
  can: ['note', 'hint', 'block', 'escalate', 'stop'],
  streams: true,
  resumes: false,
  refusesInPlace: true,
  throws: 'text',
  answers: (json) => ({
    calls: [{ id: 'found', tool: 'set_model_response', args: JSON.parse(json) }],
  }),
  open({ model: script, tools, options }) {
    const plugins = options ? [new UnrutPlugin(options)] : [];
    return {
      async run(prompts, { stream = false, signal, schema = false } = {}) {
        const agent = new adk.LlmAgent({
          name: 'a',
          model: scripted(script),
          tools: toolsOf(tools),
          ...(schema ? { outputSchema: ADK_SCHEMA } : {}),
        });
        const runner = new adk.InMemoryRunner({ agent, appName: 'app', plugins });
        const pieces: string[] = [];
        let answer = '';
        try {
          const { id: sessionId } = await runner.sessionService.createSession({
            appName: 'app',
            userId: 'u',
          });
          for (const prompt of prompts) {
            const asked = {
              userId: 'u',
              sessionId,
              newMessage: { role: 'user', parts: [{ text: prompt }] },
              runConfig: { maxLlmCalls: 200, streamingMode: stream ? 'sse' : 'none' },
              ...(signal ? { abortSignal: signal } : {}),
            };
            for await (const event of runner.runAsync(asked)) {
              if (event.errorCode) throw new Error(event.errorMessage);
              const text = (event.content?.parts ?? []).map((part) => part.text ?? '').join('');
              if (event.partial) pieces.push(text);
              else if (text !== '') answer = text;
              // The whole text of a response follows its pieces; a last answer has none.
              if (!event.partial && event.customMetadata?.unrut) pieces.push(text);
            }
          }
          return { answer, pieces };
        } catch (error) {
          return { answer, pieces, error };
        }
      },
    };
  },
};

describe('the Google ADK', () => {
  for (const { name, run } of testFramework({ ...framework, name: `Google ADK ${VERSION}` }))
    it(name, run);
});

describe('UnrutPlugin', () => {
  it('keeps a nested agent apart, by its name', async () => {
    const about: unknown[] = [];
    const same = () =>
      'Three pages were found, none of which says more about it than the others do.';
    const loop: Script = ({ calls }) =>
      calls.length < 30
        ? { calls: [{ id: `call_number_${calls.length}`, tool: 'search', args: { q: 'foo' } }] }
        : { text: 'I give up.' };
    const helper = new adk.LlmAgent({
      name: 'helper',
      description: 'Searches.',
      model: scripted(loop),
      tools: toolsOf({ search: same }),
    });
    const main: Script = ({ calls }) =>
      calls.length === 0
        ? { calls: [{ id: 'over', tool: 'transfer_to_agent', args: { agentName: 'helper' } }] }
        : { text: 'Done.' };
    const agent = new adk.LlmAgent({ name: 'main', model: scripted(main), subAgents: [helper] });
    const plugin = new UnrutPlugin({
      onPlan: ({ rung }, { agent: nested }) => void about.push(`${nested} ${rung}`),
    });
    const runner = new adk.InMemoryRunner({ agent, appName: 'app', plugins: [plugin] });
    const { id: sessionId } = await runner.sessionService.createSession({
      appName: 'app',
      userId: 'u',
    });
    const texts: string[] = [];
    for await (const { content } of runner.runAsync({
      userId: 'u',
      sessionId,
      newMessage: { role: 'user', parts: [{ text: 'Go.' }] },
    }))
      texts.push(...(content?.parts ?? []).flatMap(({ text }) => text ?? []));
    expect([...new Set(about)]).toEqual(
      ['note', 'hint', 'block', 'escalate', 'stop'].map((rung) => `helper ${rung}`),
    );
    expect(texts.at(-1)).toMatch(/stopped/i);
  });
});

it('a consumer compiles', async () => {
  await compileConsumer(
    await install(),
    `import { InMemoryRunner, LlmAgent } from '@google/adk';
    import { UnrutPlugin } from 'unrut/google-adk';
    const agent = new LlmAgent({ name: 'a', model: 'gemini-3-pro' });
    export const runner = new InMemoryRunner({ agent, appName: 'app', plugins: [new UnrutPlugin({ shadow: true })] });
    // @ts-expect-error: no such option.
    new UnrutPlugin({ shadows: true });`,
  );
});

it('the example runs as it says', async () => {
  const lines = await runExample('google-adk', await install());
  const rungs = lines.flatMap((line) => /^after \d+ searches: (\w+)$/.exec(line)?.[1] ?? []);
  expect([...new Set(rungs)]).toEqual(['note', 'hint', 'block', 'escalate', 'stop']);
  expect(lines.join('\n')).toMatch(/^\d searches instead of 50\. The last answer:\n.*stop/im);
});
