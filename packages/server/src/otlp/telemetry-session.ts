import type { AgentEvent } from '@unrut/engine/event';
import { hash32 } from '@unrut/engine/hash';
import { present } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import { safeName } from '@unrut/engine/redact/safe-name';
import { createSource, type Imported } from '@unrut/logs/importers/source';
import type { TracePart } from '@unrut/logs/importers/traces/trace-part';
import { createTraceTimeline } from '@unrut/logs/importers/traces/trace-timeline';
import { TraceTree } from '@unrut/logs/importers/traces/trace-tree';
import { baseOf } from '@unrut/reading/hook-events';
import type { TelemetryPart } from './telemetry-part.ts';

/** A part with its time of arrival. */
export interface Waiting extends TelemetryPart {
  arrived: number;
}

/** Something that happened in a session. */
export interface Happened {
  event: AgentEvent;
  /** The actual time, if later events have been recorded already. */
  lateAt?: number;
}

/** The telemetry of one session. */
export interface TelemetrySession {
  readonly name: string;
  readonly waiting: readonly Waiting[];
  add(waiting: Waiting): void;
  /** Removes and returns the waiting parts that match. */
  take(isMeant: (waiting: Waiting) => boolean): Waiting[];
  /**
   * The events in order, as far as no earlier part is awaited; all of them if there is no time
   * left.
   */
  happened(now: number, noTimeLeft?: boolean): { happened: Happened[]; parts: Waiting[] };
}

/** Milliseconds that a part waits for earlier parts; exporters send at least every five seconds. */
const HOLD = 6000;
/** Max milliseconds to wait for the enclosing span, which is sent when it ends. */
const MAX_LENGTH = 60_000;
/** Max number of remembered steps, spans and traces per session. */
const MAX = 500;
const MAX_AGENTS = 50;
/** Milliseconds by which a log record may follow the moment that it describes. */
const MOMENT = 50;

/** Sorts the parts of a session, and converts them to events. */
export function createTelemetrySession(name: string): TelemetrySession {
  const tree = new TraceTree(MAX * 4);
  /** The current span of each trace's main agent, before it is known. */
  const mains = new Map<string, string>();
  /** The time of each agent's last event. */
  const lasts = new Map<string, number>();
  let imported: Imported[] = [];
  const timeline = createTraceTimeline(
    createSource(name, { event: (each) => void imported.push(each), unknown: () => undefined }),
    MAX,
  );
  let waiting: Waiting[] = [];

  /**
   * The enclosing span that has not arrived yet and may belong to a nested agent; undefined if the
   * part's place is known.
   */
  function unknownPlace({ agent, parent, trace = '' }: TracePart): string | undefined {
    const missing = agent === undefined ? tree.missingAbove(parent) : undefined;
    if (missing === undefined) return undefined;
    // The first span to end in a trace belongs to the main agent.
    if (!mains.has(trace)) keepIn(mains, trace, missing, MAX);
    return tree.missingAbove(mains.get(trace)) === missing ? undefined : missing;
  }

  /** Parts that can be recorded: those that began before the first one that must still wait. */
  function ripe(now: number): Waiting[] {
    let certain = Number.POSITIVE_INFINITY;
    let overdue = Number.NEGATIVE_INFINITY;
    for (const { part, arrived } of waiting) {
      const age = now - arrived;
      if (age >= MAX_LENGTH) overdue = Math.max(overdue, part.start);
      else if (part.tells && (age < HOLD || unknownPlace(part) !== undefined))
        certain = Math.min(certain, part.start - MOMENT);
    }
    return waiting.filter(({ part }) => part.start < certain || part.start <= overdue);
  }

  function named(each: Imported, before: ReadonlyMap<string, number>): Happened {
    const event = namedEvent(each);
    const { told = event.at } = each;
    const agent = event.agent ?? '';
    keepIn(lasts, agent, Math.max(lasts.get(agent) ?? 0, told), MAX_AGENTS);
    return told < (before.get(agent) ?? 0) ? { event, lateAt: told } : { event };
  }

  return {
    name,
    get waiting() {
      return waiting;
    },
    add(given) {
      tree.add(given.part, undefined);
      waiting.push(given);
    },
    take(isMeant) {
      const taken = waiting.filter(isMeant);
      if (taken.length > 0) waiting = waiting.filter((each) => !isMeant(each));
      return taken;
    },
    happened(now, noTimeLeft = false) {
      waiting.sort((a, b) => a.part.start - b.part.start);
      const parts = noTimeLeft ? waiting : ripe(now);
      if (parts.length === 0) return { happened: [], parts };
      const gone = new Set(parts);
      waiting = waiting.filter((each) => !gone.has(each));
      imported = [];
      for (const { part } of parts) {
        const place = unknownPlace(part);
        timeline.add({ ...part, session: name, ...present({ agent: place }) });
      }
      timeline.end();
      const before = new Map(lasts);
      return { happened: imported.map((each) => named(each, before)), parts };
    },
  };
}

/**
 * Ids that are mere counters, as some models use per response and importers as a fallback. They
 * identify a call only together with its time.
 */
const COUNTED = /^(?:call[_-]?)?\d{1,6}$|#\d+/i;

/**
 * Gives an event an id, so that repeated telemetry counts once, whoever sends it. Hooks name calls
 * in the same way.
 */
function namedEvent({ event, told = event.at }: Imported): AgentEvent {
  const { session, at, type } = event;
  const agent = event.agent === undefined ? {} : { agent: safeName(event.agent) };
  return {
    ...withoutEmptyError(event),
    ...baseOf(type, { session, ...agent, at, turn: undefined }, nameIn(event, told)),
  };
}

/** Claude Code's text for every failed command, unless it is configured to include tool output. */
const SAYS_NOTHING = 'Shell command failed';

/** Failures without details would all look equal, so their results count as unknown. */
function withoutEmptyError(event: AgentEvent): AgentEvent {
  if (
    event.type !== 'call-finished' ||
    event.result !== undefined ||
    (event.error !== true && event.error !== SAYS_NOTHING)
  )
    return event;
  const { error: _, ...rest } = event;
  return rest;
}

function nameIn(event: AgentEvent, told: number): string {
  if ('call' in event)
    return COUNTED.test(event.call.id) ? `${told} ${event.call.id}` : event.call.id;
  return `${told} ${'text' in event && event.text !== undefined ? hash32(event.text) : ''}`;
}
