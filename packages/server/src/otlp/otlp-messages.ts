import type { ProtobufField, ProtobufMessage } from './read-protobuf.ts';

const one = (name: string, type: ProtobufField['type']): ProtobufField => ({ name, type });
const many = (name: string, type: ProtobufField['type']): ProtobufField => ({
  name,
  type,
  isList: true,
});

/*
 * The fields of OTLP messages that describe agents, numbered as in
 * opentelemetry/proto/{common,resource,trace,logs}/v1. Names are those of OTLP's JSON, so that one
 * reader handles both.
 */

const anyValue: ProtobufMessage = {
  1: one('stringValue', 'string'),
  2: one('boolValue', 'bool'),
  3: one('intValue', 'int64'),
  4: one('doubleValue', 'double'),
  5: one('arrayValue', () => ({ 1: many('values', () => anyValue) })),
  6: one('kvlistValue', () => ({ 1: many('values', () => keyValue) })),
  7: one('bytesValue', 'base64'),
};

const keyValue: ProtobufMessage = { 1: one('key', 'string'), 2: one('value', () => anyValue) };

const resource: ProtobufMessage = { 1: many('attributes', () => keyValue) };

const spanEvent: ProtobufMessage = {
  1: one('timeUnixNano', 'fixed64'),
  2: one('name', 'string'),
  3: many('attributes', () => keyValue),
};

const status: ProtobufMessage = { 2: one('message', 'string'), 3: one('code', 'enum') };

const span: ProtobufMessage = {
  1: one('traceId', 'hex'),
  2: one('spanId', 'hex'),
  4: one('parentSpanId', 'hex'),
  5: one('name', 'string'),
  7: one('startTimeUnixNano', 'fixed64'),
  8: one('endTimeUnixNano', 'fixed64'),
  9: many('attributes', () => keyValue),
  11: many('events', () => spanEvent),
  15: one('status', () => status),
};

const logRecord: ProtobufMessage = {
  1: one('timeUnixNano', 'fixed64'),
  5: one('body', () => anyValue),
  6: many('attributes', () => keyValue),
  9: one('traceId', 'hex'),
  10: one('spanId', 'hex'),
  11: one('observedTimeUnixNano', 'fixed64'),
  12: one('eventName', 'string'),
};

/** A request contains resources, which contain scopes, which contain items. */
const request = (kind: 'Spans' | 'Logs', items: string, item: ProtobufMessage): ProtobufMessage => {
  const scope: ProtobufMessage = { 2: many(items, () => item) };
  const source: ProtobufMessage = {
    1: one('resource', () => resource),
    2: many(`scope${kind}`, () => scope),
  };
  return { 1: many(`resource${kind}`, () => source) };
};

/** The body of `POST /v1/traces`. */
export const traceRequest: ProtobufMessage = request('Spans', 'spans', span);

/** The body of `POST /v1/logs`. */
export const logRequest: ProtobufMessage = request('Logs', 'logRecords', logRecord);
