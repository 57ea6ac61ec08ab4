import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isObject, type JsonObject, parsed, textOf } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import type { Conversations, Turn } from '../frameworks/conversation.ts';
import type { RefusedCall } from '../frameworks/dialect.ts';
import {
  asking,
  attempt,
  judgedAnswer,
  lastAnswer,
  noted,
  turnOf,
} from '../frameworks/guarded-answer.ts';
import type { Asked } from '../frameworks/known-conversations.ts';
import { ask, type Passage, passOn, write, writeHead } from '../http/passage.ts';
import { eventsOf, readEvent } from '../http/server-sent-events.ts';
import type { GatewayDialect, StreamReading } from './gateway-dialect.ts';
import { inputItems, refusalsOf } from './openai-responses.ts';
import { bodyText, exactly } from './read-body.ts';
import { type KnownAs, type Owed, type StoredResponses, withOwed } from './stored-responses.ts';

export interface ModelExchangeGiven {
  passage: Passage;
  conversations: Conversations;
  dialect: GatewayDialect;
  /** The request's body: as it came, as text, and as it is read. */
  bytes: Buffer;
  text: string;
  body: JsonObject;
  asked: Asked;
  /** The conversations that the provider may store. */
  stored?: StoredResponses | undefined;
}

/** The response for the client: the first one unchanged, or another. */
type Outcome = { response: JsonObject; isFirst: boolean; isOther: boolean };

/** One request of an agent to its model, and the answer. */
export class ModelExchange {
  readonly #given: ModelExchangeGiven;
  readonly #owed: Owed | undefined;
  /** Ids of responses that the client may know this one by. */
  readonly #ids: string[] = [];
  #isAsked = false;
  /** The request as sent, with any notes. */
  #request: JsonObject;

  constructor(given: ModelExchangeGiven) {
    this.#given = given;
    this.#owed = given.stored?.owedTo(given.body);
    this.#request = given.body;
  }

  /**
   * Asks under guard, and answers the client. False when nothing was done, so that the request is
   * passed on as it is.
   */
  async perform(): Promise<boolean> {
    const { conversations, dialect, body, stored, passage } = this.#given;
    const asked = { ...this.#given.asked, ...stored?.asked(body) };
    const turn = await turnOf({ conversations, dialect, request: body, asked });
    if (!turn) return false;
    const isStreamed = this.#isStreamed();
    if (turn.stop) return this.#end(turn, turn.stop, isStreamed);
    if (turn.notes.length > 0)
      this.#request = noted({ conversations, dialect, request: this.#exact(body) }, turn);
    const answered = await asking(conversations, turn, () => this.#ask(this.#request, isStreamed));
    const type = textOf(answered.headers['content-type']);
    const isEvents =
      type.includes('text/event-stream') && answered.headers['content-encoding'] === undefined;
    if (answered.statusCode !== 200 || (!isEvents && !type.includes('json'))) {
      conversations.failed(turn);
      await passOn(passage, answered);
    } else if (isEvents) await this.#stream(turn, answered);
    else await this.#whole(turn, answered);
    return true;
  }

  #isStreamed(): boolean {
    const { dialect, body, passage } = this.#given;
    return dialect.isStreamed(body, passage.path.split('?', 1)[0]!);
  }

  /** Serialises numbers as in the source text. */
  #exact(request: JsonObject): JsonObject {
    const { conversations, body, text } = this.#given;
    return request === body
      ? ((attempt(conversations, () => exactly(text)) as JsonObject | undefined) ?? body)
      : request;
  }

  async #ask(request: JsonObject, isStreamed: boolean): Promise<IncomingMessage> {
    const { passage, body, bytes } = this.#given;
    // The provider's stored conversation contains it by now.
    const owed = this.#isAsked && body.conversation ? undefined : this.#owed;
    const sent = owed ? withOwed(this.#exact(request), owed) : request;
    // A stream that may be changed has to come unpacked.
    const packed = isStreamed ? ['accept-encoding'] : [];
    const answered =
      sent === body
        ? await ask(passage, bytes, packed)
        : await ask(passage, Buffer.from(JSON.stringify(sent)), [...packed, 'content-encoding']);
    this.#isAsked = true;
    return answered;
  }

