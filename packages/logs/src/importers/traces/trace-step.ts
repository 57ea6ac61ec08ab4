import { isObject } from '@unrut/engine/json';
import type { ImportMoment, Returned } from '@unrut/reading/importer';
import type { HeardResult } from './trace-message.ts';
import type { ModelTurn, ToolRun, TracePlace } from './trace-part.ts';

/** One step of a run, joined from all parts of a trace that tell of it. */
export interface Step {
  key: string;
  /** Where it stands; parts that come later fill in what the first left open. */
  place: TracePlace;
  /** Parts come when they are over: of two that began at once, the first to come was first. */
  order: number;
  start: number;
  end: number | undefined;
  turn?: Turned;
  call?: Called;
  person?: Person;
}

/** What a person said, as a prompt has it or, without `prompt`, as a record of its own. */
interface Person {
  text: string;
  /** How the prompt's conversation begins, and how often these words have come in it. */
  prompt?: { first: string; nth: number };
}

interface Turned {
  says?: string;
  thinks?: string;
  cost?: ImportMoment['cost'];
  isBeside: boolean;
  /** How often a prompt has a person's words, for prompts that come one message a part. */
  heard: Map<string, number>;
}

interface Called {
  id: string;
  tool: string;
  args: unknown;
  /** The model's turn that asked for it, as which of its calls, and when the answer was there. */
  turn: string | undefined;
  nth?: number;
  askedAt?: number | undefined;
  /** A tool's own part tells of it; until then it stands at the turn. */
  ran: boolean;
  returned?: Returned;
  heard?: HeardAt | undefined;
}

/** A result as a prompt has it, and when the first prompt had it. */
export type HeardAt = HeardResult & { at: number };

/** Takes over where and when a part stands. */
export function place(step: Step, { parent, session, agent, start, end }: TracePlace): void {
  step.place.parent ??= parent;
  step.place.session ??= session;
  step.place.agent ??= agent;
  if (start < step.start) step.start = start;
  if (end !== undefined && end > (step.end ?? 0)) step.end = end;
}

/** Adds what is reported about a model's turn. Known values stay. */
export function tellTurn(
  step: Step,
  { says, thinks, cost, beside }: Pick<ModelTurn, 'says' | 'thinks' | 'cost' | 'beside'>,
): void {
  step.turn ??= { isBeside: beside === true, heard: new Map() };
  if (says !== undefined) step.turn.says ??= says;
  if (thinks !== undefined) step.turn.thinks ??= thinks;
  if (cost) step.turn.cost = { ...cost, ...step.turn.cost };
}

/**
 * Adds what is reported about a tool's run. The arguments are those that the model gave, where they
 * are known.
 */
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

/** Joins a step with another that tells of the same. */
export function absorb(into: Step, { place: part, start, end, turn, call }: Step): void {
  const at = { ...part, start, end };
  place(into, at);
  if (turn) tellTurn(into, turn);
  if (call) tellRun(into, call.id, call, at);
}

/**
 * The outcome of a call, as the model saw it where only that is known; nothing while it is not
 * over.
 */
export function returnedOf({ returned, heard }: Called): Returned | undefined {
  if (!heard || returned?.result !== undefined) return returned;
  const failed =
    heard.error === true || (returned?.error !== undefined && returned.error !== false);
  return { ...returned, result: heard.result, ...(failed ? { error: true } : {}) };
}

/** When a call was over: before a prompt had its result, though some write the end down later. */
export const overAt = ({ start, end, call }: Step): number =>
  Math.min(end ?? Number.POSITIVE_INFINITY, call?.heard?.at ?? end ?? start);
