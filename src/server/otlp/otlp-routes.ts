import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Context, Hono, type HonoRequest } from 'hono';
import { isObject, type JsonObject } from '../../json.ts';
import { cut } from '../../text/printable.ts';
import { latestTime } from '../latest-time.ts';
import { type Encoding, otlpProblem, otlpTaken } from './otlp-answer.ts';
import { logRequest, traceRequest } from './otlp-messages.ts';
import { type ProtobufMessage, readProtobuf } from './read-protobuf.ts';
import { createTelemetry, type TelemetryOptions } from './telemetry.ts';
import { partsIn } from './telemetry-part.ts';

export interface OtlpOptions extends TelemetryOptions {
  /** Bytes of a body when it is unpacked. Default: 32 MB. */
  mostBytes?: number;
}

/** What is sent to a path. */
interface Sent {
  message: ProtobufMessage;
  /** Where its JSON has them, and how a count of those that were not taken is called there. */
  resources: string;
  rejected: string;
}

const MAX_BYTES = 32 << 20;
/** Seconds after which an exporter may try again. */
const AGAIN_AFTER = '5';

/** `POST /v1/traces`, `/v1/logs` and `/v1/metrics`: OpenTelemetry of agents. `close` observes what has not been observed yet. */
export function otlpRoutes({ mostBytes = MAX_BYTES, now = Date.now, ...options }: OtlpOptions): { app: Hono; close(): Promise<void> } {
  const telemetry = createTelemetry({ now, ...options });

  const take =
    ({ message, resources, rejected }: Sent) =>
    async (context: Context): Promise<Response> => {
      const request = await readOtlpRequest(context.req, { message, mostBytes });
      const { encoding } = request;
      if ('problem' in request) return otlpProblem(context, encoding, request.status, request.problem);
      const { body, bytes } = request;
      if (body[resources] !== undefined && !Array.isArray(body[resources]))
        return otlpProblem(context, encoding, 400, `Expected ${resources} to be a list, got ${typeof body[resources]}.`);
      if (!telemetry.hasRoom()) {
        context.header('retry-after', AGAIN_AFTER);
        return otlpProblem(context, encoding, 503, 'Too much is waiting to be written. Nothing was accepted; retry.');
      }
      const { parts, unreadable } = partsIn({ [resources]: body[resources] }, bytes, latestTime(now()));
      telemetry.take(parts);
      const why = 'Expected objects with a time that is not in the future, and a trace or a session.';
      return otlpTaken(context, encoding, { name: rejected, count: unreadable, why });
    };

  const app = new Hono();
  app.post('/v1/traces', take({ message: traceRequest, resources: 'resourceSpans', rejected: 'rejectedSpans' }));
  app.post('/v1/logs', take({ message: logRequest, resources: 'resourceLogs', rejected: 'rejectedLogRecords' }));
  // Metrics tell of no step. Exporters that send them along should not have to be told.
  app.post('/v1/metrics', take({ message: {}, resources: 'resourceMetrics', rejected: 'rejectedDataPoints' }));
  return { app, close: () => telemetry.close() };
}

/** The body of a request in the form of OTLP's JSON and its size in bytes, or why there is none. */
type OtlpRequest = { encoding: Encoding } & ({ body: JsonObject; bytes: number } | { status: 400 | 413 | 415; problem: string });

/** What a request should look like. */
interface Expected {
  message: ProtobufMessage;
  /** Of a body once it is unpacked: a small one may be a large one in disguise. */
  mostBytes: number;
}

const ENCODINGS: { [type: string]: Encoding } = {
  'application/json': 'json',
  'application/x-protobuf': 'protobuf',
  'application/protobuf': 'protobuf',
};

/** Reads a request of an OpenTelemetry exporter. */
async function readOtlpRequest(request: HonoRequest, { message, mostBytes }: Expected): Promise<OtlpRequest> {
  const type = (request.header('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
  const encoding = ENCODINGS[type] ?? 'json';
  if (!Object.hasOwn(ENCODINGS, type))
    return {
      encoding,
      status: 415,
      problem: `Expected Content-Type application/json or application/x-protobuf, got ${shown(type)}. Set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf or http/json.`,
    };
  const packing = (request.header('content-encoding') ?? 'identity').trim().toLowerCase();
  if (packing !== 'identity' && packing !== 'gzip')
    return {
      encoding,
      status: 415,
      problem: `Expected Content-Encoding gzip or none, got ${shown(packing)}. Set OTEL_EXPORTER_OTLP_COMPRESSION to gzip or none.`,
    };
  try {
    const given = Buffer.from(await request.arrayBuffer());
    const bytes = packing === 'gzip' ? await promisify(gunzip)(given, { maxOutputLength: mostBytes }) : given;
    const body = encoding === 'json' ? (JSON.parse(bytes.toString('utf8')) as unknown) : readProtobuf(bytes, message);
    if (isObject(body)) return { encoding, body, bytes: bytes.length };
    return { encoding, status: 400, problem: 'Expected an OTLP request as a JSON object, got something else.' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      return { encoding, status: 413, problem: `Expected at most ${mostBytes >> 10} KB uncompressed, got more. Send smaller batches.` };
    // What a parser says may quote the body.
    const reason = encoding === 'protobuf' && packing === 'identity' ? `: ${(error as Error).message}` : '';
    return { encoding, status: 400, problem: `Expected an OTLP request as ${WORDS[encoding]}, got something else${reason}.` };
  }
}

const WORDS = { json: 'JSON', protobuf: 'Protocol Buffers' };

const shown = (header: string): string => (header === '' ? 'none' : cut(header, 80));
