import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context as TraceContext, Tracer } from '@opentelemetry/api';
import { errorReason } from '@unrut/engine/redact/reason';
import { importPeer } from '@unrut/ledger/import-peer';
import type { Recorder } from '@unrut/ledger/recorder';
import type { RecordingTransaction } from '@unrut/ledger/recording-transaction';
import type { MiddlewareHandler } from 'hono';
import { routeOf } from './request-meter.ts';

type Api = typeof import('@opentelemetry/api');

const PACKAGES =
  '@opentelemetry/api @opentelemetry/sdk-trace @opentelemetry/exporter-trace-otlp-http @opentelemetry/resources';

/** Traces of the server's own work. Spans contain no arguments, session names or texts. */
export interface Traces {
  /** Adds a span for each request, within the trace in `traceparent`. */
  middleware: MiddlewareHandler;
  /** Adds a span for a part of the current request. */
  span<T>(name: string, work: () => T): T;
  /** Sends pending spans. */
  close(): Promise<void>;
}

/** Used if tracing is off. */
export const noTraces: Traces = {
  middleware: (_, next) => next(),
  span: (_, work) => work(),
  close: async () => undefined,
};

/**
 * OpenTelemetry traces. If `OTEL_EXPORTER_OTLP_ENDPOINT` is set, they are sent there; otherwise to
 * the provider registered in this process, if any. Undefined if OpenTelemetry is not installed;
 * this is logged if the variable is set.
 */
export async function openTraces(
  environment: NodeJS.ProcessEnv,
  version: string,
  log: (detail: string) => void,
): Promise<Traces> {
  const isWanted = Boolean(environment.OTEL_EXPORTER_OTLP_ENDPOINT);
  try {
    const api = await importPeer<Api>('@opentelemetry/api', 'traces', PACKAGES);
    const provider = isWanted ? await startProvider(version) : undefined;
    const tracer = (provider ?? api.trace).getTracer('unrut', version);
    return createTraces(api, tracer, async () => provider?.shutdown());
  } catch (error) {
    if (isWanted) log(errorReason(error));
    return noTraces;
  }
}

/** The exporter itself reads OpenTelemetry's variables. */
async function startProvider(version: string) {
  const peer = <T>(name: string): Promise<T> => importPeer<T>(name, 'traces', PACKAGES);
  const { TracerProvider, BatchSpanProcessor } = await peer<
    typeof import('@opentelemetry/sdk-trace')
  >('@opentelemetry/sdk-trace');
  const { OTLPTraceExporter } = await peer<
    typeof import('@opentelemetry/exporter-trace-otlp-http')
  >('@opentelemetry/exporter-trace-otlp-http');
  const { defaultResource, resourceFromAttributes } = await peer<
    typeof import('@opentelemetry/resources')
  >('@opentelemetry/resources');
  const own = resourceFromAttributes({
    'service.version': version,
    ...(process.env.OTEL_SERVICE_NAME ? {} : { 'service.name': 'unrut' }),
  });
  return new TracerProvider({
    resource: defaultResource().merge(own),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
}

function createTraces(
  { trace, ROOT_CONTEXT, SpanKind, SpanStatusCode }: Api,
  tracer: Tracer,
  close: () => Promise<void>,
): Traces {
  const current = new AsyncLocalStorage<TraceContext>();
  return {
    async middleware(context, next) {
      const remote = parentOf(context.req.header('traceparent'));
      const parent = remote
        ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true })
        : ROOT_CONTEXT;
      const span = tracer.startSpan(context.req.method, { kind: SpanKind.SERVER }, parent);
      try {
        await current.run(trace.setSpan(parent, span), next);
      } finally {
        const route = routeOf(context);
        const { status } = context.res;
        span.updateName(`${context.req.method} ${route}`);
        span.setAttributes({
          'http.request.method': context.req.method,
          'http.route': route,
          'http.response.status_code': status,
        });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      }
    },
    span(name, work) {
      const parent = current.getStore();
      // Work outside a request is not traced.
      if (!parent) return work();
      const span = tracer.startSpan(name, {}, parent);
      const end = (code: number): void => {
        span.setStatus({ code });
        span.end();
      };
      return whenDone(
        () => current.run(trace.setSpan(parent, span), work),
        (isDone) => end(isDone ? SpanStatusCode.UNSET : SpanStatusCode.ERROR),
      );
    },
    close,
  };
}

/** Reports whether work succeeded, synchronously or later. */
function whenDone<T>(work: () => T, told: (isDone: boolean) => void): T {
  try {
    const value = work();
    if (value instanceof Promise)
      value.then(
        () => told(true),
        () => told(false),
      );
    else told(true);
    return value;
  } catch (error) {
    told(false);
    throw error;
  }
}

const PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/;

/** Of `traceparent`: version, trace, span, flags. */
function parentOf(
  header = '',
): { traceId: string; spanId: string; traceFlags: number } | undefined {
  const [, traceId, spanId, flags] = PARENT.exec(header) ?? [];
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags!, 16) };
}

/**
 * A recorder that adds spans for transactions and for the guard. A transaction requested by one
 * request may run within another.
 */
export const tracedSteps = (
  { transaction }: Pick<Recorder, 'transaction'>,
  { span }: Traces,
): Pick<Recorder, 'transaction'> => ({
  transaction: (about, work) =>
    span('step', () =>
      transaction(
        about,
        AsyncLocalStorage.bind((given: RecordingTransaction) => span('think', () => work(given))),
      ),
    ),
});
