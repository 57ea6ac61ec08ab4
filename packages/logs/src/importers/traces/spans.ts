import {
  isObject,
  type JsonObject,
  objectOf,
  objectsOf,
  parsed,
  present,
  textOf,
  valueIn,
} from '@unrut/engine/json';
import { databaseOf } from '@unrut/ledger/sqlite/database-of';
import type { Importer } from '@unrut/reading/importer';
import { utcTime } from '@unrut/reading/moment';
import { kindOf } from '@unrut/reading/run-documents';
import { type PlainSpan, readPlainSpan } from './otlp-span.ts';
import { createTraceTimeline } from './trace-timeline.ts';

/** A span format other than OTLP: how to recognise and read it. */
interface SpanForm extends Pick<Importer, 'name' | 'reads' | 'sample' | 'database'> {
  isSpan(value: JsonObject): boolean;
  /**
   * `asked`: the tools that the file's models have called so far, for formats that do not mark
   * tools.
   */
  plain(span: JsonObject, asked: Set<string>): PlainSpan;
}

/** Fields with the spans of documents, and with the children of spans. */
const LISTS = ['spans', 'child_spans', 'children', 'data', 'traces', 'calls', 'events'];

function spanImporter({ isSpan, plain, ...about }: SpanForm): Importer {
  /** Yields the spans of a record, parents first; reports other values. */
  function* spansIn(
    value: unknown,
    parent: string,
    strange: (value: unknown) => void,
    depth = 0,
  ): Generator<[span: JsonObject, parent: string]> {
    if (Array.isArray(value)) {
      for (const each of value) yield* spansIn(each, parent, strange, depth + 1);
      return;
    }
    const is = isObject(value) && isSpan(value);
    if (is) yield [value, parent];
    // Lists in a span hold its children; lists in a document hold its spans.
    const inner =
      isObject(value) && depth < 200
        ? LISTS.map((list) => value[list]).filter((list) =>
            is
              ? Array.isArray(list) && list.some((each) => isObject(each) && isSpan(each))
              : Array.isArray(list) || isObject(list),
          )
        : [];
    const own = is ? textOf(plain(value, new Set()).ids[0]) : parent;
    for (const list of inner) yield* spansIn(list, own, strange, depth + 1);
    if (!is && inner.length === 0) strange(value);
  }
  const holds = (record: unknown): boolean => !spansIn(record, '', () => {}).next().done;
  return {
    ...about,
    recognises: (first) => first.some(holds),
    open(source) {
      const timeline = createTraceTimeline(source);
      const asked = new Set<string>();
      return {
        read(record) {
          for (const [span, parent] of spansIn(record, '', (strange) =>
            source.unknown(kindOf(strange)),
          )) {
            const { ids, ...rest } = plain(span, asked);
            timeline.add(
              readPlainSpan({
                ...rest,
                ids: [ids[0], ids[1] ?? (parent === '' ? undefined : parent), ids[2]],
              }),
            );
          }
        },
        end: () => timeline.end(),
      };
    },
  };
}

/** The first of these fields that exists; a dot leads into an object. */
function fieldOf(value: JsonObject, ...paths: string[]): unknown {
  for (const path of paths) {
    const found = path in value ? value[path] : valueIn(value, path);
    if (found !== undefined && found !== null && found !== '') return found;
  }
  return undefined;
}

/** Epoch milliseconds, with fractions if available, so that consecutive spans stay in order. */
function fineTime(given: unknown): number | undefined {
  if (typeof given === 'number' && given >= 1e14) return given >= 1e17 ? given / 1e6 : given / 1e3;
  if (typeof given === 'number' && given > 1e8 && given < 1e11) return given * 1000;
  const time = utcTime(given);
  const finer = typeof given === 'string' ? /\.\d{3}(\d{1,6})/.exec(given)?.[1] : undefined;
  return time === undefined || finer === undefined ? time : time + Number(`0.${finer}`);
}

/** `PT1.5S`, or microseconds. */
const durationOf = (given: unknown): number | undefined => {
  if (typeof given === 'number') return given / 1000;
  const [, hours = 0, minutes = 0, seconds = 0] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(
    textOf(given),
  ) ?? [undefined];
  return typeof given === 'string'
    ? ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
    : undefined;
};

