import { UnrutError } from '@unrut/engine/errors';
import { hash64 } from '@unrut/engine/hash';
import { createConversations, type Turn } from '../conversation.ts';
import type { FrameworkOptions } from '../options.ts';
import { oncePerObject } from '../with-own.ts';
import { aiSdkDialect } from './dialect.ts';
import { type GuardableModel, guardedModel, isModel } from './guarded-model.ts';

export { type EventJudge, type FrameworkOptions, LoopError, type SessionName } from '../options.ts';
export type { GuardableModel } from './guarded-model.ts';

/** Returns a guarded model of the same type; all of its users are guarded. */
export function guardModel<Model extends GuardableModel>(
  model: Model,
  options: FrameworkOptions = {},
): Model {
  if (!isModel(model) || !['v3', 'v4'].includes(model.specificationVersion))
    throw new UnrutError(
      'bad-option',
      `guardModel: expected a model of the AI SDK 6 or 7 (specification v3 or v4), got ${isModel(model) ? `specification ${model.specificationVersion}` : typeof model}. Pass a model object; for model names, use guardProvider.`,
    );
  return guardedModel(model, createConversations('ai-sdk', options));
}

/** Guards a provider: every language model that comes from it is guarded. */
export function guardProvider<Provider extends object>(
  provider: Provider,
  options: FrameworkOptions = {},
): Provider {
  const conversations = createConversations('ai-sdk', options);
  const guard = oncePerObject(isModel, (model) => guardedModel(model, conversations));
  return new Proxy(provider, {
    apply: (target, self, args) => guard(Reflect.apply(target as never, self, args)),
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || !isOwn(target, name)) return value;
      return (...args: unknown[]) => guard(Reflect.apply(value, target, args));
    },
  });
}

/** A function's own properties (`name`, `call`) stay unchanged. */
const isOwn = (target: object, name: PropertyKey): boolean =>
  !(name in Function.prototype) || Object.hasOwn(target, name);

const MAX_TURNS = 200;

/** A call that the AI SDK 7 asks about, as far as it is read. */
export interface ApprovalQuestion {
  toolCall: { toolCallId: string; toolName: string; input?: unknown };
  messages: readonly unknown[];
}

/** `denied` with a reason for the model, or `user-approval`. */
export type ApprovalAnswer = { type: 'denied' | 'user-approval'; reason: string } | undefined;

/**
 * For `toolApproval` in AI SDK 7, with a user who answers approval requests: a futile call is
 * denied, and if a user should look, one is asked. It adds no notes to results. Use it without
 * `guardModel`.
 */
export function unrutApproval(
  options: FrameworkOptions = {},
): (question: ApprovalQuestion) => Promise<ApprovalAnswer> {
  const conversations = createConversations('ai-sdk', options, {
    can: ['note', 'hint', 'block', 'escalate'],
    asks: true,
    isMute: true,
  });
  /** By the history: the calls of one response are asked about one by one. */
  const turns = new Map<string, { turn: Promise<Turn | undefined>; isAsked: boolean }>();
  return async ({ toolCall, messages }) => {
    try {
      const { toolCallId: id, toolName: tool, input: args } = toolCall;
      const key = hash64(JSON.stringify(messages));
      const isMore = turns.has(key);
      const now = turns.get(key) ?? {
        turn: conversations.before(aiSdkDialect.items({ prompt: messages })),
        isAsked: false,
      };
      if (turns.size > MAX_TURNS) turns.clear();
      turns.set(key, now);
      const turn = await now.turn;
      if (!turn) return undefined;
      const { refused } = await conversations.after(turn, {
        said: [],
        calls: [{ id, tool, args }],
        isMore,
      });
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
