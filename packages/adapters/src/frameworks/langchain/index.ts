import { UnrutError } from '@unrut/engine/errors';
import { isObject, textOf } from '@unrut/engine/json';
import { type Conversations, createConversations } from '../conversation.ts';
import type { Dialect } from '../dialect.ts';
import { guardedAnswer } from '../guarded-answer.ts';
import type { Asked } from '../known-conversations.ts';
import type { FrameworkOptions } from '../options.ts';
import { type ChatMessage, type ChatRequest, langchainDialect } from './dialect.ts';
import { type ChatChunk, guardedChunks, type StreamClasses } from './guarded-chunks.ts';

export { type EventJudge, type FrameworkOptions, LoopError, type SessionName } from '../options.ts';

interface Core extends StreamClasses {
  dialect: Dialect<ChatRequest, ChatMessage>;
}

let core: Promise<Core> | undefined;

/** What of LangChain is needed, loaded when a model is asked first: whoever asks one has it. */
const loadCore = (): Promise<Core> =>
  (core ??= Promise.all([
    import('@langchain/core/messages'),
    import('@langchain/core/outputs'),
  ]).then(([{ AIMessage, AIMessageChunk, ToolMessage }, { ChatGenerationChunk }]) => ({
    dialect: langchainDialect({ AIMessage, ToolMessage } as never),
    AIMessageChunk,
    ChatGenerationChunk,
  })) as Promise<Core>);

/** A chat model of LangChain, known by its shape. */
export interface GuardableChatModel {
  // biome-ignore lint/suspicious/noExplicitAny: LangChain's own types would have to be imported.
  _generate(messages: any, options: any, runManager?: any): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  _streamResponseChunks?(messages: any, options: any, runManager?: any): AsyncIterable<unknown>;
}

interface ChatResult {
  generations: { message: ChatMessage; text: string }[];
}

interface CallOptions {
  tools?: readonly unknown[];
}

/**
 * Guards a chat model: agents, graphs and nested agents that get it ask under guard. Gives the same
 * model, of the same type.
 */
export function guardModel<Model extends GuardableChatModel>(
  model: Model,
  options: FrameworkOptions = {},
): Model {
  if (!isChatModel(model))
    throw new UnrutError(
      'bad-option',
      `guardModel: expected a chat model of LangChain, such as new ChatOpenAI(), got ${typeof model}. For models that are named by a text, use unrutMiddleware.`,
    );
  return guarded(model, createConversations('langchain', options));
}

const isChatModel = (value: unknown): value is GuardableChatModel =>
  isObject(value) && typeof value._generate === 'function' && 'invoke' in value;

function guarded<Model extends GuardableChatModel>(
  model: Model,
  conversations: Conversations,
): Model {
  const asked: Asked = { model: textOf((model as { model?: unknown }).model) || undefined };
  async function _generate(
    messages: readonly ChatMessage[],
    options: CallOptions,
    runManager?: unknown,
  ): Promise<unknown> {
    const { dialect } = await loadCore();
    let last: ChatResult | undefined;
    const ask = async (each: ChatRequest): Promise<ChatMessage> => {
      last = (await model._generate(each.messages, options, runManager)) as ChatResult;
      return last.generations[0]!.message;
    };
    const message = await guardedAnswer({
      conversations,
      dialect,
      asked,
      request: { messages, tools: options?.tools },
      ask,
    });
    if (last?.generations[0]?.message === message) return last;
    return { ...last, generations: [{ text: textOf(message.content), message }] };
  }

  async function* _streamResponseChunks(
    messages: readonly ChatMessage[],
    options: CallOptions,
    runManager?: unknown,
  ): AsyncGenerator<unknown> {
    const { dialect, ...classes } = await loadCore();
    const ask = (each: ChatRequest) =>
      model._streamResponseChunks!(each.messages, options, runManager) as AsyncIterable<ChatChunk>;
    yield* guardedChunks({
      conversations,
      dialect,
      asked,
      classes,
      request: { messages, tools: options?.tools },
      ask,
    });
  }

  const base = baseOf(model);
  const own: Record<PropertyKey, unknown> = { _generate };
  // LangChain asks whether a model streams by whether it has a method of its own for it.
  if (
    model._streamResponseChunks &&
    model._streamResponseChunks !== (base as Partial<GuardableChatModel>)._streamResponseChunks
  )
    own._streamResponseChunks = _streamResponseChunks;
  const proxy: Model = new Proxy(model, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(target, name, target);
      // What LangChain itself brings must come to the guarded methods. What a provider brings may
      // use private fields.
      if (
        typeof value !== 'function' ||
        name === 'constructor' ||
        Object.hasOwn(target, name) ||
        Reflect.get(base, name) === value
      )
        return value;
      return (...args: unknown[]) => kept(Reflect.apply(value, target, args));
    },
  });

  /** A model with tools or other settings is guarded too. */
  function kept(made: unknown): unknown {
    if (made === model) return proxy;
    if (isChatModel(made)) return guarded(made, conversations);
    const holder = made as { bound?: unknown };
    if (isObject(made) && isChatModel(holder.bound)) holder.bound = kept(holder.bound);
    return made;
  }

  return proxy;
}

/** The class of all chat models: what stands above the provider's own. */
function baseOf(model: object): object {
  let base: object = model;
  for (let each: object | null = model; each !== null; each = Object.getPrototypeOf(each))
    if (Object.hasOwn(each, '_generateUncached')) base = each;
  return base;
}

/** What a middleware is given for each call of a model, as far as it is read. */
export interface ModelCallRequest extends ChatRequest {
  runtime?: { configurable?: { thread_id?: unknown } | undefined };
}

export interface UnrutMiddleware {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: LangChain's own types would have to be imported.
  wrapModelCall(request: any, handler: any): Promise<any>;
}

/**
 * For `middleware` of `createAgent`, as its first item: models that are named by a text are guarded
 * too.
 */
export function unrutMiddleware(options: FrameworkOptions = {}): UnrutMiddleware {
  const conversations = createConversations('langchain', options);
  return {
    [Symbol.for('AgentMiddleware')]: true,
    name: 'UnrutMiddleware',
    async wrapModelCall(
      request: ModelCallRequest,
      handler: (request: ModelCallRequest) => Promise<ChatMessage>,
    ): Promise<ChatMessage> {
      const { dialect } = await loadCore();
      const asked: Asked = {
        session: textOf(request.runtime?.configurable?.thread_id) || undefined,
      };
      return guardedAnswer({
        conversations,
        dialect,
        request,
        asked,
        ask: (each) => handler(each as ModelCallRequest),
      });
    },
  } as UnrutMiddleware;
}
