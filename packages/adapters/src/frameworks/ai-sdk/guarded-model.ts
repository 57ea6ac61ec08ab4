import { isObject, objectOf, textOf } from '@unrut/engine/json';
import type { Conversations } from '../conversation.ts';
import { asking, attempt, endAtStop, guardedAnswer, noted, turnOf } from '../guarded-answer.ts';
import type { Asked } from '../known-conversations.ts';
import { withOwn } from '../with-own.ts';
import { aiSdkDialect, type ModelRequest, type ModelResponse } from './dialect.ts';
import { guardedStream, lastWords } from './guarded-stream.ts';

/** A model of the AI SDK 6 or 7, known by its shape. */
export interface GuardableModel {
  readonly specificationVersion: string;
  // biome-ignore lint/suspicious/noExplicitAny: both majors have types of their own, which a parameter of unknown would not accept.
  doGenerate(options: any): PromiseLike<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  doStream(options: any): PromiseLike<unknown>;
}

interface Streamed {
  stream: ReadableStream<unknown>;
}

export const isModel = (value: unknown): value is GuardableModel =>
  isObject(value) && typeof value.doGenerate === 'function' && typeof value.doStream === 'function';

/** How a model is used that is no model of the AI SDK as it was made. */
export interface ModelUse {
  /** Which run asks it, where its requests do not say. */
  asked?: Asked;
  /** Its `doGenerate` gives a stream too. */
  onlyStreams?: boolean;
}

/** The same model, which is asked under guard. */
export function guardedModel<Model extends GuardableModel>(
  model: Model,
  conversations: Conversations,
  use: ModelUse = {},
): Model {
  const version = model.specificationVersion;
  const name = textOf((model as { modelId?: unknown }).modelId) || undefined;
  const doGenerate = (request: ModelRequest): Promise<ModelResponse> =>
    guardedAnswer({
      conversations,
      dialect: aiSdkDialect,
      request,
      asked: { ...askedBy(request), model: name },
      ask: (each) => model.doGenerate(each) as PromiseLike<ModelResponse>,
    });

  const streaming =
    (method: 'doStream' | 'doGenerate') =>
    async (request: ModelRequest): Promise<unknown> => {
      const boundary = {
        conversations,
        dialect: aiSdkDialect,
        request,
        asked: { ...(use.asked ?? askedBy(request)), model: name },
      };
      const ask = (each: ModelRequest) => model[method](each) as PromiseLike<Streamed>;
      const turn = await turnOf(boundary);
      if (!turn) return ask(request);
      // Errors thrown here reach the user like any model error.
      if (turn.stop) {
        endAtStop(boundary, turn, turn.stop);
        return { stream: streamOf(lastWords(turn.stop, version)) };
      }
      const asked = noted(boundary, turn);
      const result = await asking(conversations, turn, () => ask(asked));
      const stream = attempt(conversations, () =>
        guardedStream({ conversations, turn, version, request: asked, stream: result.stream, ask }),
      );
      return stream ? { ...result, stream } : result;
    };

  return withOwn(model, {
    doGenerate: use.onlyStreams ? streaming('doGenerate') : doGenerate,
    doStream: streaming('doStream'),
  });
}

function streamOf(parts: Iterable<unknown>): ReadableStream<unknown> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] });
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

/** `providerOptions.unrut` names the run. */
function askedBy({ providerOptions }: ModelRequest): Asked {
  const { session, agent } = objectOf(objectOf(providerOptions).unrut);
  return { session: textOf(session) || undefined, agent: textOf(agent) || undefined };
}
