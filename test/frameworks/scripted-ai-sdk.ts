import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import { MockLanguageModelV4 } from 'ai/test';
import { MockLanguageModelV3 } from 'ai-6/test';
import {
  aiSdkDialect,
  type ModelRequest,
} from '../../packages/adapters/src/frameworks/ai-sdk/dialect.ts';
import type { FrameworkUnderTest, ModelReads, ScriptedAnswer } from '../suites/test-framework.ts';

type Model = Parameters<FrameworkUnderTest['open']>[0]['model'];

export const usage = {
  inputTokens: { total: 10, noCache: 10 },
  outputTokens: { total: 5, text: 5 },
};

/** What a request of the AI SDK asks, for a script. */
function readsOf({ prompt }: ModelRequest): ModelReads {
  const items = aiSdkDialect.items({ prompt });
  const results = prompt.flatMap((message) =>
    isObject(message) && message.role === 'tool' ? (message.content as JsonObject[]) : [],
  );
  return {
    prompt: items.flatMap((item) => (item.kind === 'user' ? item.text : [])).at(-1) ?? '',
    calls: items.flatMap((item) => (item.kind === 'call' ? item.id : [])),
    answered: items.flatMap((item) => (item.kind === 'result' ? item.id : [])),
    results: results.map(({ output }) =>
      typeof (output as JsonObject).value === 'string'
        ? textOf((output as JsonObject).value)
        : JSON.stringify(output),
    ),
    request: JSON.stringify(prompt),
  };
}

function contentOf({ text, calls = [], error }: ScriptedAnswer): JsonObject[] {
  if (error !== undefined) throw new Error(error);
  return [
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, tool, args }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: tool,
      input: JSON.stringify(args),
    })),
  ];
}

const finishOf = (content: readonly JsonObject[]) => ({
  finishReason: {
    unified: content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop',
    raw: undefined,
  },
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

/** A model of the AI SDK that follows a script. */
export function scripted(version: 6 | 7, model: Model): MockLanguageModelV4 {
  const given = {
    doGenerate: async ({ abortSignal, ...request }: JsonObject) => {
      const content = contentOf(model(readsOf(request as unknown as ModelRequest)));
      (abortSignal as AbortSignal | undefined)?.throwIfAborted();
      return { content, ...finishOf(content), warnings: [] };
    },
    doStream: async (request: JsonObject) => ({
      stream: streamOf(partsOf(contentOf(model(readsOf(request as unknown as ModelRequest))))),
    }),
  } as never;
  return version === 7 ? new MockLanguageModelV4(given) : (new MockLanguageModelV3(given) as never);
}
