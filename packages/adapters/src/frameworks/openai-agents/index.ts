import { UnrutError } from '@unrut/engine/errors';
import { isObject } from '@unrut/engine/json';
import { type Conversations, createConversations } from '../conversation.ts';
import { guardedAnswer } from '../guarded-answer.ts';
import type { FrameworkOptions } from '../options.ts';
import { oncePerObject, withOwn } from '../with-own.ts';
import type { AgentRequest, AgentResponse } from './dialect.ts';
import { guardedEvents } from './guarded-events.ts';
import { createKept, type KeptByProvider } from './kept-by-provider.ts';

export { type EventJudge, type FrameworkOptions, LoopError, type SessionName } from '../options.ts';

/** A model of the OpenAI Agents SDK, known by its shape. */
export interface GuardableAgentModel {
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types would have to be imported.
  getResponse(request: any): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  getStreamedResponse(request: any): AsyncIterable<unknown>;
}

/** A provider of such models. */
export interface GuardableModelProvider {
  getModel(name?: string): unknown;
}

/** Guards a model: agents that get it ask under guard. Returns the same model, of the same type. */
export function guardModel<Model extends GuardableAgentModel>(
  model: Model,
  options: FrameworkOptions = {},
): Model {
  if (!isModel(model))
    throw new UnrutError(
      'bad-option',
      `guardModel: expected a model of the OpenAI Agents SDK, got ${typeof model}. For models that are named by a text, use guardProvider.`,
    );
  return guarded(model, createConversations('openai-agents', options), createKept());
}

/**
 * Guards a provider, for `new Runner({ modelProvider })` or `setDefaultModelProvider`: every model
 * that comes from it is guarded.
 */
export function guardProvider<Provider extends GuardableModelProvider>(
  provider: Provider,
  options: FrameworkOptions = {},
): Provider {
  if (!isObject(provider) || typeof provider.getModel !== 'function')
    throw new UnrutError(
      'bad-option',
      `guardProvider: expected a model provider of the OpenAI Agents SDK, such as new OpenAIProvider(), got ${typeof provider}.`,
    );
  const conversations = createConversations('openai-agents', options);
  const kept = createKept();
  const guard = oncePerObject(isModel, (model) => guarded(model, conversations, kept));
  const getModel = (name?: string): unknown => {
    const model = provider.getModel(name);
    return model instanceof Promise ? model.then(guard) : guard(model);
  };
  return withOwn(provider, { getModel });
}

const isModel = (value: unknown): value is GuardableAgentModel =>
  isObject(value) &&
  typeof value.getResponse === 'function' &&
  typeof value.getStreamedResponse === 'function';

function guarded<Model extends GuardableAgentModel>(
  model: Model,
  conversations: Conversations,
  kept: KeptByProvider,
): Model {
  const getResponse = (request: AgentRequest): Promise<AgentResponse> =>
    guardedAnswer({
      conversations,
      ...kept.boundaryOf(request),
      ask: (each) => model.getResponse(kept.complete(each)) as Promise<AgentResponse>,
    });
  const getStreamedResponse = (request: AgentRequest): AsyncIterable<unknown> =>
    guardedEvents({
      conversations,
      ...kept.boundaryOf(request),
      ask: (each) => model.getStreamedResponse(kept.complete(each)),
    });
  return withOwn(model, { getResponse, getStreamedResponse });
}
