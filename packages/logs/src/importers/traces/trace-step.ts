import { isObject } from '@unrut/engine/json';
import type { ImportMoment, Returned } from '@unrut/reading/importer';
import type { HeardResult } from './trace-message.ts';
import type { ModelTurn, ToolRun, TracePlace } from './trace-part.ts';

/** One step of a run, joined from all of its parts. */
export interface Step {
  key: string;
  /** Its place; later parts complete it. */
  place: TracePlace;
  /** Parts arrive when they end; with equal starts, the first to arrive was first. */
  order: number;
  start: number;
  end: number | undefined;
  turn?: Turned;
  call?: Called;
  person?: Person;
}

/** A user message, from a prompt or, without `prompt`, from its own record. */
interface Person {
  text: string;
  /** The beginning of the prompt's conversation, and the message's occurrence in it. */
  prompt?: { first: string; nth: number };
}

interface Turned {
  says?: string;
  thinks?: string;
  cost?: ImportMoment['cost'];
  isBeside: boolean;
  /** Occurrences of user messages in a prompt that arrives in several parts. */
  heard: Map<string, number>;
}

interface Called {
  id: string;
  tool: string;
  args: unknown;
  /** The model's turn that proposed it, its index among the calls, and the time of the answer. */
  turn: string | undefined;
  nth?: number;
  askedAt?: number | undefined;
  /** The tool's own part has arrived; until then the call is placed at the turn. */
  ran: boolean;
  returned?: Returned;
  heard?: HeardAt | undefined;
}

/** A result in a prompt, with the time of the first prompt that contains it. */
export type HeardAt = HeardResult & { at: number };

/** Takes over the place and time of a part. */
export function place(step: Step, { parent, session, agent, start, end }: TracePlace): void {
  step.place.parent ??= parent;
  step.place.session ??= session;
  step.place.agent ??= agent;
  if (start < step.start) step.start = start;
  if (end !== undefined && end > (step.end ?? 0)) step.end = end;
}

/** Adds data about a model's turn. Known values stay. */
export function tellTurn(
  step: Step,
  { says, thinks, cost, beside }: Pick<ModelTurn, 'says' | 'thinks' | 'cost' | 'beside'>,
): void {
  step.turn ??= { isBeside: beside === true, heard: new Map() };
  if (says !== undefined) step.turn.says ??= says;
  if (thinks !== undefined) step.turn.thinks ??= thinks;
  if (cost) step.turn.cost = { ...cost, ...step.turn.cost };
}

/** Adds data about a tool run. The model's arguments take precedence. */
export function tellRun(
  step: Step,
  call: string,
  { tool = '', args, returned }: Omit<ToolRun, 'kind' | 'call'>,
  { start }: TracePlace,
): void {
  step.call ??= { id: call, tool, args, turn: undefined, ran: false };
  if (!step.call.ran) step.start = start;
  step.call.ran = true;
  step.call.tool ||= tool;
  const isPieced = step.call.turn === undefined && isObject(args) && isObject(step.call.args);
  step.call.args = isPieced
    ? { ...(args as object), ...(step.call.args as object) }
    : (step.call.args ?? args);
  if (returned) step.call.returned = { ...returned, ...step.call.returned };
}

/** Merges another step that describes the same thing. */
export function absorb(into: Step, { place: part, start, end, turn, call }: Step): void {
  const at = { ...part, start, end };
  place(into, at);
  if (turn) tellTurn(into, turn);
  if (call) tellRun(into, call.id, call, at);
}

/**
 * The outcome of a call; if only the prompt has it, as the model saw it. Undefined until it ends.
 */
export function returnedOf({ returned, heard }: Called): Returned | undefined {
  if (!heard || returned?.result !== undefined) return returned;
  const failed =
    heard.error === true || (returned?.error !== undefined && returned.error !== false);
  return { ...returned, result: heard.result, ...(failed ? { error: true } : {}) };
}

/**
 * The end of a call: at the latest when a prompt contains its result, since some sources write the
 * end later.
 */
export const overAt = ({ start, end, call }: Step): number =>
  Math.min(end ?? Number.POSITIVE_INFINITY, call?.heard?.at ?? end ?? start);
