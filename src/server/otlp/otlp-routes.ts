import { type Context, Hono } from 'hono';
import { latestTime } from '../latest-time.ts';
import { otlpProblem, otlpTaken } from './otlp-answer.ts';
import { logRequest, traceRequest } from './otlp-messages.ts';
import { readOtlpRequest } from './read-otlp-request.ts';
import type { Message } from './read-protobuf.ts';
import { createTelemetry, type TelemetryOptions } from './telemetry.ts';
import { partsIn } from './telemetry-part.ts';

export interface OtlpOptions extends TelemetryOptions {
  /** Bytes of a body when it is unpacked. Default: 32 MB. */
  mostBytes?: number;
}

/** What is sent to a path. */
interface Sent {
  message: Message;
  /** Where its JSON has them, and how a count of those that were not taken is called there. */
  resources: string;
  rejected: string;
}

const MOST_BYTES = 32 << 20;
/** Seconds after which an exporter may try again. */
const AGAIN_AFTER = '5';

/** `POST /v1/traces`, `/v1/logs` and `/v1/metrics`: OpenTelemetry of agents. `close` observes what has not been observed yet. */
export function otlpRoutes({ mostBytes = MOST_BYTES, now = Date.now, ...options }: OtlpOptions): { app: Hono; close(): Promise<void> } {
  const telemetry = createTelemetry({ now, ...options });

  const take =
    ({ message, resources, rejected }: Sent) =>
    async (context: Context): Promise<Response> => {
      const request = await readOtlpRequest(context.req, { message, mostBytes });
      const { encoding } = request;
      if ('problem' in request) return otlpProblem(context, encoding, request.status, request.problem);
      const { body, bytes } = request;
      if (body[resources] !== undefined && !Array.isArray(body[resources]))
        return otlpProblem(context, encoding, 400, `expected ${resources} as a list, got ${typeof body[resources]}.`);
      if (!telemetry.hasRoom()) {
        context.header('retry-after', AGAIN_AFTER);
        return otlpProblem(context, encoding, 503, 'too much is waiting to be written. Nothing of this was taken; send it again.');
      }
      const { parts, unreadable } = partsIn({ [resources]: body[resources] }, bytes, latestTime(now()));
      telemetry.take(parts);
      const why = 'expected objects with a time that is not in the future, and with a trace or a session that they belong to.';
      return otlpTaken(context, encoding, { name: rejected, count: unreadable, why });
    };

  const app = new Hono();
  app.post('/v1/traces', take({ message: traceRequest, resources: 'resourceSpans', rejected: 'rejectedSpans' }));
  app.post('/v1/logs', take({ message: logRequest, resources: 'resourceLogs', rejected: 'rejectedLogRecords' }));
  // Metrics tell of no step. Exporters that send them along should not have to be told.
  app.post('/v1/metrics', take({ message: {}, resources: 'resourceMetrics', rejected: 'rejectedDataPoints' }));
  return { app, close: () => telemetry.close() };
}
