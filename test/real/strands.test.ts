import { join } from 'node:path';
import type { JsonObject } from '@unrut/engine/json';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  pluginWith,
  type StrandsSdk,
} from '../../packages/adapters/src/frameworks/strands/plugin.ts';
import {
  type FrameworkUnderTest,
  type ScriptedAnswer,
  testFramework,
} from '../suites/test-framework.ts';
import { compileConsumer, runExample } from './consumers.ts';
import { INSTALL_TIMEOUT, installPackage } from './install-agent.ts';

/** The ends of the range that is supported. */
const VERSIONS = ['1.16.0', '1.19.0'] as const;
const install = (version: string): Promise<string> =>
  installPackage('@strands-agents/sdk', version);

type Script = Parameters<FrameworkUnderTest['open']>[0]['model'];
interface Message {
  role: string;
  content: JsonObject[];
}
interface Strands extends StrandsSdk {
  Agent: new (
    given: object,
  ) => {
    stream(
      prompt: string,
      how?: object,
    ): AsyncGenerator<JsonObject, { lastMessage: Message; structuredOutput?: unknown }>;
  };
  Model: new () => object;
  FunctionTool: new (given: object) => unknown;
  z: { object(fields: object): unknown; string(): unknown };
}
const versions = new Map<string, Strands>();

beforeAll(async () => {
  for (const version of VERSIONS)
    versions.set(version, {
      ...(await import(join(await install(version), 'dist/src/index.node.js'))),
      ...(await import(join(await install(version), '../../zod/index.js'))),
    });
}, INSTALL_TIMEOUT);

const textIn = (blocks: readonly JsonObject[]): string =>
  blocks.flatMap(({ type, text }) => (type === 'textBlock' ? String(text) : [])).join('\n');

function answerTo(messages: Message[], script: Script): ScriptedAnswer {
  const of = (type: string) =>
    messages.flatMap(({ content }) => content.filter((block) => block.type === type));
  const people = messages.filter(
    ({ role, content }) => role === 'user' && content.some(({ type }) => type === 'textBlock'),
  );
  const answer = script({
    prompt: textIn(people.at(-1)?.content ?? []),
    calls: of('toolUseBlock').map(({ toolUseId }) => String(toolUseId)),
    answered: of('toolResultBlock').map(({ toolUseId }) => String(toolUseId)),
    results: of('toolResultBlock').map(({ content }) => textIn(content as JsonObject[])),
    request: JSON.stringify(messages.map(({ role, content }) => ({ role, content }))),
  });
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
}

const scripted = ({ Model }: Strands, script: Script): object =>
  Object.assign(new Model(), {
    updateConfig() {},
    getConfig: () => ({ modelId: 'scripted' }),
    async *stream(messages: Message[]) {
      const { text, calls = [] } = answerTo(messages, script);
      yield { type: 'modelMessageStartEvent', role: 'assistant' };
      if (text !== undefined) {
        yield { type: 'modelContentBlockStartEvent' };
        for (const piece of text.split(/(?<= )/))
          yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: piece } };
        yield { type: 'modelContentBlockStopEvent' };
      }
      for (const { id, tool, args } of calls) {
        yield {
          type: 'modelContentBlockStartEvent',
          start: { type: 'toolUseStart', name: tool, toolUseId: id },
        };
        yield {
          type: 'modelContentBlockDeltaEvent',
          delta: { type: 'toolUseInputDelta', input: JSON.stringify(args) },
        };
        yield { type: 'modelContentBlockStopEvent' };
      }
      yield { type: 'modelMessageStopEvent', stopReason: calls.length > 0 ? 'toolUse' : 'endTurn' };
    },
  });

const frameworkOf = (version: string): FrameworkUnderTest => ({
  name: `Strands ${version}`,
  can: ['note', 'hint', 'block', 'escalate', 'stop'],
  streams: true,
  resumes: false,
  refusesInPlace: true,
  answers: (json) => ({
    calls: [{ id: 'found', tool: 'strands_structured_output', args: JSON.parse(json) }],
  }),
  open({ model: script, tools, options }) {
    const sdk = versions.get(version)!;
    const plugins = options ? [pluginWith(async () => sdk, options)] : [];
    const made = Object.entries(tools).map(([name, run]) => {
      const properties = name === 'search' ? { q: { type: 'string' } } : {};
      const inputSchema = { type: 'object', properties, required: Object.keys(properties) };
      return new sdk.FunctionTool({
        name,
        description: name,
        inputSchema,
        callback: (args: JsonObject) => {
          if (name === 'search' && typeof args.q !== 'string')
            throw new Error('q: expected a text');
          return run(args);
        },
      });
    });
    return {
      async run(prompts, { signal, schema = false } = {}) {
        const agent = new sdk.Agent({
          model: scripted(sdk, script),
          tools: made,
          plugins,
          printer: false,
          ...(schema ? { structuredOutputSchema: sdk.z.object({ found: sdk.z.string() }) } : {}),
        });
        const pieces: string[] = [];
        let answer = '';
        try {
          for (const prompt of prompts) {
            const events = agent.stream(prompt, signal ? { cancelSignal: signal } : {});
            let event = await events.next();
            for (; !event.done; event = await events.next()) {
              const inner = event.value.event as
                | { delta?: { type: string; text?: string } }
                | undefined;
              if (inner?.delta?.type === 'textDelta') pieces.push(inner.delta.text!);
              // A last answer comes as a message, without pieces.
              const { type, message } = event.value as { type?: string; message?: Message };
              const said = message?.role === 'assistant' ? textIn(message.content) : '';
              if (type === 'messageAddedEvent' && said !== '' && !pieces.join('').endsWith(said))
                pieces.push(said);
            }
            const { lastMessage, structuredOutput } = event.value;
            answer = structuredOutput
              ? JSON.stringify(structuredOutput)
              : textIn(lastMessage.content);
          }
          return { answer, pieces };
        } catch (error) {
          return { answer, pieces, error };
        }
      },
    };
  },
});

describe('Strands', () => {
  for (const version of VERSIONS)
    for (const { name, run } of testFramework(frameworkOf(version))) it(name, run);
});

it('lets the agent run when Strands cannot be loaded, and says so', async () => {
  const faults: string[] = [];
  const plugin = pluginWith(() => Promise.reject(new Error('not installed')), {
    onFault: ({ message }) => void faults.push(message),
  });
  await plugin.initAgent({});
  expect(faults).toEqual(['not installed']);
});

it('a consumer compiles', async () => {
  for (const version of VERSIONS)
    await compileConsumer(
      await install(version),
      `import { Agent } from '@strands-agents/sdk';
      import { unrutPlugin } from 'unrut/strands';
      export const agent = new Agent({ plugins: [unrutPlugin({ shadow: true })] });
      // @ts-expect-error: no such option.
      unrutPlugin({ shadows: true });`,
    );
});

it('the example runs as it says', async () => {
  const lines = await runExample('strands', await install(VERSIONS[1]));
  const rungs = lines.flatMap((line) => /^after \d+ searches: (\w+)$/.exec(line)?.[1] ?? []);
  expect([...new Set(rungs)]).toEqual(['note', 'hint', 'block', 'escalate', 'stop']);
  expect(lines.join('\n')).toMatch(/^\d searches instead of 50\. The last answer:\n.*stop/im);
});
