import { UnrutError } from '../../errors.ts';
import { hash64 } from '../../hash.ts';
import { isObject, textOf } from '../../json.ts';
import { type Conversations, createConversations, type Turn } from '../conversation.ts';
import { asking, attempt, guardedAnswer, noted, turnOf } from '../guarded-answer.ts';
import type { Asked } from '../known-conversations.ts';
import type { FrameworkOptions } from '../options.ts';
import { aiSdkDialect, type ModelRequest, type ModelResponse } from './dialect.ts';
import { guardedStream, lastWords } from './guarded-stream.ts';

export { type EventJudge, type FrameworkOptions, LoopError, type SessionName } from '../options.ts';

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

/** Guards a model: whoever gets it asks under guard. Gives the same model, of the same type. */
export function guardModel<Model extends GuardableModel>(model: Model, options: FrameworkOptions = {}): Model {
  if (!isModel(model) || !['v3', 'v4'].includes(model.specificationVersion))
    throw new UnrutError(
      'bad-option',
      `guardModel: expected a model of the AI SDK 6 or 7 (specification v3 or v4), got ${isModel(model) ? `specification ${model.specificationVersion}` : typeof model}. Pass a model object; for model names, use guardProvider.`,
    );
  return guarded(model, createConversations('ai-sdk', options));
}

/** Guards a provider: every language model that comes from it is guarded. */
export function guardProvider<Provider extends object>(provider: Provider, options: FrameworkOptions = {}): Provider {
  const conversations = createConversations('ai-sdk', options);
  const known = new WeakMap<object, unknown>();
  const guard = (value: unknown): unknown => {
    if (!isModel(value)) return value;
    if (!known.has(value)) known.set(value, guarded(value, conversations));
    return known.get(value);
  };
  return new Proxy(provider, {
    apply: (target, self, args) => guard(Reflect.apply(target as never, self, args)),
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || !isOwn(target, name)) return value;
      return (...args: unknown[]) => guard(Reflect.apply(value, target, args));
    },
  });
}

/** What a function is by itself (`name`, `call`) stays as it is. */
const isOwn = (target: object, name: PropertyKey): boolean => !(name in Function.prototype) || Object.hasOwn(target, name);

const isModel = (value: unknown): value is GuardableModel =>
  isObject(value) && typeof value.doGenerate === 'function' && typeof value.doStream === 'function';

function guarded<Model extends GuardableModel>(model: Model, conversations: Conversations): Model {
  const doGenerate = (request: ModelRequest): Promise<ModelResponse> =>
    guardedAnswer({
      conversations,
      dialect: aiSdkDialect,
      request,
      asked: askedBy(request),
      ask: (each) => model.doGenerate(each) as PromiseLike<ModelResponse>,
    });

  async function doStream(request: ModelRequest): Promise<unknown> {
    const boundary = { conversations, dialect: aiSdkDialect, request, asked: askedBy(request) };
    const ask = (each: ModelRequest) => model.doStream(each) as PromiseLike<Streamed>;
    const turn = await turnOf(boundary);
    if (!turn) return ask(request);
    if (turn.stop) {
      conversations.end(turn.stop);
      return { stream: streamOf(lastWords(turn.stop)) };
    }
    const asked = noted(boundary, turn);
    const result = await asking(conversations, turn, () => ask(asked));
    const stream = attempt(conversations, () => guardedStream({ conversations, turn, request: asked, stream: result.stream, ask }));
    return stream ? { ...result, stream } : result;
  }

  const own: Record<PropertyKey, unknown> = { doGenerate, doStream };
  return new Proxy(model, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(target, name, target);
      // A model may have private fields.
      return typeof value === 'function' ? value.bind(target) : value;
    },
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
  const own = isObject(providerOptions) && isObject(providerOptions.unrut) ? providerOptions.unrut : {};
  const [session, agent] = [textOf(own.session), textOf(own.agent)];
  return { ...(session === '' ? {} : { session }), ...(agent === '' ? {} : { agent }) };
}

const MAX_TURNS = 200;

/** A call that the AI SDK 7 asks about, as far as it is read. */
export interface ApprovalQuestion {
  toolCall: { toolCallId: string; toolName: string; input?: unknown };
  messages: readonly unknown[];
}

/** `denied` with a reason for the model, or `user-approval`. */
export type ApprovalAnswer = { type: 'denied' | 'user-approval'; reason: string } | undefined;

/**
 * For `toolApproval` of the AI SDK 7, where a person answers approval requests: a futile call is denied, and where a person should look, one
 * is asked. It adds no notes to results. Use it without `guardModel`.
 */
export function unrutApproval(options: FrameworkOptions = {}): (question: ApprovalQuestion) => Promise<ApprovalAnswer> {
  const conversations = createConversations(
    'ai-sdk',
    { attended: true, ...options },
    { can: ['note', 'hint', 'block', 'escalate'], isMute: true },
  );
  /** By the history: the calls of one response are asked about one by one. */
  const turns = new Map<string, { turn: Promise<Turn | undefined>; isAsked: boolean }>();
  return async ({ toolCall, messages }) => {
    try {
      const { toolCallId: id, toolName: tool, input: args } = toolCall;
      const key = hash64(JSON.stringify(messages));
      const isMore = turns.has(key);
      const now = turns.get(key) ?? { turn: conversations.before(aiSdkDialect.items({ prompt: messages })), isAsked: false };
      if (turns.size > MAX_TURNS) turns.clear();
      turns.set(key, now);
      const turn = await now.turn;
      if (!turn) return undefined;
      const { refused } = await conversations.after(turn, { said: [], calls: [{ id, tool, args }], isMore });
      if (refused[0]) return { type: 'denied', reason: refused[0].text };
      if (!turn.ask || now.isAsked) return undefined;
      now.isAsked = true;
      return { type: 'user-approval', reason: turn.ask.toHuman };
    } catch (error) {
      conversations.fault(error);
      return undefined;
    }
  };
}
