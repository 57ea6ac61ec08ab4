import { objectOf } from '@unrut/engine/json';
import { createConversations } from '../conversation.ts';
import { guardedAnswer } from '../guarded-answer.ts';
import type { FrameworkOptions } from '../options.ts';
import { type GenkitRequest, type GenkitResponse, genkitDialect } from './dialect.ts';

export { type EventJudge, type FrameworkOptions, LoopError, type SessionName } from '../options.ts';

// biome-ignore lint/suspicious/noExplicitAny: Genkit's own types would have to be imported.
type Untyped = any;

/** A middleware of Genkit's models. */
export type UnrutModelMiddleware = (
  request: Untyped,
  how: Untyped,
  next: (request?: Untyped, how?: Untyped) => Promise<Untyped>,
) => Promise<Untyped>;

/**
 * For `use` of `ai.generate`, as its first item: the model is asked under guard. Make it once, and
 * use it for every call.
 */
export function unrutMiddleware(options: FrameworkOptions = {}): UnrutModelMiddleware {
  const conversations = createConversations('genkit', options);
  // Genkit passes streamed chunks only to middleware with three parameters.
  return async (request: GenkitRequest, how: Untyped, next) => {
    const response = await guardedAnswer<GenkitRequest, GenkitResponse>({
      conversations,
      dialect: genkitDialect,
      request,
      ask: (each) => next(each, how),
    });
    const { content, metadata } = objectOf(response.message);
    if (objectOf(metadata).unrut !== undefined) how?.onChunk?.({ role: 'model', content });
    return response;
  };
}
