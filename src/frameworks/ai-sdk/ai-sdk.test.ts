import * as ai7 from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import * as ai6 from 'ai-6';
import { MockLanguageModelV3 } from 'ai-6/test';
import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject, textOf } from '../../json.ts';
import { testDialect } from '../../testing/test-dialect.ts';
import { type FrameworkUnderTest, type ModelReads, type ScriptedAnswer, testFramework } from '../../testing/test-framework.ts';
import { aiSdkDialect, type ModelRequest } from './dialect.ts';
import { guardModel, guardProvider, unrutApproval } from './index.ts';

type Ai = typeof ai7;
type Tools = Parameters<FrameworkUnderTest['open']>[0]['tools'];
type Model = Parameters<FrameworkUnderTest['open']>[0]['model'];

const usage = { inputTokens: { total: 10, noCache: 10 }, outputTokens: { total: 5, text: 5 } };

/** What a request of the AI SDK asks, for a script. */
function readsOf({ prompt }: ModelRequest): ModelReads {
  const items = aiSdkDialect.items({ prompt });
  const results = prompt.flatMap((message) => (isObject(message) && message.role === 'tool' ? (message.content as JsonObject[]) : []));
  return {
    prompt: items.flatMap((item) => (item.kind === 'user' ? item.text : [])).at(-1) ?? '',
    calls: items.flatMap((item) => (item.kind === 'call' ? item.id : [])),
    answered: items.flatMap((item) => (item.kind === 'result' ? item.id : [])),
    results: results.map(({ output }) =>
      typeof (output as JsonObject).value === 'string' ? textOf((output as JsonObject).value) : JSON.stringify(output),
    ),
    request: JSON.stringify(prompt),
  };
}

function contentOf({ text, calls = [], error }: ScriptedAnswer): JsonObject[] {
  if (error !== undefined) throw new Error(error);
  return [
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, tool, args }) => ({ type: 'tool-call', toolCallId: id, toolName: tool, input: JSON.stringify(args) })),
  ];
}

const finishOf = (content: readonly JsonObject[]) => ({
  finishReason: { unified: content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop', raw: undefined },
  usage,
});

function* partsOf(content: readonly JsonObject[]): Generator<JsonObject> {
  yield { type: 'stream-start', warnings: [] };
  for (const [i, part] of content.entries()) {
    if (part.type !== 'text') {
      const { toolCallId: id, toolName, input } = part;
      yield { type: 'tool-input-start', id, toolName };
      yield { type: 'tool-input-delta', id, delta: input };
      yield { type: 'tool-input-end', id };
      yield part;
      continue;
    }
    const id = String(i);
    yield { type: 'text-start', id };
    for (const delta of textOf(part.text).split(/(?<= )/)) yield { type: 'text-delta', id, delta };
    yield { type: 'text-end', id };
  }
  yield { type: 'finish', ...finishOf(content) };
}

const streamOf = (parts: Iterable<JsonObject>): ReadableStream<JsonObject> =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });

function scripted(version: 6 | 7, model: Model): MockLanguageModelV4 {
  const given = {
    doGenerate: async ({ abortSignal, ...request }: JsonObject) => {
      const content = contentOf(model(readsOf(request as unknown as ModelRequest)));
      (abortSignal as AbortSignal | undefined)?.throwIfAborted();
      return { content, ...finishOf(content), warnings: [] };
    },
    doStream: async (request: JsonObject) => ({ stream: streamOf(partsOf(contentOf(model(readsOf(request as unknown as ModelRequest))))) }),
  } as never;
  return version === 7 ? new MockLanguageModelV4(given) : (new MockLanguageModelV3(given) as never);
}

function toolsOf(ai: Ai, tools: Tools): never {
  const isRight = (name: string, value: unknown): boolean => name !== 'search' || typeof (value as JsonObject).q === 'string';
  return Object.fromEntries(
    Object.entries(tools).map(([name, run]) => [
      name,
      ai.tool({
        inputSchema: ai.jsonSchema(
          { type: 'object' },
          {
            validate: (value) =>
              isRight(name, value)
                ? { success: true, value: value as JsonObject }
                : { success: false, error: new Error('q: expected a text') },
          },
        ),
        execute: async (args: JsonObject) => run(args),
      } as never),
    ]),
  ) as never;
}

const frameworkOf = (version: 6 | 7, ai: Ai): FrameworkUnderTest => ({
  name: `AI SDK ${version}`,
  can: ['note', 'hint', 'block', 'escalate', 'stop'],
  streams: true,
  resumes: true,
  open({ model: script, tools, options }) {
    const bare = scripted(version, script);
    const model = options ? guardModel(bare, options) : bare;
    return {
      async run(prompts, { stream = false, signal, history, steps = 120 } = {}) {
        let messages = (history as ai7.ModelMessage[] | undefined) ?? [];
        const pieces: string[] = [];
        let answer = '';
        try {
          for (const prompt of prompts.length === 0 ? [undefined] : prompts) {
            if (prompt !== undefined) messages = [...messages, { role: 'user', content: prompt }];
            const asked = {
              model,
              tools: toolsOf(ai, tools),
              messages,
              stopWhen: ai.stepCountIs(steps),
              maxRetries: 0,
              ...(signal ? { abortSignal: signal } : {}),
            };
            if (stream) {
              let failure: unknown;
              const onError = ({ error }: { error: unknown }): void => {
                failure = error;
              };
              const result = ai.streamText({ ...asked, onError } as never);
              for await (const piece of result.textStream) pieces.push(piece);
              if (failure) throw failure;
              answer = await result.text;
              messages = [...messages, ...(await result.response).messages];
            } else {
              const result = await ai.generateText(asked as never);
              answer = result.text;
              messages = [...messages, ...result.response.messages];
            }
          }
          return { answer, pieces, history: messages };
        } catch (error) {
          return { answer, pieces, error };
        }
      },
    };
  },
});

describe('the AI SDK', () => {
  for (const framework of [frameworkOf(7, ai7), frameworkOf(6, ai6 as unknown as Ai)])
    for (const { name, run } of testFramework(framework)) it(name, run);
});
void [testDialect, guardProvider, unrutApproval, expect];
