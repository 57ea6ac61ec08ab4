import { isObject, type JsonObject, listOf, objectOf, textOf } from '@unrut/engine/json';
import { readLangfuseSpan } from './langfuse-observation.ts';
import { readAiSdk } from './otlp-ai-sdk.ts';
import { attributesOf, type Span, type SpanEvent } from './otlp-attributes.ts';
import { readClaudeCodeSpan } from './otlp-claude-code.ts';
import { readGenAi } from './otlp-gen-ai.ts';
import { readOpenInference } from './otlp-open-inference.ts';
import { milliseconds, spanId, tracePlaceOf } from './otlp-place.ts';
import { lasted, type Told, type TracePart, tracePart, withoutStack } from './trace-part.ts';

/**
 * Readers of span conventions, the specific ones first. The first that recognises a span reads it.
 */
const CONVENTIONS: readonly ((span: Span) => Told | undefined)[] = [
  readClaudeCodeSpan,
  readLangfuseSpan,
  readOpenInference,
  readAiSdk,
  readGenAi,
];

/** Reads an OTLP JSON span. One without content still has a place in the trace. */
export function readSpan(given: JsonObject): TracePart {
  return readPlainSpan({
    name: textOf(given.name),
    attributes: attributesOf(given.attributes),
    events: listOf(given.events)
      .filter(isObject)
      .map((event) => ({ name: textOf(event.name), attributes: attributesOf(event.attributes) })),
    status: given.status,
    start: milliseconds(given.startTimeUnixNano) ?? milliseconds(given.endTimeUnixNano) ?? 0,
    end: milliseconds(given.endTimeUnixNano),
    ids: [given.spanId, given.parentSpanId, given.traceId],
  });
}

/** A span in any format. */
export interface PlainSpan {
  name: string;
  attributes: JsonObject;
  events: SpanEvent[];
  status: unknown;
  /** Epoch milliseconds. */
  start: number;
  end: number | undefined;
  /** Its own, its parent's and its trace's. */
  ids: readonly [id: unknown, parent: unknown, trace: unknown];
}

/** The content of a span. */
export function readPlainSpan({
  name,
  attributes,
  events,
  status,
  start,
  end,
  ids,
}: PlainSpan): TracePart {
  const span: Span = {
    name,
    attributes,
    events,
    error: errorOf(status, attributes, events),
    durationMs: lasted(start, end),
  };
  const [id, parent, trace] = ids.map(spanId);
  const tells = firstTold(span);
  return tracePart({ ...tracePlaceOf(name, attributes), id, parent, trace, start, end, tells });
}

function firstTold(span: Span): Told | undefined {
  for (const read of CONVENTIONS) {
    const tells = read(span);
    if (tells) return tells;
  }
  return undefined;
}

function errorOf(status: unknown, attributes: JsonObject, events: SpanEvent[]): Span['error'] {
  const code = objectOf(status).code;
  if (code !== 2 && code !== 'STATUS_CODE_ERROR' && attributes['error.type'] === undefined)
    return undefined;
  const thrown = events.find(({ name }) => name === 'exception')?.attributes['exception.message'];
  const told = [
    thrown,
    isObject(status) ? status.message : '',
    attributes['error.message'],
    attributes['error.type'],
  ];
  return withoutStack(told.map(textOf).find((text) => text !== '') ?? '') || true;
}
