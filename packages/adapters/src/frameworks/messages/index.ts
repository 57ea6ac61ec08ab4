import { createConversations, type Turn } from '../conversation.ts';
import { attempt } from '../guarded-answer.ts';
import type { FrameworkOptions, SessionName } from '../options.ts';
import { answeredBy, itemsOf, messagesIn, withNotes } from './dialect.ts';

export { type EventJudge, type FrameworkOptions, LoopError, type SessionName } from '../options.ts';

/** The actions for a model's reply. */
export interface FollowedReply {
  /**
   * Calls that must not run: the result to return instead, by the call's id, or by its index in the
   * reply if it has none.
   */
  refused: ReadonlyMap<string | number, string>;
  /** The run ends: why, in words for a person. No call of this reply must run. */
  stop: string | null;
}

/** One request to a model, and what follows. */
export interface FollowedTurn<Message> {
  /**
   * To be sent: the same messages, with warnings after results. Keep your own list without them.
   */
  messages: Message[];
  /** If set, no request may be sent: why the run ends, for the user. */
  stop: string | null;
  /** Reads the reply: the client's response, or its message. */
  after(reply: unknown): Promise<FollowedReply>;
}

export interface FollowedMessages {
  /** Reads the new items of a conversation before it is sent to a model. */
  before<Message>(
    messages: readonly Message[],
    of?: Partial<SessionName>,
  ): Promise<FollowedTurn<Message>>;
}

/**
 * For your own agent loops on messages of OpenAI, Anthropic or Gemini. Throws only with `onStop:
 * 'throw'`.
 */
export function followMessages(options: FrameworkOptions = {}): FollowedMessages {
  const conversations = createConversations('messages', options, { refusesEach: true });

  async function after(
    turn: Turn | undefined,
    messages: readonly unknown[],
    reply: unknown,
  ): Promise<FollowedReply> {
    const items = attempt(conversations, () => itemsOf(messagesIn(reply))) ?? [];
    const { refused, stop } = turn
      ? await conversations.after(turn, answeredBy(items))
      : { refused: [], stop: null };
    if (turn && stop) conversations.end(stop, { session: turn.conversation.session, messages });
    return {
      refused: new Map(refused.map(({ index, call, text }) => [call.id || index, text])),
      stop: stop?.toHuman ?? null,
    };
  }

  return {
    async before(messages, of = {}) {
      const items = attempt(conversations, () => itemsOf(messages));
      const turn = items && (await conversations.before(items, of));
      if (turn?.stop)
        conversations.end(turn.stop, { session: turn.conversation.session, messages });
      const noted =
        turn && turn.notes.length > 0
          ? attempt(
              conversations,
              () => withNotes(messages, turn.notes) as (typeof messages)[number][],
            )
          : undefined;
      return {
        messages: noted ?? [...messages],
        stop: turn?.stop?.toHuman ?? null,
        after: (reply) => after(turn, messages, reply),
      };
    },
  };
}
