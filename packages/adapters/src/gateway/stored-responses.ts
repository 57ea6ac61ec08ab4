import { type JsonObject, textOf } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import { sessionNameOf } from '../frameworks/judging.ts';
import type { Asked } from '../frameworks/known-conversations.ts';
import type { SessionName } from '../frameworks/options.ts';
import { conversationOf, inputItems } from './openai-responses.ts';

/** Items that the provider has not received yet; they are sent before the next input. */
export interface Owed {
  /** The response that the provider continues from. */
  previous?: string | undefined;
  input: readonly unknown[];
}

/** An id that later requests may continue from. */
export interface KnownAs {
  id: string;
  owed?: Owed | undefined;
}

interface Kept {
  about: SessionName;
  owed: Owed | undefined;
  /** The same for all names of one response. */
  of: object;
}

/** Histories that the provider keeps, known by the ids of responses and conversations. */
export interface StoredResponses {
  /** The conversation that a request continues, if it contains only new items. */
  asked(body: JsonObject): Asked;
  /** Items to send first. */
  owedTo(body: JsonObject): Owed | undefined;
  /** Later requests may continue from the response to this one. */
  keep(body: JsonObject, about: SessionName, names: readonly KnownAs[]): void;
}

const MAX_KEPT = 5000;

/** The name of a history that the provider has. */
function keyOf({ previous_response_id: previous, conversation }: JsonObject): string | undefined {
  const id = conversationOf(conversation);
  return id !== '' ? `conversation ${id}` : textOf(previous) !== '' ? textOf(previous) : undefined;
}

/** The request, preceded by the items that the provider has not received. */
export function withOwed(body: JsonObject, { previous, input }: Owed): JsonObject {
  const { previous_response_id: _, ...rest } = body;
  const from =
    previous === undefined || body.conversation ? {} : { previous_response_id: previous };
  return { ...rest, ...from, input: [...input, ...inputItems(body)] };
}

/**
 * The least recently used are dropped first; requests that continue them are then read without
 * their history.
 */
export function createStoredResponses(): StoredResponses {
  const kept = new Map<string, Kept>();
  /** By session: a request that continues from an earlier response is a branch. */
  const last = new Map<string, object>();

  const nameOf = ({ session, agent = '' }: SessionName): string => `${session}\n${agent}`;

  return {
    asked(body) {
      const known = kept.get(keyOf(body) ?? '');
      if (!known || last.get(nameOf(known.about)) !== known.of) return {};
      return { ...known.about, isRest: true };
    },
    owedTo: (body) => kept.get(keyOf(body) ?? '')?.owed,
    keep(body, conversation, names) {
      const about = sessionNameOf(conversation);
      const of = {};
      const key = keyOf({ conversation: body.conversation });
      for (const { id, owed } of key === undefined ? names : [{ ...names[0], id: key }])
        if (id !== '') keepIn(kept, id, { about, owed, of }, MAX_KEPT);
      keepIn(last, nameOf(about), of, MAX_KEPT);
    },
  };
}
