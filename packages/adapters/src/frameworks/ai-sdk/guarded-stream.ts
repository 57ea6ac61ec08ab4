import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import { addUsage } from '../add-usage.ts';
import type { Conversations, Turn } from '../conversation.ts';
import { askedAgain, attempt, endAtStop, isAbort, judgedAnswer } from '../guarded-answer.ts';
import { aiSdkDialect, type ModelRequest, type ModelResponse } from './dialect.ts';

type Stream = ReadableStream<unknown>;

export interface StreamedTurn {
  conversations: Conversations;
  turn: Turn;
  /** Of the model's specification. */
  version: string;
  /** As it was sent, with notes. */
  request: ModelRequest;
  stream: Stream;
  ask(request: ModelRequest): PromiseLike<{ stream: Stream }>;
}

/** The content of a stream so far. */
interface Gathered {
  content: JsonObject[];
  /** Texts that have not ended, by id. */
  open: Map<string, JsonObject>;
}

/** The current source, which can be cancelled. */
interface Source {
  reader?: ReadableStreamDefaultReader<unknown>;
  isGone: boolean;
}

const CALL = /^tool-(?:input-(?:start|delta|end)|call)$/;

/**
 * A response's stream under guard: texts pass at once; calls are held back where some may be
 * refused.
 */
export function guardedStream(given: StreamedTurn): Stream {
  const source: Source = { isGone: false };
  const parts = guarded(given, source);
  return new ReadableStream<unknown>({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
    // The model may be silent, so its stream is cancelled directly, without waiting for a part.
    async cancel(reason) {
      source.isGone = true;
      await Promise.all([source.reader?.cancel(reason), parts.return()]);
    },
  });
}

async function* guarded(
  { conversations, turn, version, request, stream: first, ask }: StreamedTurn,
  source: Source,
): AsyncGenerator<unknown, void> {
  let [asked, stream]: [ModelRequest, Stream] = [request, first];
  let usage: unknown;
  /** The held parts of the previous response, whose calls were blocked. */
  let before: unknown[] | undefined;
  const boundary = { conversations, dialect: aiSdkDialect, request };

  /** The last parts: an answer, or the error as a part, as the AI SDK expects it in a stream. */
  function* ended(plan: Plan, spent: unknown): Generator<unknown> {
    try {
      endAtStop(boundary, turn, plan);
    } catch (error) {
      yield { type: 'error', error };
      yield { ...finished(plan, version, spent), finishReason: { unified: 'error', raw: 'unrut' } };
      return;
    }
    yield* lastWords(plan, version, spent);
  }

  for (let again = 0; ; again++) {
    const reader = stream.getReader();
    source.reader = reader;
    const gathered: Gathered = { content: [], open: new Map() };
    const held: unknown[] = [];
    let finish: JsonObject | undefined;
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        const part = read.value;
        const type = isObject(part) ? textOf(part.type) : '';
        if (before && isObject(part) && type === 'error') throw part.error;
        if (!isObject(part) || (again > 0 && type === 'stream-start')) {
          if (again === 0) yield part;
          continue;
        }
        const cut = attempt(conversations, () => gather(conversations, turn, gathered, part));
        if (type === 'finish')
          finish = usage === undefined ? part : { ...part, usage: addUsage(usage, part.usage) };
        else if (turn.watched && CALL.test(type) && !isProviders(gathered, part)) held.push(part);
        else yield part;
        if (cut) {
          yield* closing(gathered);
          yield* ended(cut, addUsage(usage, finish?.usage));
          return;
        }
      }
    } catch (error) {
      if (!before || isAbort(error)) {
        conversations.failed(turn);
        throw error;
      }
      // If our own additional request fails, that is our fault: the previous response stays.
      conversations.fault(error);
      yield* closing(gathered);
      yield* before;
      return;
    } finally {
      // If reading ended early, cancels the source.
      reader.cancel().catch(() => {});
    }
    if (source.isGone) return conversations.failed(turn);
    const { content } = gathered;
    const response: ModelResponse = {
      content,
      finishReason: finish?.finishReason,
      usage: finish?.usage,
      warnings: [],
    };
    const reached = { again, isStreamed: true, canChange: turn.watched };
    const { refused, stop, isAll } = await judgedAnswer(boundary, turn, response, reached);
    if (stop) {
      yield* ended(stop, finish?.usage);
      return;
    }
    const next = isAll
      ? attempt(conversations, () => aiSdkDialect.askAgain(asked, response, refused))
      : undefined;
    const later = next && (await askedAgain({ conversations, ask }, next));
    if (next && later) {
      [asked, stream, usage] = [next, later.stream, finish?.usage];
      before = finish ? [...held, finish] : held;
      continue;
    }
    const gone = new Set(isAll ? [] : refused.map(({ call }) => call.id));
    for (const part of held)
      if (!gone.has(textOf((part as JsonObject).toolCallId) || textOf((part as JsonObject).id)))
        yield part;
    if (finish) yield finish;
    return;
  }
}

/** Whether a piece belongs to a call that the provider runs itself. */
const isProviders = ({ open }: Gathered, { providerExecuted, id }: JsonObject): boolean =>
  providerExecuted === true || open.get(textOf(id))?.providerExecuted === true;

/** Adds a part to what the response has become. Returns the plan that ends it. */
function gather(
  conversations: Conversations,
  turn: Turn,
  { content, open }: Gathered,
  part: JsonObject,
): Plan | null {
  const [, kind, step] =
    /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(textOf(part.type)) ?? [];
  const id = textOf(part.id);
  if (!kind) {
    if (part.type === 'tool-call' || part.type === 'tool-result') content.push(part);
    return null;
  }
  if (step === 'start') {
    const { id: _, type, ...rest } = part;
    const begun = kind === 'tool-input' ? part : { type: kind, text: '', ...rest };
    open.set(id, begun);
    if (kind !== 'tool-input') content.push(begun);
    return null;
  }
  const begun = open.get(id);
  if (!begun || kind === 'tool-input') return null;
  if (part.providerMetadata !== undefined) begun.providerMetadata = part.providerMetadata;
  if (step === 'end') open.delete(id);
  if (step !== 'delta') return null;
  begun.text = textOf(begun.text) + textOf(part.delta);
  return conversations.during(turn, {
    kind: 'said',
    text: textOf(part.delta),
    channel: kind === 'text' ? 'answer' : 'thinking',
  });
}

/** Closes the texts that are open. */
function* closing({ open }: Gathered): Generator<unknown> {
  for (const [id, { type }] of open)
    if (type === 'text' || type === 'reasoning') yield { type: `${type}-end`, id };
}

function finished(plan: Plan, version: string, spent: unknown): JsonObject {
  const { finishReason, usage, providerMetadata } = aiSdkDialect.finalAnswer({ prompt: [] }, plan);
  return {
    type: 'finish',
    finishReason,
    usage: addUsage(spent, usage),
    providerMetadata,
    ...(version === 'v2' ? { finishReason: 'stop', usage: {} } : {}),
  };
}

/** The last answer of a run that is stopped. */
export function* lastWords(plan: Plan, version: string, spent?: unknown): Generator<unknown> {
  yield { type: 'text-start', id: 'unrut' };
  yield { type: 'text-delta', id: 'unrut', delta: plan.toHuman };
  yield { type: 'text-end', id: 'unrut' };
  yield finished(plan, version, spent);
}
