import type { Call, EventBase, RefusedBy, TextAdded } from '@unrut/engine/event';
import type { Plan } from '@unrut/engine/policy/plan';
import type { ModelPrice } from '@unrut/reading/prices';

/** A position in a request: indices from the outside in. */
export type Position = readonly number[];

export interface SaidItem {
  kind: 'said';
  text: string;
  channel: TextAdded['channel'];
}

export type CallItem = Call & { kind: 'call' };

export interface ResultItem {
  kind: 'result';
  /** The call's id; empty where calls have none. */
  id: string;
  at: Position;
  result?: unknown;
  /** The message, or `true` when the message is the result. */
  error?: unknown;
  exitCode?: number;
  refusedBy?: RefusedBy;
  /** It is the provider's own, so no text can be added to it. */
  isFixed?: boolean;
}

/** One thing in the history that a model reads. */
export type Item = { kind: 'user'; text: string } | SaidItem | CallItem | ResultItem;

/** A text to be added to a result. */
export interface Note {
  at: Position;
  text: string;
}

/** A call of a response that is not to be run, and the words for the model. */
export interface RefusedCall {
  /** Which of the response's calls, as `calls` gives them. */
  index: number;
  call: Call;
  text: string;
}

/**
 * Reads and changes the requests and responses of one framework or provider. Pure, and never throws
 * because of its input.
 */
export interface Dialect<Request, Response> {
  /** The history, as the model will read it. */
  items(request: Request): Item[];
  /** The names of the available tools, if the request contains them. */
  tools?(request: Request): string[] | undefined;
  /** The conversation in the request, in the framework's own form. For a `LoopError`. */
  messages?(request: Request): readonly unknown[];
  /** Whether the answer has to match a schema, so that no other last answer can be given. */
  hasSchema?(request: Request): boolean;
  /** The request with texts added to results; never a new message. */
  withNotes(request: Request, notes: readonly Note[]): Request;
  /** The texts in a response. */
  said(response: Response): SaidItem[];
  /** Its calls, without those that the provider runs itself. */
  calls(response: Response): Call[];
  /** Its cost: reported, or from the user's price. */
  cost?(response: Response, price?: ModelPrice): EventBase['cost'];
  /** The response without some of its calls. */
  without(response: Response, refused: readonly RefusedCall[]): Response;
  /**
   * All calls are refused: the request again, with the response and a refusal as the result of each
   * call.
   */
  askAgain(request: Request, response: Response, refused: readonly RefusedCall[]): Request;
  /** The later of two responses to one request, with the cost of both. */
  added?(earlier: Response, later: Response): Response;
  /** A last answer, without calls. */
  finalAnswer(request: Request, plan: Plan): Response;
}
