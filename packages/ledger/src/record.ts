import { type AgentEvent, type Json, parentOf } from '@unrut/engine/event';
import type { EventOrigin } from '@unrut/engine/event-parts';
import type { Verdict } from '@unrut/engine/guard';
import { hash64 } from '@unrut/engine/hash';
import type { CallPrint } from '@unrut/engine/prints';
import { endsWell, MAX_ORIGIN_LENGTH, ORIGIN_FIELDS } from '@unrut/engine/read-event';
import { redact } from '@unrut/engine/redact/redact';
import { cut, printable } from '@unrut/engine/text/printable';
import type { LedgerEntry } from './ledger-entry.ts';
import { seenBriefly } from './seen-briefly.ts';

/** The session of an event, then the one that it reports to. */
export function sessionsIn(event: AgentEvent): string[] {
  const parent = parentOf(event);
  return parent === undefined || parent === event.session
    ? [event.session]
    : [event.session, parent];
}

/** The origin of an event, as far as its adapter knows. */
export interface Origin extends EventOrigin {
  /** The last part of the working folder. */
  folder?: string;
  /** Unrut does not act there: switched off by the user, or in shadow mode. */
  mode?: 'off' | 'shadow';
  /** A person has switched it on: it is in no trial any more. */
  isOn?: true;
  /** The host reports the ends of turns, and this event begins a turn. */
  turns?: true;
}

/** The parts of a sender's origin that are safe to store. */
export function keptOrigin(given: { [field in keyof EventOrigin]?: unknown } = {}): EventOrigin {
  const kept: EventOrigin = {};
  for (const field of ORIGIN_FIELDS) {
    const value = given[field];
    if (typeof value === 'string' && value.trim() !== '')
      kept[field] = cut(printable(redact(value.trim())), MAX_ORIGIN_LENGTH);
  }
  return kept;
}

/**
 * The prefix of the ids of an event's entries. An event without an id counts each time it arrives.
 */
export function idsUnder(
  { type, session, at, agent = '', id }: AgentEvent,
  version: number | string,
): string {
  // Escapes separators: agent `b/c` of `a` is not agent `c` of `a/b`.
  const within = agent.replaceAll('~', '~0').replaceAll('/', '~1');
  return `${session}/${within}/${id === undefined ? `${type}:${at}:${version}` : keptId(type, id)}/`;
}

/** Max number of trailing digits of an id that are stored; longer numbers could be secrets. */
const MAX_DIGITS = 4;

/**
 * Hashes an id and appends its trailing number, so that sequential ids stay adjacent in an index.
 */
