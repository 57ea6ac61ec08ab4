import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import type { Turn } from '../conversation.ts';
import {
  attempt,
  type Boundary,
  endAtStop,
  isAbort,
  judgedAnswer,
  lastAnswer,
  noted,
  turnOf,
} from '../guarded-answer.ts';
import type { AgentRequest, AgentResponse } from './dialect.ts';

interface StreamedAgent extends Omit<Boundary<AgentRequest, AgentResponse>, 'ask'> {
  ask(request: AgentRequest): AsyncIterable<unknown>;
}

/** The last event of a response. The runner takes the calls from it. */
interface Done extends JsonObject {
  response: JsonObject & { id: string; output: unknown[]; usage: unknown };
}

const isDone = (event: unknown): event is Done =>
  isObject(event) &&
  event.type === 'response_done' &&
  isObject(event.response) &&
  Array.isArray(event.response.output);

/**
 * A response under guard, event by event: all pass at once but the last, which is held until it was
 * looked at.
 */
export async function* guardedEvents(boundary: StreamedAgent): AsyncGenerator<unknown> {
  const { conversations, dialect, request, ask } = boundary;
  const turn = await turnOf(boundary);
  if (!turn) {
    yield* ask(request);
    return;
  }
  if (turn.stop) {
    yield* lastWords(boundary, turn, turn.stop);
    return;
  }
  let asked = noted(boundary, turn);
  let earlier: AgentResponse | undefined;
  /** The end of the response before, whose calls were refused. */
  let before: Done | undefined;
  for (let again = 0; ; again++) {
    let done: Done | undefined;
    try {
      for await (const event of ask(asked)) {
        if (isDone(event)) {
          done = event;
          continue;
        }
        const cut = readPiece(boundary, turn, event);
        yield event;
        if (!cut) continue;
        yield* lastWords(boundary, turn, cut, earlier);
        return;
      }
    } catch (error) {
      if (!before || isAbort(error)) {
        conversations.failed(turn);
        throw error;
      }
      // If our own additional request fails, that is our fault: the previous response stays.
      conversations.fault(error);
      yield before;
      return;
    }
    if (!done) return;
    const response: AgentResponse = {
      output: done.response.output,
      usage: done.response.usage,
      responseId: done.response.id,
    };
    const total =
      (earlier && attempt(conversations, () => dialect.added!(earlier!, response))) ?? response;
    const { refused, stop, isAll } = await judgedAnswer(boundary, turn, response, {
      again,
      isStreamed: true,
    });
    boundary.answered?.(response, turn);
    if (stop) {
      yield* lastWords(boundary, turn, stop, total);
      return;
    }
    const next = isAll && attempt(conversations, () => dialect.askAgain(asked, response, refused));
    if (next) {
      [asked, earlier] = [next, total];
      before = { ...done, response: { ...done.response, usage: total.usage } };
      continue;
    }
    const { output } =
      (refused.length > 0 && attempt(conversations, () => dialect.without(response, refused))) ||
      response;
    yield output === response.output && !earlier
      ? done
      : { ...done, response: { ...done.response, output, usage: total.usage } };
    return;
  }
}

function readPiece({ conversations }: StreamedAgent, turn: Turn, event: unknown): Plan | null {
  if (!isObject(event) || event.type !== 'output_text_delta') return null;
  return conversations.during(turn, { kind: 'said', text: textOf(event.delta), channel: 'answer' });
}

/** The last answer of a run that is stopped. */
function* lastWords(
  boundary: StreamedAgent,
  turn: Turn,
  plan: Plan,
  replaced?: AgentResponse,
): Generator<unknown> {
  endAtStop(boundary, turn, plan);
  const { responseId: id = 'unrut', ...response } = lastAnswer(boundary, plan, replaced);
  yield { type: 'response_started' };
  yield { type: 'output_text_delta', delta: plan.toHuman };
  yield { type: 'response_done', response: { id, ...response } };
}
