import { type AgentEvent, whyNotAnEvent } from '../../event.ts';
import { withoutNulls } from '../../guard.ts';
import { isObject } from '../../importers/json.ts';
import { redact } from '../../redact.ts';
import type { Fault } from '../../signal.ts';

/** An event, or why it is none. */
export type Reading = { event: AgentEvent } | { fault: Fault };

/** Names are kept as they are. */
const LONGEST_NAME = 500;

/** The events of a body: one, a list, `{ events }` or a line for each. Nothing when it is no JSON at all. */
export function readEvents(body: string, isLines: boolean): Reading[] | undefined {
  if (isLines) return linesOf(body).map(readLine);
  const value = jsonIn(body);
  if (value === undefined) return undefined;
  const list = isObject(value) && 'events' in value && !('type' in value) ? value.events : value;
  return (Array.isArray(list) ? list : [list]).map(readEvent);
}

const linesOf = (body: string): string[] => body.split('\n').filter((line) => line.trim() !== '');

function readLine(line: string): Reading {
  const value = jsonIn(line);
  return value === undefined ? fault('expected an event as JSON in its line, got something else') : readEvent(value);
}

function readEvent(value: unknown): Reading {
  const event = withoutNulls(value as AgentEvent);
  const wrong = whyNotAnEvent(event);
  if (wrong !== undefined) return fault(wrong);
  for (const name of ['session', 'agent', 'parent'] as const) {
    const { length } = event[name] ?? '';
    if (length > LONGEST_NAME) return fault(`expected ${name} to have at most ${LONGEST_NAME} characters, got ${length}`);
  }
  return { event };
}

const fault = (message: string): Reading => ({ fault: { where: 'event', message: redact(message) } });

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
