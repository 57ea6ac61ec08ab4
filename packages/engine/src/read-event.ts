import {
  type AgentEvent,
  type Call,
  type EventBase,
  type EventType,
  type RefusedBy,
  RUNGS,
  type Rung,
} from './event.ts';
import type { EventOrigin } from './event-parts.ts';

export const ORIGIN_FIELDS = [
  'host',
  'model',
  'release',
  'repo',
  'team',
  'person',
] as const satisfies readonly (keyof EventOrigin)[];
export const MAX_ORIGIN_LENGTH = 100;

const isText = (value: unknown): value is string => typeof value === 'string';
const isCall = (value: unknown): boolean => {
  const call = value as Partial<Call> | null;
  return typeof call === 'object' && call !== null && isText(call.id) && isText(call.tool);
};
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** The fields that an event of this type must have, with a check for each. */
const REQUIRED: Record<EventType, Record<string, (value: unknown) => boolean>> = {
  'call-proposed': { call: isCall },
  'call-finished': { call: isCall },
  'text-added': { text: isText, channel: (v) => v === 'answer' || v === 'thinking' },
  'iteration-started': { iteration: Number.isFinite },
  'output-finished': { output: isText },
  'action-proposed': { action: (v) => isText((v as { type?: unknown } | null)?.type) },
  'action-finished': { action: (v) => isText((v as { type?: unknown } | null)?.type) },
  'task-attempted': {
    task: isText,
    status: isText,
    blockers: isTexts,
    work: isTexts,
    attemptSession: isText,
  },
  idle: { reason: isText },
  'plan-performed': { plan: isText, rung: (v) => RUNGS.includes(v as Rung) },
  'user-spoke': {},
  'tools-listed': {
    tools: (v) =>
      Array.isArray(v) && v.every((tool) => isText((tool as { name?: unknown } | null)?.name)),
  },
  'context-compacted': {},
  'session-ended': {},
};

export const EVENT_TYPES = Object.keys(REQUIRED) as EventType[];
const CHECKS = new Map(
  Object.entries(REQUIRED).map(([type, fields]) => [type, Object.entries(fields)]),
);
const TEXTS = ['agent', 'parent', 'speaker', 'id', 'batch'] as const;
const NAMES = ['session', 'parent', 'agent'] as const;

/**
 * Names with NUL or lone surrogates would collide in a ledger, and runs store their own state under
 * names that contain `\u0001`.
 */
function isName(text: string): boolean {
  if (text === lastName) return true;
  if (!text.isWellFormed() || /[\0\u0001]/.test(text)) return false;
  lastName = text;
  return true;
}
/** A cache: nearly every event has the same session as the one before. */
let lastName = '';

/** Says why `origin` is not valid, or returns undefined if it is. */
export function whyNotAnOrigin(origin: unknown): string | undefined {
  if (origin === undefined) return undefined;
  if (typeof origin !== 'object' || origin === null || Array.isArray(origin))
    return 'expected origin to be an object, got something else';
  for (const field of ORIGIN_FIELDS) {
    const given = (origin as Record<string, unknown>)[field] ?? '';
    if (!isText(given) || given.length > MAX_ORIGIN_LENGTH)
      return `expected origin.${field} of type string with at most ${MAX_ORIGIN_LENGTH} characters, got ${isText(given) ? given.length : typeof given}`;
  }
  return undefined;
}

/** Says in one line why `value` is not an event, or returns undefined if it is one. */
export function whyNotAnEvent(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null)
    return `expected an event object, got ${value === null ? 'null' : typeof value}`;
  const event = value as Partial<EventBase> & { type?: unknown };
  const checks = CHECKS.get(event.type as string);
  if (!checks) {
    return `expected a type of ${EVENT_TYPES.join(', ')}; got ${isText(event.type) ? event.type.slice(0, 40) : typeof event.type}`;
  }
  const wrong = whyNotABase(event) ?? whyNotNamed(event) ?? whyNotAnOrigin(event.origin);
  if (wrong !== undefined) return `${event.type}: ${wrong}`;
  for (const [field, holds] of checks) {
    if (!holds((value as Record<string, unknown>)[field]))
      return `${event.type}: the field ${field} is missing or of the wrong kind`;
  }
  return undefined;
}

/** Checks session and time. */
function whyNotABase(event: Partial<EventBase>): string | undefined {
  if (!isText(event.session))
    return `expected a session of type string, got ${typeof event.session}`;
  for (const name of ['session', 'parent'] as const)
    if (event[name] === '') return `expected a ${name} with a name, got an empty one`;
  if (typeof event.at !== 'number' || !Number.isFinite(event.at))
    return `expected at in epoch milliseconds, got ${typeof event.at}`;
  return undefined;
}

/** Checks the texts and names that any event may have. */
function whyNotNamed(event: Partial<EventBase>): string | undefined {
  for (const field of TEXTS) {
    const given = (event as Record<string, unknown>)[field];
    if (given !== undefined && !isText(given))
      return `expected ${field} of type string, got ${typeof given}`;
  }
  if (event.changed !== undefined && !isTexts(event.changed))
    return 'expected changed to be a list of strings, got something else';
  for (const name of NAMES)
    if (event[name] !== undefined && !isName(event[name]))
      return `expected ${name} in Unicode without control characters, got other text`;
  return undefined;
}

/** JSON has no undefined, so a null field counts as missing. Only `result` may be null. */
export function withoutNulls(event: AgentEvent): AgentEvent {
  if (typeof event !== 'object' || event === null) return event;
  for (const name in event) {
    if (event[name as keyof AgentEvent] !== null || name === 'result') continue;
    return Object.fromEntries(
      Object.entries(event).filter(([each, value]) => value !== null || each === 'result'),
    ) as unknown as AgentEvent;
  }
  return event;
}

/**
 * What the call was refused for, if that was its tool's name or its arguments and not what it would
 * have done; otherwise null.
 */
export const refusedFor = (refusedBy: RefusedBy | undefined): 'tool' | 'arguments' | null =>
  refusedBy === 'unknown-tool' ? 'tool' : refusedBy === 'schema' ? 'arguments' : null;

/** What agents and their programs say when all was done. */
const WELL = new Set(['done', 'success', 'succeeded', 'completed', 'complete', 'finished', 'ok']);

/** The session ended, and says that it has done what it was to do. */
export const endsWell = (event: AgentEvent): boolean =>
  event.type === 'session-ended' &&
  typeof event.outcome === 'string' &&
  WELL.has(event.outcome.toLowerCase());
