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

/**
 * The server's traces of its own work. No span has arguments, names
 * of sessions or texts.
 */
export interface Traces {
  /** A span for each request; it belongs to the trace that `traceparent` names. */
  middleware: MiddlewareHandler;
  /** A span for a part of the request that is being worked on. */
  span<T>(name: string, work: () => T): T;
  /** Sends what has not been sent. */
  close(): Promise<void>;
}

/** For servers that nobody traces. */
export const noTraces: Traces = {
  middleware: (_, next) => next(),
  span: (_, work) => work(),
  close: async () => undefined,
};

/**
 * Traces by OpenTelemetry. Where `OTEL_EXPORTER_OTLP_ENDPOINT` is set, they are sent there;
 * elsewhere they go to the provider that somebody has registered in this process, if any. Nothing
 * where OpenTelemetry is not installed; `log` is told if it should be.
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

/** The exporter reads the usual variables of OpenTelemetry itself. */
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
      // Only work that belongs to a request is traced.
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

/** Says how work ended, at once or later. */
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
 * A recorder whose steps have spans, with what the guard does in them. Others may run a step that
 * was asked for here.
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
