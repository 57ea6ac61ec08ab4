import type { Call } from '@unrut/engine/event';
import type { Plan } from '@unrut/engine/policy/plan';
import type { Conversations, Judged, Turn } from './conversation.ts';
import type { Dialect, RefusedCall } from './dialect.ts';
import type { Asked } from './known-conversations.ts';

/** A request at a model's boundary, and how the model is asked. */
export interface Boundary<Request, Response> {
  conversations: Conversations;
  dialect: Dialect<Request, Response>;
  request: Request;
  /** The run of the request, if the framework names it. */
  asked?: Asked;
  ask(request: Request): PromiseLike<Response>;
  /** Called with each response of the model, before anything is done about it. */
  answered?(response: Response, turn: Turn): void;
}

/** How often a model whose calls are all refused is asked again before they pass. */
const MAX_AGAIN = 3;

/** Reads a request; undefined if that fails. */
export async function turnOf<Request, Response>(
  boundary: Omit<Boundary<Request, Response>, 'ask'>,
): Promise<Turn | undefined> {
  const { conversations, dialect, request, asked } = boundary;
  const given = attempt(conversations, () => ({
    items: dialect.items(request),
    tools: dialect.tools?.(request),
  }));
  return given && (await conversations.before(given.items, { tools: given.tools, ...asked }));
}

/** Runs our own code; undefined if it fails. */
export function attempt<T>(conversations: Conversations, what: () => T): T | undefined {
  try {
    return what();
  } catch (error) {
    conversations.fault(error);
    return undefined;
  }
}

/** The request with the notes of its turn. */
export const noted = <Request, Response>(
  { conversations, dialect, request }: Omit<Boundary<Request, Response>, 'ask'>,
  turn: Turn,
): Request =>
  turn.notes.length === 0
    ? request
    : (attempt(conversations, () => dialect.withNotes(request, turn.notes)) ?? request);

/**
 * Calls a model under guard. Faults of the guard change nothing; errors of the model are passed on.
 */
export async function guardedAnswer<Request, Response>(
  boundary: Boundary<Request, Response>,
): Promise<Response> {
  const { conversations, dialect, request, ask } = boundary;
  const turn = await turnOf(boundary);
  if (!turn) return ask(request);
  const end = (plan: Plan, spent?: Awaited<Response>): Response | undefined => {
    endAtStop(boundary, turn, plan);
    return attempt(conversations, () => lastAnswer(boundary, plan, spent));
  };
  const ended = turn.stop && end(turn.stop);
  if (ended) return ended;
  let asked = noted(boundary, turn);
  let response = await asking(conversations, turn, () => ask(asked));
  for (let again = 0; ; again++) {
    const answer = response;
    boundary.answered?.(answer, turn);
    const { refused, stop, isAll } = await judgedAnswer(boundary, turn, answer, { again });
    const last = stop && end(stop, answer);
    if (last) return last;
    if (refused.length === 0) return response;
    if (!isAll) return attempt(conversations, () => dialect.without(answer, refused)) ?? response;
    const next = attempt(conversations, () => dialect.askAgain(asked, answer, refused));
    const later = next && (await askedAgain(boundary, next));
    if (!next || !later) return response;
    asked = next;
    response = (attempt(conversations, () => dialect.added?.(answer, later)) ??
      later) as Awaited<Response>;
  }
}

/** Ends a run: throws a `LoopError` if the user wants that, or if the answer has a schema. */
export function endAtStop<Request, Response>(
  { conversations, dialect, request }: Omit<Boundary<Request, Response>, 'ask'>,
  { conversation: { session } }: Turn,
  plan: Plan,
): void {
  const hasSchema = attempt(conversations, () => dialect.hasSchema?.(request)) ?? false;
  const messages = attempt(conversations, () => dialect.messages?.(request)) ?? [];
  conversations.end(plan, { session, messages }, hasSchema);
}

/** The last answer of a run, with the cost of the response that it replaces. */
export function lastAnswer<Request, Response>(
  { dialect, request }: Pick<Boundary<Request, Response>, 'dialect' | 'request'>,
  plan: Plan,
  replaced?: Response,
): Response {
  const last = dialect.finalAnswer(request, plan);
  return (replaced && dialect.added?.(replaced, last)) ?? last;
}

/** A response with its request, and the possible changes. */
interface Reached {
  /** How often the model was asked before. */
  again: number;
  /** Its texts were read in pieces. */
  isStreamed?: boolean;
  /** The response can still be replaced, since no part of it was passed on. Default: true. */
  canChange?: boolean;
}

const NOTHING: Judged & { calls: readonly Call[] } = { refused: [], stop: null, calls: [] };

/**
 * Reads a response and returns the actions; undefined if it cannot be read or changed. `isAll`:
 * every call is blocked.
 */
export async function judgedAnswer<Request, Response>(
  { conversations, dialect }: Pick<Boundary<Request, Response>, 'conversations' | 'dialect'>,
  turn: Turn,
  response: Response,
  { again, isStreamed = false, canChange = true }: Reached,
): Promise<Judged & { calls: readonly Call[]; isAll: boolean }> {
  const answered = attempt(conversations, () => {
    const { said, calls, cost } = dialect;
    return {
      said: said(response),
      calls: calls(response),
      cost: cost?.(response, conversations.priceOf(turn)),
      isStreamed,
    };
  });
  const { calls, ...judged } = answered
    ? { calls: answered.calls, ...(await conversations.after(turn, answered)) }
    : NOTHING;
  const refused = canChange && again < MAX_AGAIN ? judged.refused : [];
  return {
    refused,
    stop: canChange ? judged.stop : null,
    calls,
    isAll: refused.length > 0 && refused.length === calls.length,
  };
}

/** The model's result, or its error. */
export async function asking<T>(
  conversations: Conversations,
  turn: Turn,
  ask: () => PromiseLike<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    conversations.failed(turn);
    throw error;
  }
}

/**
 * If our own additional request fails, that is our fault: the previous response stays. Only an
 * abort is passed on.
 */
export async function askedAgain<Request, Response>(
  {
    conversations,
    ask,
  }: { conversations: Conversations; ask(request: Request): PromiseLike<Response> },
  request: Request,
): Promise<Response | undefined> {
  try {
    return await ask(request);
  } catch (error) {
    if (isAbort(error)) throw error;
    conversations.fault(error);
    return undefined;
  }
}

/** Whether a model ended because the user wanted that. Some clients name only the class so. */
export const isAbort = (error: unknown): boolean =>
  error instanceof Error && /Abort/.test(`${error.name} ${error.constructor.name}`);

/** The text of a refusal by the call's place in the response. */
export const refusalAt = (
  refused: readonly RefusedCall[],
  index: number,
): RefusedCall | undefined => refused.find((each) => each.index === index);
