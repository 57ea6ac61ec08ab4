import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import type { Conversations } from '../conversation.ts';
import type { Dialect, RefusedCall } from '../dialect.ts';
import { attempt, endAtStop, isAbort, judgedAnswer, noted, turnOf } from '../guarded-answer.ts';
import type { Asked } from '../known-conversations.ts';
import { type ChatMessage, type ChatRequest, outputCallsOf, withoutOutput } from './dialect.ts';

/** A piece of a streamed message, as far as it is read. */
export interface ChatChunk {
  message: ChatMessage & { tool_call_chunks?: unknown };
  text: string;
  concat(other: ChatChunk): ChatChunk;
}

/** The parts of `@langchain/core` for creating message chunks. */
export interface StreamClasses {
  AIMessageChunk: new (fields: object) => ChatMessage;
  ChatGenerationChunk: new (fields: object) => ChatChunk;
}

interface StreamedChat {
  conversations: Conversations;
  dialect: Dialect<ChatRequest, ChatMessage>;
  classes: StreamClasses;
  request: ChatRequest;
  asked: Asked;
  ask(request: ChatRequest): AsyncIterable<ChatChunk>;
  run: TokenListener | undefined;
}

/**
 * Receives each token of a model, for the streams of graphs and events. Providers call it, and so
 * do we.
 */
export interface TokenListener {
  handleLLMNewToken(
    token: string,
    index: undefined,
    runId: undefined,
    parentRunId: undefined,
    tags: undefined,
    fields: { chunk: ChatChunk },
  ): Promise<void>;
}

/** A message as one chunk, reported to token listeners. */
export async function* spoken(
  message: ChatMessage,
  text: string,
  { AIMessageChunk, ChatGenerationChunk }: StreamClasses,
  run: TokenListener | undefined,
): AsyncGenerator<ChatChunk> {
  const chunk = new ChatGenerationChunk({
    message: new AIMessageChunk({ ...message, content: text }),
    text,
  });
  yield chunk;
  await run?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
}

/** The cost of a response whose other chunks are not passed on. */
function* spentOn(
  held: readonly ChatChunk[],
  { AIMessageChunk, ChatGenerationChunk }: StreamClasses,
): Generator<ChatChunk> {
  for (const { message } of held) {
    const { usage_metadata, content } = message;
    if (usage_metadata === undefined) continue;
    const empty = Array.isArray(content) ? [] : '';
    yield new ChatGenerationChunk({
      message: new AIMessageChunk({ content: empty, usage_metadata }),
      text: '',
    });
  }
}

const callsIn = ({ message }: ChatChunk): JsonObject[] => objectsOf(message.tool_call_chunks);

/**
 * A message under guard, piece by piece: texts pass at once; calls are held back where some may be
 * refused.
 */
export async function* guardedChunks({
  conversations,
  dialect,
  classes,
  request,
  asked: of,
  ask,
  run,
}: StreamedChat): AsyncGenerator<ChatChunk> {
  const turn = await turnOf({ conversations, dialect, request, asked: of });
  if (!turn) {
    yield* ask(request);
    return;
  }
  const boundary = { conversations, dialect, request };
  async function* ended(plan: Plan, before = ''): AsyncGenerator<ChatChunk> {
    endAtStop(boundary, turn!, plan);
    const text = before === '' ? plan.toHuman : `\n\n${plan.toHuman}`;
    yield* spoken(dialect.finalAnswer(request, plan), text, classes, run);
  }
  if (turn.stop) {
    yield* ended(turn.stop);
    return;
  }
  let asked = noted(boundary, turn);
  let before = '';
  /** The held-back chunks of the previous response, whose calls were refused. */
  let refusedBefore: ChatChunk[] | undefined;
  for (let again = 0; ; again++) {
    let whole: ChatChunk | undefined;
    const held: ChatChunk[] = [];
    try {
      for await (const chunk of ask(asked)) {
        whole = whole ? whole.concat(chunk) : chunk;
        before += chunk.text;
        const said = attempt(conversations, () => dialect.said(chunk.message)) ?? [];
        const cut = said
          .map((piece) => conversations.during(turn, piece))
          .find((plan) => plan !== null);
        const holds = callsIn(chunk).length > 0 || outputCallsOf(chunk.message).length > 0;
        if (turn.watched && holds) held.push(chunk);
        else yield chunk;
        if (!cut) continue;
        yield* ended(cut, before);
        return;
      }
    } catch (error) {
      if (!refusedBefore || isAbort(error)) {
        conversations.failed(turn);
        throw error;
      }
      // If our own additional request fails, that is our fault: the previous response stays.
      conversations.fault(error);
      yield* refusedBefore;
      return;
    }
    if (refusedBefore) yield* spentOn(refusedBefore, classes);
    const message = whole?.message;
    if (!message) return;
    const reached = { again, isStreamed: true, canChange: turn.watched };
    const { refused, stop, isAll } = await judgedAnswer(
      { conversations, dialect },
      turn,
      message,
      reached,
    );
    if (stop) {
      yield* spentOn(held, classes);
      yield* ended(stop, before);
      return;
    }
    const next = isAll && attempt(conversations, () => dialect.askAgain(asked, message, refused));
    if (next) {
      [asked, refusedBefore] = [next, held];
      continue;
    }
    for (const chunk of held)
      yield refused.length > 0
        ? (attempt(conversations, () => withoutPieces(chunk, whole!, refused, classes)) ?? chunk)
        : chunk;
    return;
  }
}

/**
 * A piece without what belongs to refused calls. Pieces of one call share an index; only the first
 * has its id.
 */
function withoutPieces(
  chunk: ChatChunk,
  whole: ChatChunk,
  refused: readonly RefusedCall[],
  classes: StreamClasses,
): ChatChunk {
  const ids = new Set(refused.map(({ call }) => call.id));
  const gone = new Set(
    callsIn(whole).flatMap(({ id, index }) => (ids.has(textOf(id)) ? [index] : [])),
  );
  const { message } = chunk;
  const isKept = (block: unknown): boolean =>
    !isObject(block) ||
    !(ids.has(textOf(block.id)) || (block.index !== undefined && gone.has(block.index)));
  const { tool_calls: _, ...extra } = objectOf(message.additional_kwargs);
  const kept = new classes.AIMessageChunk({
    ...message,
    content: Array.isArray(message.content) ? message.content.filter(isKept) : message.content,
    tool_call_chunks: callsIn(chunk).filter(isKept),
    tool_calls: undefined,
    invalid_tool_calls: undefined,
    additional_kwargs: extra,
    response_metadata: withoutOutput(message, ids),
  });
  return new classes.ChatGenerationChunk({ ...chunk, message: kept });
}