  async #whole(turn: Turn, answered: IncomingMessage): Promise<void> {
    const { passage, conversations } = this.#given;
    const raw = await asking(conversations, turn, () => buffer(answered));
    const response = attempt(conversations, () =>
      exactly(bodyText(raw, answered.headers['content-encoding'])),
    );
    const outcome = isObject(response) ? await this.#judge(turn, response, false, true) : undefined;
    const isSame = !outcome || outcome.isFirst;
    writeHead(passage, answered, !isSame);
    passage.response.end(isSame ? raw : JSON.stringify(outcome.response));
  }

  async #stream(turn: Turn, answered: IncomingMessage): Promise<void> {
    const { passage, conversations, dialect, body } = this.#given;
    const reading = dialect.open();
    const held: Buffer[] = [];
    let isHeld = false;
    /** Events before the first text, since a stop may have to be announced in the headers. */
    const early: Buffer[] = [];
    const begin = async (): Promise<void> => {
      if (passage.response.headersSent) return;
      writeHead(passage, answered, true);
      passage.response.flushHeaders();
      for (const bytes of early) await write(passage, bytes);
    };
    if (!turn.watched) await begin();
    try {
      for await (const bytes of eventsOf(answered)) {
        const { holds, cut, says } =
          attempt(conversations, () => this.#read(turn, reading, bytes)) ?? {};
        isHeld ||= holds === 'end' || (turn.watched && holds !== undefined);
        if (isHeld) held.push(bytes);
        else if (!says && !passage.response.headersSent) early.push(bytes);
        else {
          await begin();
          await write(passage, bytes);
        }
        if (!cut || isHeld) continue;
        answered.destroy();
        const hasSchema = dialect.hasSchema?.(body) ?? false;
        return void passage.response.end(reading.cut({ plan: cut, hasSchema }));
      }
    } catch (error) {
      conversations.failed(turn);
      await begin();
      for (const bytes of held) await write(passage, bytes);
      throw error;
    }
    const first = attempt(conversations, reading.response);
    const outcome = first && (await this.#judge(turn, first, true, turn.watched));
    const rest =
      outcome &&
      !outcome.isFirst &&
      attempt(conversations, () => reading.rest(outcome.response, outcome.isOther));
    await begin();
    passage.response.end(rest || Buffer.concat(held));
  }

  /** Reads an event of a stream. Returns a plan that ends it. */
  #read(
    turn: Turn,
    reading: StreamReading,
    bytes: Buffer,
  ): { holds?: 'calls' | 'end' | undefined; cut?: Plan | undefined; says?: boolean } {
    const { data } = readEvent(bytes);
    if (data === '[DONE]') return { holds: 'end' };
    const value = data === '' ? undefined : parsed(data);
    if (!isObject(value)) return {};
    const { said, holds } = reading.read(value);
    const cut = said
      .map((piece) => this.#given.conversations.during(turn, piece))
      .find((plan) => plan !== null);
    return { holds, cut, says: said.length > 0 };
  }

  /** Decides about a response. If no part was held back, it can only be read. */
  async #judge(
    turn: Turn,
    first: JsonObject,
    isStreamed: boolean,
    canChange: boolean,
  ): Promise<Outcome> {
    const { conversations, dialect } = this.#given;
    let request = this.#request;
    let response = first;
    for (let again = 0; ; again++) {
      const current = response;
      const isFirst = again === 0;
      const outcome = { response, isFirst, isOther: !isFirst };
      // `response` keeps numbers as source text; convert it before reading values.
      const plain = JSON.parse(JSON.stringify(current)) as JsonObject;
      const reached = { again, isStreamed: isStreamed && isFirst, canChange };
      const { refused, stop, calls, isAll } = await judgedAnswer(this.#given, turn, plain, reached);
      this.#ids.push(textOf(current.id));
      if (stop) {
        const refusals = calls.map((call, index) => ({ index, call, text: stop.toModel }));
        return this.#stopped(turn, stop, current, refusals) ?? this.#kept(turn, outcome);
      }
      if (refused.length === 0) return this.#kept(turn, outcome);
      if (!isAll) return this.#partly(turn, outcome, refused);
      const next = attempt(conversations, () =>
        dialect.askAgain(this.#exact(request), current, refused),
      );
      const later = next && (await this.#askAgain(next));
      if (!next || !later) return this.#kept(turn, outcome);
      request = next;
      response = attempt(conversations, () => dialect.added?.(current, later)) ?? later;
    }
  }

  #kept(turn: Turn, outcome: Outcome): Outcome {
    const id = textOf(outcome.response.id);
    // A client that took the id of a refused response continues from the one that took its place.
    const others = this.#ids
      .filter((each) => each !== id)
      .map((each) => ({ id: each, owed: { previous: id, input: [] } }));
    this.#keep(turn, [{ id }, ...others]);
    return outcome;
  }

  #partly(turn: Turn, outcome: Outcome, refused: readonly RefusedCall[]): Outcome {
    const { conversations, dialect } = this.#given;
    const changed = attempt(conversations, () => dialect.without(outcome.response, refused));
    if (!changed) return this.#kept(turn, outcome);
    this.#oweRefusals(turn, this.#ids, outcome.response, refused);
    return { ...outcome, response: changed, isFirst: false };
  }

  /** The provider waits for a result of each call. */
  #oweRefusals(
    turn: Turn,
    ids: readonly string[],
    response: JsonObject,
    refused: readonly RefusedCall[],
  ): void {
    const owed = { previous: textOf(response.id), input: refusalsOf(response, refused) };
    this.#keep(
      turn,
      ids.map((id) => ({ id, owed })),
    );
  }

  #keep(turn: Turn, names: readonly KnownAs[]): void {
    this.#given.stored?.keep(this.#given.body, turn.conversation, names);
  }

  /**
   * Sends another request and returns its complete answer. If that fails, the previous response
   * stays.
   */
  async #askAgain(request: JsonObject): Promise<JsonObject | undefined> {
    const { conversations, dialect, passage } = this.#given;
    try {
      const answered = await this.#ask(request, this.#isStreamed());
      const raw = await buffer(answered);
      if (answered.statusCode !== 200)
        throw new Error(`the model was asked again, and the answer was ${answered.statusCode}`);
      const text = bodyText(raw, answered.headers['content-encoding']);
      if (!textOf(answered.headers['content-type']).includes('text/event-stream'))
        return exactly(text) as JsonObject;
      const reading = dialect.open();
      for await (const bytes of eventsOf(only(raw))) {
        const data = parsed(readEvent(bytes).data);
        if (isObject(data)) reading.read(data);
      }
      return reading.response();
    } catch (error) {
      if (passage.signal.aborted) throw error;
      conversations.fault(error);
      return undefined;
    }
  }

  /** A last answer in the place of a response. */
  #stopped(
    turn: Turn,
    plan: Plan,
    response: JsonObject,
    refusals: readonly RefusedCall[],
  ): Outcome | undefined {
    const { conversations, dialect, body, passage } = this.#given;
    const given = { dialect, request: body };
    const last = attempt(conversations, () => lastAnswer(given, plan, response));
    if (!last) return undefined;
    this.#oweRefusals(turn, [...this.#ids, textOf(last.id)], response, refusals);
    if (!passage.response.headersSent) passage.response.setHeader('x-unrut', 'stopped');
    return { response: last, isFirst: false, isOther: true };
  }

  /** Answers without asking. */
  #end(turn: Turn, plan: Plan, isStreamed: boolean): boolean {
    const { conversations, dialect, body, passage, stored } = this.#given;
    const last = attempt(conversations, () => dialect.finalAnswer(body, plan));
    const text =
      last &&
      attempt(conversations, () => (isStreamed ? dialect.streamOf(last) : JSON.stringify(last)));
    if (!text) return false;
    if (stored && (body.previous_response_id || body.conversation)) {
      // The provider knows neither this request's input nor this answer.
      const sent = this.#owed ? withOwed(body, this.#owed) : body;
      const input = [
        ...inputItems(sent),
        { type: 'message', role: 'assistant', content: plan.toHuman },
      ];
      this.#keep(turn, [
        {
          id: textOf(last.id),
          owed: { previous: textOf(sent.previous_response_id) || undefined, input },
        },
      ]);
    }
    const type = isStreamed ? 'text/event-stream; charset=utf-8' : 'application/json';
    passage.response.writeHead(200, { 'content-type': type, 'x-unrut': 'stopped' }).end(text);
    return true;
  }
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
