import type { AgentEvent, EventBase } from '@unrut/engine/event';
import { isObject } from '@unrut/engine/json';
import { whyNotAnEvent, withoutNulls } from '@unrut/engine/read-event';
import { redact } from '@unrut/engine/redact/redact';
import { safeName } from '@unrut/engine/redact/safe-name';
import type { Fault } from '@unrut/engine/signal';
import { jsonIn } from '../body.ts';
import { isNestedDeeper, tooMany } from '../json-size.ts';
import { isInSeconds, NOT_SECONDS } from '../latest-time.ts';
import { malformed } from '../problem.ts';
import { createSlices } from '../slices.ts';

/** A parsed event, or the reason why it is invalid. */
export type EventsRead = { event: AgentEvent } | { fault: Fault };

/** Max events per request: at most some seconds of work. */
const MAX_EVENTS = 1000;
/** Max nesting depth of an event. */
const MAX_LEVELS = 500;

/**
 * Parses a body: one event, a list, `{ events }` or JSON lines. `latest`: the latest valid event
 * time. Throws a refusal if the body is not JSON or has too many events, before any is validated.
 */
export async function readEvents(
  body: string,
  isLines: boolean,
  latest: number,
): Promise<EventsRead[]> {
  const given = isLines ? linesOf(body) : listIn(body);
  if (given.length > MAX_EVENTS) throw tooMany(`at most ${MAX_EVENTS} events`);
  const slices = createSlices();
  const read: EventsRead[] = [];
  for (const each of given) {
    read.push(isLines ? readLine(each as string, latest) : readEvent(each, latest));
    await slices();
  }
  return read;
}

/** The non-blank lines; stops after the limit is exceeded. */
function linesOf(body: string): string[] {
  const lines: string[] = [];
  for (const [line] of body.matchAll(/\S[^\n]*/g)) if (lines.push(line) > MAX_EVENTS) break;
  return lines;
}

function listIn(body: string): unknown[] {
  const value = jsonIn(body);
  if (value === undefined)
    throw malformed(
      'expected an event, a list of events or {"events":[…]} as JSON, got something else.',
    );
  const list = isObject(value) && 'events' in value && !('type' in value) ? value.events : value;
  return Array.isArray(list) ? list : [list];
}

function readLine(line: string, latest: number): EventsRead {
  const value = jsonIn(line);
  return value === undefined
    ? fault('expected an event as JSON in its line, got something else')
    : readEvent(value, latest);
}

function readEvent(value: unknown, latest: number): EventsRead {
  const event = withoutNulls(value as AgentEvent);
  const wrong = whyNotAnEvent(event) ?? whyNotTaken(event, latest);
  return wrong === undefined ? { event: { ...event, ...safeNames(event) } } : fault(wrong);
}

function whyNotTaken(event: AgentEvent, latest: number): string | undefined {
  const { type, at } = event;
  if (isInSeconds(at)) return `${type}: expected at in ${NOT_SECONDS}, got ${at}`;
  if (at < 0 || at > latest)
    return `${type}: expected at in epoch milliseconds, at most a day ahead of this clock, got ${at}`;
  if (isNestedDeeper(event, MAX_LEVELS))
    return `${type}: expected values within each other up to ${MAX_LEVELS} times, got more`;
  return undefined;
}

const safeNames = ({
  session,
  agent,
  parent,
}: EventBase): Pick<EventBase, 'session' | 'agent' | 'parent'> => ({
  session: safeName(session),
  ...(agent === undefined ? {} : { agent: safeName(agent) }),
  ...(parent === undefined ? {} : { parent: safeName(parent) }),
});

const fault = (message: string): EventsRead => ({
  fault: { where: 'event', message: redact(message) },
});
