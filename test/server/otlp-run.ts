import { type AttributeValue, context, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPLogExporter as LogsByJson } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as LogsByProtobuf } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter as SpansByJson } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as SpansByProtobuf } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  type ReadableLogRecord,
  SimpleLogRecordProcessor,
} from '@opentelemetry/sdk-logs';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** A tool call of an agent that is watched by OpenTelemetry. */
export interface ToldCall {
  tool: string;
  args: unknown;
  result?: string;
  error?: string;
}

/** How a library writes a call down. */
export type Convention = (call: ToldCall & { id: string; session: string }) => {
  name: string;
  attributes: Record<string, AttributeValue>;
};

/** Attributes that hold nothing are left out. */
const told = (
  attributes: Record<string, AttributeValue | undefined>,
): Record<string, AttributeValue> =>
  Object.fromEntries(
    Object.entries(attributes).filter(
      (entry): entry is [string, AttributeValue] => entry[1] !== undefined,
    ),
  );

/** The ways in which calls are written down, after the documentation of each. */
export const CONVENTIONS: Record<string, Convention> = {
  'the GenAI conventions': ({ tool, args, result, id, session }) => ({
    name: `execute_tool ${tool}`,
    attributes: told({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.arguments': JSON.stringify(args),
      'gen_ai.tool.call.result': result,
      'gen_ai.conversation.id': session,
    }),
  }),
  'older names of these': ({ tool, args, result, session }) => ({
    name: tool,
    attributes: told({
      'gen_ai.system': 'openai',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.arguments': JSON.stringify(args),
      'gen_ai.tool.result': result,
      'session.id': session,
    }),
  }),
  OpenInference: ({ tool, args, result, id, session }) => ({
    name: tool,
    attributes: told({
      'openinference.span.kind': 'TOOL',
      'tool.name': tool,
      'tool.id': id,
      'input.value': JSON.stringify(args),
      'output.value': result,
      'output.mime_type': result === undefined ? undefined : 'text/plain',
      'session.id': session,
    }),
  }),
  'the AI SDK': ({ tool, args, result, id, session }) => ({
    name: 'ai.toolCall',
    attributes: told({
      'ai.operationId': 'ai.toolCall',
      'ai.toolCall.name': tool,
      'ai.toolCall.id': id,
      'ai.toolCall.args': JSON.stringify(args),
      'ai.toolCall.result': result === undefined ? undefined : JSON.stringify(result),
      'ai.telemetry.metadata.sessionId': session,
    }),
  }),
  Langfuse: ({ tool, args, result, error, session }) => ({
    name: tool,
    attributes: told({
      'langfuse.observation.type': 'tool',
      'langfuse.observation.input': JSON.stringify(args),
      'langfuse.observation.output': result,
      'langfuse.observation.level': error === undefined ? undefined : 'ERROR',
      'langfuse.observation.status_message': error,
      'langfuse.session.id': session,
    }),
  }),
};

const AT = Date.UTC(2026, 0, 1);
const resource = resourceFromAttributes({ 'service.name': 'weather-agent' });
/** Milliseconds from one call to the next, and of each. */
const EVERY = 5000;
const TAKES = 800;

let runs = 0;

/**
 * The spans of an agent that made these calls one after the other: one of each call, and one around
 * all, which ends last.
 */
export function spansOf(
  convention: Convention,
  session: string,
  calls: readonly ToldCall[],
): ReadableSpan[] {
  const exporter = new InMemorySpanExporter();
  const tracer = new TracerProvider({
    resource,
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  }).getTracer('agent');
  const start = AT + runs++ * 3_600_000;
  const agent = tracer.startSpan('invoke_agent', {
    startTime: start,
    attributes: { 'gen_ai.operation.name': 'invoke_agent' },
  });
  for (const [i, call] of calls.entries()) {
    const { name, attributes } = convention({ ...call, id: `call_${runs}x${i}`, session });
    const startTime = start + EVERY * (i + 1);
    const span = tracer.startSpan(
      name,
      { startTime, attributes },
      trace.setSpan(context.active(), agent),
    );
    if (call.error !== undefined)
      span.setStatus({ code: SpanStatusCode.ERROR, message: call.error });
    span.end(startTime + TAKES);
  }
  agent.end(start + EVERY * (calls.length + 1));
  return exporter.getFinishedSpans();
}

/** The log records that a coding agent writes of the same. */
export function logsOf(
  program: string,
  session: string,
  calls: readonly ToldCall[],
): ReadableLogRecord[] {
  const exporter = new InMemoryLogRecordExporter();
  const logger = new LoggerProvider({
    resource,
    processors: [new SimpleLogRecordProcessor({ exporter })],
  }).getLogger('agent');
  const start = AT + runs++ * 3_600_000;
  for (const [i, { tool, args, result, error }] of calls.entries()) {
    const attributes = {
      'event.name': 'tool_result',
      'session.id': session,
      'event.sequence': i,
      tool_name: tool,
      tool_use_id: `toolu_${runs}x${i}`,
      success: String(error === undefined),
      duration_ms: String(TAKES),
      tool_input: JSON.stringify(args),
      ...(error === undefined ? {} : { error }),
      ...(result === undefined ? {} : { output: result }),
    };
    logger.emit({
      timestamp: start + EVERY * (i + 1) + TAKES,
      body: `${program}.tool_result`,
      attributes,
    });
  }
  return exporter.getFinishedLogRecords();
}

/** The ways in which telemetry is sent. */
export const WIRES = ['JSON', 'JSON with gzip', 'protobuf', 'protobuf with gzip'] as const;
export type Wire = (typeof WIRES)[number];

const compressionOf = (wire: Wire): never => (wire.endsWith('gzip') ? 'gzip' : 'none') as never;

/** Sends spans as OpenTelemetry's own exporter does. Throws unless the server takes all of them. */
export function sendSpans(url: string, wire: Wire, spans: ReadableSpan[]): Promise<void> {
  const Exporter = wire.startsWith('JSON') ? SpansByJson : SpansByProtobuf;
  return sendBy(new Exporter({ url: `${url}/v1/traces`, compression: compressionOf(wire) }), spans);
}

/** The same for log records. */
export function sendLogs(url: string, wire: Wire, records: ReadableLogRecord[]): Promise<void> {
  const Exporter = wire.startsWith('JSON') ? LogsByJson : LogsByProtobuf;
  return sendBy(new Exporter({ url: `${url}/v1/logs`, compression: compressionOf(wire) }), records);
}

interface Exporter<Item> {
  export(items: Item[], done: (result: { code: number; error?: Error }) => void): void;
  shutdown(): Promise<void>;
}

async function sendBy<Item>(exporter: Exporter<Item>, items: Item[]): Promise<void> {
  const { code, error } = await new Promise<{ code: number; error?: Error }>((resolve) =>
    exporter.export(items, resolve),
  );
  await exporter.shutdown();
  if (code !== 0) throw error ?? new Error(`The exporter gave up with ${code}.`);
}