const MAX_DEPTH = 12;

/** Flattens attributes to dotted names, and also keeps each list and object. */
function flat(value: unknown, prefix = '', into: JsonObject = {}, depth = 0): JsonObject {
  const entries = Array.isArray(value)
    ? value.entries()
    : isObject(value)
      ? Object.entries(value)
      : [];
  for (const [name, inner] of entries) {
    const path = prefix === '' ? String(name) : `${prefix}.${name}`;
    if (path.includes('__proto__')) continue;
    into[path] = inner;
    if (depth < MAX_DEPTH && typeof inner === 'object' && inner !== null)
      flat(inner, path, into, depth + 1);
  }
  return into;
}

/** Some write ids as hexadecimal numbers. */
const idOf = (id: unknown): unknown =>
  typeof id === 'string' ? id.replace(/^0x/, '') : typeof id === 'number' ? String(id) : id;

function plainSpan(span: JsonObject, attributes: JsonObject): PlainSpan {
  const start =
    fineTime(
      fieldOf(
        span,
        'start_time',
        'startTime',
        'start_time_unix_nano',
        'start_time_ns',
        'start_timestamp',
        'timestamp',
        'started_at',
        'metrics.start',
      ),
    ) ?? 0;
  const duration = durationOf(fieldOf(span, 'duration'));
  const end = fineTime(
    fieldOf(
      span,
      'end_time',
      'endTime',
      'end_time_unix_nano',
      'end_time_ns',
      'end_timestamp',
      'ended_at',
      'metrics.end',
    ),
  );
  const events = fieldOf(span, 'events', 'otel_events');
  return {
    name: textOf(fieldOf(span, 'name', 'span_name')),
    attributes,
    events: objectsOf(events).map((event) => ({
      name: textOf(event.name ?? event.event_name),
      attributes: isObject(event.attributes) ? flat(event.attributes) : event,
    })),
    status: statusOf(span),
    start,
    end: end ?? (duration === undefined ? undefined : start + duration),
    ids: [
      idOf(fieldOf(span, 'span_id', 'spanId', 'context.span_id', 'context.spanId', 'id')),
      idOf(
        fieldOf(
          span,
          'parent_id',
          'parent_span_id',
          'parentSpanId',
          'parentId',
          'parentSpanContext.spanId',
          'span_parents.0',
        ),
      ),
      idOf(
        fieldOf(span, 'trace_id', 'traceId', 'context.trace_id', 'context.traceId', 'root_span_id'),
      ),
    ],
  };
}

function statusOf(span: JsonObject): unknown {
  const code = fieldOf(
    span,
    'status_code',
    'otel_status_code',
    'status.status_code',
    'status.code',
    'status',
  );
  const isError =
    code === 2 ||
    /error/i.test(textOf(code)) ||
    span.is_exception === true ||
    (span.error !== undefined && span.error !== null) ||
    textOf(span.exception) !== '';
  const message = fieldOf(
    span,
    'status_message',
    'otel_status_message',
    'status.description',
    'status.message',
    'exception_message',
    'exception',
    'error',
  );
  return isError
    ? { code: 2, message: isObject(message) ? JSON.stringify(message) : String(message ?? '') }
    : { code: 0 };
}

const attributesOf = (span: JsonObject): JsonObject => {
  const given = fieldOf(span, 'attributes', 'span_attributes');
  const own = isObject(given) ? flat(given) : flat(parsed(given));
  // Tables of spans have one column per attribute.
  for (const [name, value] of Object.entries(span))
    if (name.startsWith('attributes.')) own[name.slice('attributes.'.length)] = value;
  const kind = textOf(span.span_kind);
  if (
    kind !== '' &&
    own['openinference.span.kind'] === undefined &&
    /^(?:TOOL|LLM|AGENT|CHAIN)$/i.test(kind)
  )
    own['openinference.span.kind'] = kind;
  return own;
};

const hasIds = (span: JsonObject): boolean =>
  fieldOf(span, 'trace_id', 'traceId', 'context.trace_id', 'context.traceId') !== undefined &&
  fieldOf(span, 'span_id', 'spanId', 'context.span_id', 'context.spanId', 'id') !== undefined;
