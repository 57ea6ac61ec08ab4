import { UnrutError } from '@unrut/engine/errors';
import { isObject, objectOf, textOf } from '@unrut/engine/json';
import { type Conversations, createConversations } from '../conversation.ts';
import type { Dialect } from '../dialect.ts';
import { guardedAnswer } from '../guarded-answer.ts';
import type { Asked } from '../known-conversations.ts';
import type { FrameworkOptions } from '../options.ts';
import { type ChatMessage, type ChatRequest, langchainDialect } from './dialect.ts';
import {
  type ChatChunk,
  guardedChunks,
  type StreamClasses,
  spoken,
  type TokenListener,
} from './guarded-chunks.ts';

export { type EventJudge, type FrameworkOptions, LoopError, type SessionName } from '../options.ts';

interface Core extends StreamClasses {
  dialect: Dialect<ChatRequest, ChatMessage>;
}

let core: Promise<Core> | undefined;

/**
 * The used parts of LangChain, loaded at the first call of a model, when LangChain must be
 * installed.
 */
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
  tool_choice?: unknown;
  response_format?: unknown;
  responseSchema?: unknown;
  ls_structured_output_format?: unknown;
}

/** Tool choices that allow a text; any other choice forces a call. */
const FREE_CHOICES: readonly unknown[] = [undefined, 'auto', 'none', 'allowed_tools'];

/** Whether the answer has to match a schema, or to be a call: a text would be neither. */
const hasSchema = ({ tool_choice: choice, ...options }: CallOptions = {}): boolean =>
  options.response_format !== undefined ||
  options.responseSchema !== undefined ||
  options.ls_structured_output_format !== undefined ||
  !FREE_CHOICES.includes(isObject(choice) ? choice.type : choice);

const requestOf = (messages: readonly ChatMessage[], options?: CallOptions): ChatRequest => ({
  messages,
  tools: options?.tools,
  hasSchema: hasSchema(options),
});

/**
 * Guards a chat model: agents, graphs and nested agents that get it ask under guard. Returns the
 * same model, of the same type.
 */
export function guardModel<Model extends GuardableChatModel>(
  model: Model,
  options: FrameworkOptions = {},
): Model {
  if (!isChatModel(model))
    throw new UnrutError(
      'bad-option',
      `guardModel: expected a chat model of LangChain, such as new ChatOpenAI(), got ${isObject(model) && 'bound' in model ? 'one with tools or settings bound to it. Call guardModel before bindTools' : typeof model}. For models that are named by a text, use unrutMiddleware.`,
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
      request: requestOf(messages, options),
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
      request: requestOf(messages, options),
      ask,
      run: runManager as TokenListener | undefined,
    });
  }

  return withMethods(model, { _generate, _streamResponseChunks }, (other) =>
    guarded(other, conversations),
  );
}

/**
 * The methods by which LangChain calls a model. Providers override some of them, which call each
 * other.
 */
const ASKING: readonly PropertyKey[] = [
  'invoke',
  'stream',
  'batch',
  'generate',
  'generatePrompt',
  'streamEvents',
  'streamV2',
  'transform',
  '_streamIterator',
];

/** The model with these methods in the place of its own; so are the models that it makes. */
function withMethods<Model extends GuardableChatModel>(
  model: Model,
  { _generate, _streamResponseChunks }: Required<GuardableChatModel>,
  again: (model: GuardableChatModel) => GuardableChatModel,
): Model {
  const base = baseOf(model) as Partial<Record<PropertyKey, unknown>>;
  // A provider's own way to stream events would pass the guard; LangChain's makes them of chunks.
  const own: Record<PropertyKey, unknown> = {
    _generate,
    _streamChatModelEvents: base._streamChatModelEvents,
  };
  // LangChain asks whether a model streams by whether it has a method of its own for it.
  if (model._streamResponseChunks && model._streamResponseChunks !== base._streamResponseChunks)
    own._streamResponseChunks = _streamResponseChunks;
  const proxy: Model = new Proxy(model, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(target, name, target);
      // LangChain's own methods must call the guarded ones. A provider's methods may use private
      // fields.
      if (
        typeof value !== 'function' ||
        name === 'constructor' ||
        ASKING.includes(name) ||
        Object.hasOwn(target, name) ||
        base[name] === value
      )
        return value;
      return (...args: unknown[]) => kept(Reflect.apply(value, target, args));
    },
  });

  /** A model with tools or other settings is guarded too. */
  function kept(made: unknown): unknown {
    if (made === model) return proxy;
    if (isChatModel(made)) return again(made);
    const holder = made as { bound?: unknown };
    if (isObject(made) && isChatModel(holder.bound)) holder.bound = kept(holder.bound);
    return made;
  }

  return proxy;
}

/** The base class of all chat models, above the provider's classes. */
function baseOf(model: object): object {
  let base: object = model;
  for (let each: object | null = model; each !== null; each = Object.getPrototypeOf(each))
    if (Object.hasOwn(each, '_generateUncached')) base = each;
  return base;
}

const isLast = ({ response_metadata: about }: ChatMessage): boolean =>
  objectOf(about).unrut !== undefined;

/** A model that says one message, whatever it is asked. */
const saying = (
  model: GuardableChatModel,
  message: ChatMessage,
  classes: StreamClasses,
): GuardableChatModel => {
  const text = textOf(message.content);
  return withMethods(
    model,
    {
      _generate: async () => ({ generations: [{ text, message }] }),
      _streamResponseChunks: (_, __, run) => spoken(message, text, classes, run),
    },
    (other) => saying(other, message, classes),
  );
};

/** The used parts of a middleware's input for each model call. */
export interface ModelCallRequest extends ChatRequest {
  model?: unknown;
  responseFormat?: unknown;
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
      const { dialect, ...classes } = await loadCore();
      const asked: Asked = {
        session: textOf(request.runtime?.configurable?.thread_id) || undefined,
      };
      const message = await guardedAnswer({
        conversations,
        dialect,
        request: { ...request, hasSchema: request.responseFormat !== undefined },
        asked,
        ask: ({ hasSchema: _, ...each }) => handler(each as ModelCallRequest),
      });
      const { model } = request;
      // Streams of a graph come from its models, so a model has to say the last words.
      return isChatModel(model) && isLast(message)
        ? handler({ ...request, model: saying(model, message, classes) })
        : message;
    },
  } as UnrutMiddleware;
}
