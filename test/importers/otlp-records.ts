import { isObject, type JsonObject } from '@unrut/engine/json';

const listOf = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** A request that holds these spans. */
export const spansIn = (...spans: unknown[]): unknown => ({
  resourceSpans: [{ scopeSpans: [{ spans }] }],
});

/** A request that holds these log records. */
export const logsIn = (...logRecords: unknown[]): unknown => ({
  resourceLogs: [{ scopeLogs: [{ logRecords }] }],
});

/** Attributes in OTLP's form. */
export const attributes = (values: Record<string, string | number | boolean>): unknown[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : typeof value === 'boolean'
          ? { boolValue: value }
          : { intValue: String(value) },
  }));

let spans = 0;

/** A span of a trace. Times are in milliseconds after the beginning of 2026. */
export function span(given: {
  name?: string;
  id?: string;
  parent?: string;
  trace?: string;
  start?: number;
  end?: number;
  attributes?: Record<string, string | number | boolean>;
  events?: { name: string; attributes: Record<string, string | number | boolean> }[];
  error?: string;
}): JsonObject {
  const {
    name = 'span',
    id = `s${++spans}`,
    parent = '',
    trace = 't1',
    start = 0,
    end = start + 1,
    error,
  } = given;
  return {
    traceId: trace,
    spanId: id,
    parentSpanId: parent,
    name,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: attributes(given.attributes ?? {}),
    events: (given.events ?? []).map((event) => ({
      name: event.name,
      attributes: attributes(event.attributes),
    })),
    status: error === undefined ? { code: 0 } : { code: 2, message: error },
  };
}

/** A log record. */
export const log = (
  at: number,
  values: Record<string, string | number | boolean>,
  body = '',
): JsonObject => ({
  timeUnixNano: nanoseconds(at),
  body: { stringValue: body },
  attributes: attributes(values),
});

const nanoseconds = (at: number): string =>
  String(BigInt(Date.UTC(2026, 0, 1) + Math.floor(at)) * 1_000_000n);

/** Each span and each log record as a request of its own. */
export function apart(records: readonly unknown[]): unknown[] {
  return records.flatMap((record) => {
    const given =
      isObject(record) && typeof record.body === 'string' ? JSON.parse(record.body) : record;
    const all = (resources: unknown, scopes: string, items: string): JsonObject[] =>
      listOf(resources).flatMap((resource) =>
        listOf(resource[scopes]).flatMap((scope) => listOf(scope[items])),
      );
    return [
      ...all(given.resourceSpans, 'scopeSpans', 'spans').map((each) => spansIn(each)),
      ...all(given.resourceLogs, 'scopeLogs', 'logRecords').map((each) => logsIn(each)),
    ];
  });
}