const isMlflow = (span: JsonObject): boolean =>
  isObject(span.attributes) && 'mlflow.spanType' in span.attributes;

/**
 * Flat or nested spans: exports of Phoenix and Logfire, and output of OpenTelemetry's console
 * exporters.
 */
export const otelSpans = spanImporter({
  name: 'otel-spans',
  reads:
    'spans of OpenTelemetry and OpenInference, flat or nested: exports of Phoenix and Logfire, TRAIL, and what the console exporters of JavaScript and Python print',
  sample:
    'recorded, @opentelemetry/sdk-trace-base 2.12; Phoenix after Arize-ai/phoenix 00bc7f6, nested after the outer spans of TRAIL, patronus-ai/trail-benchmark b5feadb, Python after excerpts of open-telemetry/opentelemetry-python; Logfire after a published record of pydantic-ai 1.25',
  isSpan: (span) =>
    hasIds(span) &&
    !isMlflow(span) &&
    !('run_type' in span) &&
    (isObject(span.attributes) ||
      isObject(span.span_attributes) ||
      typeof span.span_kind === 'string' ||
      Object.keys(span).some((name) => name.startsWith('attributes.'))) &&
    fieldOf(span, 'name', 'span_name') !== undefined,
  plain: (span) => plainSpan(span, attributesOf(span)),
  database: readPhoenixDatabase,
});

/** The spans of Phoenix's database. */
function readPhoenixDatabase(path: string): Generator<JsonObject> {
  return databaseOf(path, function* (database) {
    const spans = database.prepare(
      'SELECT s.span_id, s.parent_id, s.name, s.span_kind, s.start_time, s.end_time, s.attributes, s.events, s.status_code, s.status_message, t.trace_id FROM spans s JOIN traces t ON t.id = s.trace_rowid ORDER BY s.start_time, s.id',
    );
    for (const row of spans.iterate())
      yield { ...row, attributes: parsed(row.attributes), events: parsed(row.events) };
  });
}

/** Maps names of span kinds to OpenInference's. */
const KINDS: Readonly<Record<string, string>> = {
  TOOL: 'TOOL',
  LLM: 'LLM',
  CHAT_MODEL: 'LLM',
  AGENT: 'AGENT',
};

/** Converts such a span's attributes to OpenInference's. */
const asOpenInference = (
  kind: string | undefined,
  input: unknown,
  output: unknown,
  more: JsonObject,
): JsonObject => ({
  ...present({ 'openinference.span.kind': kind }),
  ...(input === undefined || input === null
    ? {}
    : { 'input.value': typeof input === 'string' ? input : JSON.stringify(input) }),
  ...(output === undefined || output === null
    ? {}
    : { 'output.value': typeof output === 'string' ? output : JSON.stringify(output) }),
  'input.mime_type': typeof input === 'string' ? 'text/plain' : 'application/json',
  'output.mime_type': typeof output === 'string' ? 'text/plain' : 'application/json',
  ...more,
});

/** Traces of MLflow: `mlflow traces get`, `Trace.to_json()`. */
export const mlflow = spanImporter({
  name: 'mlflow',
  reads: 'traces of MLflow: `mlflow traces get`, `Trace.to_json()`, or a list of them',
  sample: 'written after its source, mlflow/mlflow 01fa3f8',
  isSpan: isMlflow,
  plain: (span, asked) => {
    const attributes = span.attributes as JsonObject;
    const kind = KINDS[textOf(parsed(attributes['mlflow.spanType']))];
    const input = parsed(attributes['mlflow.spanInputs']);
    const usage = parsed(attributes['mlflow.chat.tokenUsage']);
    const tokens = isObject(usage)
      ? {
          'llm.token_count.prompt': usage.input_tokens,
          'llm.token_count.completion': usage.output_tokens,
        }
      : {};
    const trace = span.trace_id ?? parsed(attributes['mlflow.traceRequestId']);
    const output = parsed(attributes['mlflow.spanOutputs']);
    if (kind === 'LLM') for (const tool of toolsAsked(output)) asked.add(tool);
    // Spans of one name are numbered.
    const name = textOf(span.name);
    const tool = asked.has(name) ? name : name.replace(/_\d+$/, '');
    const plain = plainSpan(
      { ...span, trace_id: trace },
      asOpenInference(kind, input, output, {
        ...tokens,
        'tool.name': kind === 'TOOL' ? tool : undefined,
      }),
    );
    return plain;
  },
});