function keptId(type: string, id: string): string {
  let end = id.length;
  while (end > 0 && id.length - end < MAX_DIGITS && isDigit(id.charCodeAt(end - 1))) end--;
  return hash64(`${type} ${id.slice(0, end)}`) + id.slice(end);
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * The entries to store for an event and its verdict: no arguments, results or agent texts, only
 * short redacted labels. `version` is the version of the previous state, unique per event in a
 * session.
 */
export const entriesOf = (
  event: AgentEvent,
  verdict: Verdict,
  version: number | string,
  origin: Origin = {},
): LedgerEntry[] =>
  verdict.faults.some(({ where }) => where === 'event')
    ? []
    : entriesUnder(idsUnder(event, version), event, verdict, plain, origin);

/** The same for readers that store nothing: without ids, and sharing objects with the verdict. */
export const passingEntriesOf = (event: AgentEvent, verdict: Verdict): LedgerEntry[] =>
  verdict.faults.some(({ where }) => where === 'event')
    ? []
    : entriesUnder('', event, verdict, (data) => data);

function entriesUnder(
  beginning: string,
  event: AgentEvent,
  verdict: Verdict,
  copy: (data: object) => object,
  origin: Origin = {},
): LedgerEntry[] {
  const { session, at, agent } = event;
  const entry = (kind: LedgerEntry['kind'], suffix: string, data: object): LedgerEntry => {
    const made: LedgerEntry = {
      id: `${beginning}${suffix}`,
      session,
      at,
      kind,
      step: verdict.step,
      data: data as { [field: string]: Json },
    };
    if (agent !== undefined) made.agent = agent;
    return made;
  };
  const plan = verdict.plan ?? verdict.shadow;
  return [
    isPiece(event)
      ? entry('piece', 'event', {})
      : entry(
          'event',
          'event',
          Object.assign(eventData(event, verdict), keptOrigin(event.origin), origin),
        ),
    ...verdict.signals.map((signal, i) => entry('signal', `signal${i}`, copy(signal))),
    ...(plan ? [entry('plan', plan.id, copy({ ...plan, shadow: verdict.plan === null }))] : []),
    ...verdict.outcomes.map((outcome) =>
      entry('outcome', `${outcome.plan}:${outcome.outcome}`, copy(outcome)),
    ),
    ...verdict.faults.map((fault, i) => entry('fault', `fault${i}`, fault)),
  ];
}

/**
 * A text that is complete only with the following ones: models stream dozens of pieces per message.
 */
const isPiece = (event: AgentEvent): boolean =>
  event.type === 'text-added' && !event.done && !event.cost;

/**
 * Assigned field by field, since this runs for every event and spreading would take most of its
 * time.
 */
function eventData(event: AgentEvent, { seen, witnesses, budget, drawn }: Verdict): object {
  const data: Record<string, unknown> = { type: event.type };
  if (event.type === 'plan-performed')
    Object.assign(data, {
      plan: redact(event.plan),
      rung: event.rung,
      failed: event.failed === true,
    });
  if (endsWell(event)) data.well = true;
  if ('call' in event) data.tool = redact(event.call.tool);
  if (event.cost) data.cost = plausible(event.cost);
  if ('refusedBy' in event && typeof event.refusedBy === 'string')
    data.refusedBy = redact(event.refusedBy);
  if (event.type === 'text-added' && event.rest) data.rest = true;
  if (event.type === 'call-proposed' && seen?.call) {
    const open = seen.spawns
      ? 'agent'
      : waitsOnPurpose(seen.call, event.call.tool)
        ? 'wait'
        : undefined;
    if (open) data.open = open;
  }
  if (seen) data.seen = seenBriefly(seen);
  if (witnesses.length > 0) data.witnesses = witnesses;
  if (drawn) data.drawn = drawn;
  if (budget && event.type !== 'plan-performed') data.budget = budget;
  return data;
}

/** A call that may take long: a wait, a check, a build, or a question to the user. */
const waitsOnPurpose = (
  { verb, poll, shell, label, background }: CallPrint,
  tool: string,
): boolean =>
  verb === 'wait' ||
  verb === 'verify' ||
  poll ||
  background !== undefined ||
  (shell ? BUILDS.test(label) : ASKS_SOMEBODY.test(tool));
const BUILDS = /\b(?:build|install|compile|make|deploy|watch|serve|dev|bench|train|download)\b/i;
const ASKS_SOMEBODY =
  /^(?:ask|request)_?(?:user|human|follow|approval|permission)|exit_?plan_?mode|elicit/i;

/** Removes undefined fields, and copies, so that the guard can continue with the original. */
const plain = (data: object): object => JSON.parse(JSON.stringify(data)) as object;

/** Larger values are mistakes that would spoil every sum. */
const MAX = { tokens: 1e9, usd: 1e5 };

/** Senders control the event, so implausible costs are dropped. */
function plausible(cost: NonNullable<AgentEvent['cost']>): NonNullable<AgentEvent['cost']> {
  const isPlausible = (value: unknown, max: number): boolean =>
    typeof value === 'number' && value >= 0 && value <= max;
  return {
    ...(isPlausible(cost.tokens, MAX.tokens) ? { tokens: cost.tokens! } : {}),
    ...(isPlausible(cost.usd, MAX.usd) ? { usd: cost.usd! } : {}),
  };
}
