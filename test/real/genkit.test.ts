import { join } from 'node:path';
import type { JsonObject } from '@unrut/engine/json';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  genkitDialect as dialect,
  type GenkitRequest,
} from '../../packages/adapters/src/frameworks/genkit/dialect.ts';
import { unrutMiddleware } from '../../packages/adapters/src/frameworks/genkit/index.ts';
import { testDialect } from '../suites/test-dialect.ts';
import {
  type FrameworkUnderTest,
  OUTPUT_SCHEMA,
  type ScriptedAnswer,
  testFramework,
} from '../suites/test-framework.ts';
import { compileConsumer, runExample } from './consumers.ts';
import { INSTALL_TIMEOUT, installPackage } from './install-agent.ts';

/** The ends of the range that is supported. */
const VERSIONS = ['1.40.0', '1.42.0'] as const;
const install = (version: string): Promise<string> =>
  installPackage('genkit', version, { '@cfworker/json-schema': '^4.0.0' });

interface Result {
  text: string;
  messages: JsonObject[];
}
interface Genkit {
  defineModel(
    given: object,
    run: (request: GenkitRequest, send?: (chunk: object) => void) => Promise<object>,
  ): unknown;
  defineTool(given: object, run: (args: JsonObject) => Promise<string>): unknown;
  generate(given: object): Promise<Result>;
  generateStream(given: object): {
    stream: AsyncIterable<{ text: string }>;
    response: Promise<Result>;
  };
}
const versions = new Map<string, () => Genkit>();

beforeAll(async () => {
  for (const version of VERSIONS) {
    const { genkit } = await import(join(await install(version), 'lib/index.mjs'));
    versions.set(version, () => genkit({}));
  }
}, INSTALL_TIMEOUT);

function answer(
  request: GenkitRequest,
  script: Parameters<FrameworkUnderTest['open']>[0]['model'],
): ScriptedAnswer {
  const items = dialect.items(request);
  const results = items.flatMap((item) => (item.kind === 'result' ? [item] : []));
  const given = script({
    prompt: items.flatMap((item) => (item.kind === 'user' ? item.text : [])).at(-1) ?? '',
    calls: items.flatMap((item) => (item.kind === 'call' ? item.id : [])),
    answered: results.map(({ id }) => id),
    results: results.map(({ result }) => String(result)),
    request: JSON.stringify(request.messages),
  });
  if (given.error !== undefined) throw new Error(given.error);
  return given;
}

const contentOf = ({ text, calls = [] }: ScriptedAnswer): JsonObject[] => [
  ...(text === undefined ? [] : [{ text }]),
  ...calls.map(({ id, tool, args }) => ({ toolRequest: { ref: id, name: tool, input: args } })),
];

const frameworkOf = (version: string): FrameworkUnderTest => ({
  name: `Genkit ${version}`,
  can: ['note', 'hint', 'block', 'escalate', 'stop'],
  streams: true,
  resumes: true,
  open({ model: script, tools, options }) {
    const ai = versions.get(version)!();
    const model = ai.defineModel(
      { name: 'scripted', supports: { tools: true, multiturn: true } },
      async (request, send) => {
        const given = answer(request, script);
        if (send)
          for (const piece of (given.text ?? '').split(/(?<= )/))
            if (piece !== '') send({ content: [{ text: piece }] });
        return {
          message: { role: 'model', content: contentOf(given) },
          finishReason: 'stop',
          usage: { inputTokens: 10, outputTokens: 5 },
        };
      },
    );
    const defined = Object.entries(tools).map(([name, run]) => {
      const properties = name === 'search' ? { q: { type: 'string' } } : {};
      const inputJsonSchema = { type: 'object', properties, required: Object.keys(properties) };
      return ai.defineTool({ name, description: name, inputJsonSchema }, async (args) => run(args));
    });
    const use = options ? [unrutMiddleware(options)] : [];
    return {
      async run(prompts, { stream = false, signal, history, steps = 120, schema = false } = {}) {
        let messages = (history as JsonObject[] | undefined) ?? [];
        const pieces: string[] = [];
        let text = '';
        try {
          for (const prompt of prompts.length === 0 ? [undefined] : prompts) {
            if (prompt !== undefined)
              messages = [...messages, { role: 'user', content: [{ text: prompt }] }];
            const asked = {
              model,
              messages,
              tools: defined,
              use,
              maxTurns: steps,
              ...(signal ? { abortSignal: signal } : {}),
              ...(schema ? { output: { jsonSchema: OUTPUT_SCHEMA } } : {}),
            };
            let result: Result;
            if (stream) {
              const { stream: chunks, response } = ai.generateStream(asked);
              response.catch(() => {});
              for await (const chunk of chunks) if (chunk.text !== '') pieces.push(chunk.text);
              result = await response;
            } else result = await ai.generate(asked);
            text = result.text;
            messages = result.messages;
          }
          return { answer: text, pieces, history: messages };
        } catch (error) {
          // The number of turns is a limit that throws; it tells the request that was not made.
          const { request } = (error as { detail?: { request?: GenkitRequest } }).detail ?? {};
          if (steps < 120 && request) return { answer: text, pieces, history: request.messages };
          return { answer: text, pieces, error };
        }
      },
    };
  },
});

describe('Genkit', () => {
  for (const version of VERSIONS)
    for (const { name, run } of testFramework(frameworkOf(version))) it(name, run);
});

describe('the dialect of Genkit', () => {
  const call = (ref: string) => ({ toolRequest: { ref, name: 'search', input: { q: ref } } });
  const result = (ref: string, output: unknown) => ({
    toolResponse: { ref, name: 'search', output },
  });
  const requests: GenkitRequest[] = [
    {
      messages: [
        { role: 'user', content: [{ text: 'Go.' }] },
        { role: 'model', content: [{ reasoning: 'Hm.' }, { text: 'Now.' }, call('a'), call('b')] },
        { role: 'tool', content: [result('a', 'one'), result('b', { n: 2 })] },
      ],
    },
  ];
  const responses = [
    { message: { role: 'model', content: [{ text: 'Again.' }, call('c'), call('d')] } },
  ];
  const malformed = (value: unknown) => ({ messages: value as unknown[] });
  for (const { name, run } of testDialect('Genkit', dialect, { requests, responses, malformed }))
    it(name, run);
});

it('a consumer compiles', async () => {
  for (const version of VERSIONS)
    await compileConsumer(
      await install(version),
      `import { genkit } from 'genkit';
      import { unrutMiddleware } from 'unrut/genkit';
      const ai = genkit({});
      export const done = ai.generate({ model: 'a/b', prompt: 'Go.', use: [unrutMiddleware({ shadow: true })] });
      // @ts-expect-error: no such option.
      unrutMiddleware({ shadows: true });`,
    );
});

it('the example runs as it says', async () => {
  const lines = await runExample('genkit', await install(VERSIONS[1]));
  const rungs = lines.flatMap((line) => /^after \d+ searches: (\w+)$/.exec(line)?.[1] ?? []);
  expect([...new Set(rungs)]).toEqual(['note', 'hint', 'block', 'escalate', 'stop']);
  expect(lines.join('\n')).toMatch(/^\d searches instead of 50\. The last answer:\n.*stop/im);
});
