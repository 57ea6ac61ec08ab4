import { isObject, type JsonObject, objectOf, textOf } from '@unrut/engine/json';
import { amount } from '@unrut/reading/response-cost';
import { agentEvent, readAgentEvent } from './otlp-agent-log.ts';
import { attributesOf, plainValue } from './otlp-attributes.ts';
import { eventMessages, genAiTurn } from './otlp-gen-ai.ts';
import { milliseconds, spanId, tracePlaceOf } from './otlp-place.ts';
import { modelTurn, type Told, type TracePart, tracePart } from './trace-part.ts';

/** Reads an OTLP JSON log record: a GenAI event, or one of a coding agent. */
export function readLog(given: JsonObject): TracePart | undefined {
  const body = plainValue(given.body);
  const attributes = attributesOf(given.attributes);
  const event = agentEvent(body, attributes);
  const name = event ?? (textOf(given.eventName) || textOf(attributes['event.name']));
  const tells =
    event === undefined ? genAiEvent(name, attributes, body) : readAgentEvent(event, attributes);
  const end = milliseconds(given.timeUnixNano) ?? milliseconds(given.observedTimeUnixNano);
  if (!tells || end === undefined) return undefined;
  const [span, trace] = [given.spanId, given.traceId].map(spanId);
  // A record is written after what it describes.
  const place = {
    ...tracePlaceOf(name, attributes),
    trace,
    [isAbout(tells) ? 'about' : 'parent']: span,
  };
  return tracePart({ ...place, start: end - (amount(attributes.duration_ms) ?? 0), end, tells });
}

/** Whether the record describes its enclosing span, and not an event inside it. */
const isAbout = (tells: Told): boolean =>
  tells.kind === 'person' || (tells.kind === 'model' && !tells.beside);

function genAiEvent(name: string, attributes: JsonObject, body: unknown): Told | undefined {
  if (name === 'gen_ai.client.inference.operation.details')
    return genAiTurn({ ...attributes, ...objectOf(body) }, []);
  if (!name.startsWith('gen_ai.')) return undefined;
  const messages = eventMessages(name, isObject(body) ? body : attributes);
  if (messages.length === 0) return undefined;
  return name === 'gen_ai.choice' ? modelTurn([], messages) : modelTurn(messages, []);
}