const BRAINTRUST: Readonly<Record<string, string>> = { tool: 'TOOL', llm: 'LLM' };

/** Logs of Braintrust. */
export const braintrust = spanImporter({
  name: 'braintrust',
  reads:
    'spans of Braintrust (`span_attributes.type`, `root_span_id`): exports of logs and experiments',
  sample: 'recorded, braintrust 3.35, rows merged as its API gives them',
  isSpan: (span) => typeof span.root_span_id === 'string' && isObject(span.span_attributes),
  plain: (span) => {
    const { type, name } = span.span_attributes as JsonObject;
    const kind = BRAINTRUST[textOf(type)];
    const metrics = objectOf(span.metrics);
    const tokens = {
      'llm.token_count.prompt': metrics.prompt_tokens,
      'llm.token_count.completion': metrics.completion_tokens,
    };
    const own = Array.isArray(span.span_parents) ? span.span_parents[0] : undefined;
    // Arguments are a list; the AI SDK appends its own options, with the call's id.
    const [args, more] =
      kind === 'TOOL' && Array.isArray(span.input) && isObject(span.input[0])
        ? span.input
        : [span.input];
    const call =
      isObject(more) && typeof more.toolCallId === 'string'
        ? { 'tool_call.id': more.toolCallId }
        : {};
    return plainSpan(
      { ...span, name, parent_id: own },
      asOpenInference(kind, args, span.output, {
        ...tokens,
        ...call,
        ...(kind === 'TOOL' ? { 'tool.name': name } : {}),
      }),
    );
  },
});

/** The tools that a model's answer asks for. */
function toolsAsked(output: unknown): string[] {
  const choices = isObject(output) && Array.isArray(output.choices) ? output.choices : [];
  const calls = choices.flatMap((choice) => fieldOf(objectOf(choice), 'message.tool_calls') ?? []);
  const blocks = isObject(output) && Array.isArray(output.content) ? output.content : [];
  return [...calls, ...blocks].flatMap(
    (each) => textOf(fieldOf(objectOf(each), 'function.name', 'name')) || [],
  );
}

/** Calls of Weave. */
export const weave = spanImporter({
  name: 'weave',
  reads: 'calls of Weave (`op_name`, `inputs`, `output`): a list, one a line, or `{calls}`',
  sample: 'recorded, weave 0.11, starts and ends merged as its API gives them',
  isSpan: (span) =>
    typeof span.op_name === 'string' && typeof span.trace_id === 'string' && 'inputs' in span,
  plain: (span, asked) => {
    const name = textOf(span.op_name)
      .replace(/^.*\/op\//, '')
      .replace(/:[^:]*$/, '');
    const told = textOf(fieldOf(span, 'attributes.kind', 'attributes.weave.kind')).toLowerCase();
    const isModel =
      told === 'llm' ||
      /(?:chat\.completions\.create|messages\.create|generate_content|responses\.create|litellm\.a?completion)$/i.test(
        name,
      );
    if (isModel) for (const tool of toolsAsked(span.output)) asked.add(tool);
    const isTool =
      told === 'tool' ||
      /(?:^|[._])tool(?:$|[._])/i.test(name) ||
      (told === '' && !isModel && asked.has(name));
    const kind = isTool ? 'TOOL' : isModel ? 'LLM' : told === 'agent' ? 'AGENT' : undefined;
    const { self: _, ...given } = objectOf(span.inputs);
    // Its JavaScript numbers arguments.
    const inputs = isObject(given.arg0) && Object.keys(given).length === 1 ? given.arg0 : given;
    return plainSpan(
      { ...span, name, error: span.exception },
      asOpenInference(kind, inputs, span.output, kind === 'TOOL' ? { 'tool.name': name } : {}),
    );
  },
});
