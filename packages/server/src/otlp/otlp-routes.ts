import { isObject, type JsonObject } from '@unrut/engine/json';
import type { Context } from 'hono';
import { jsonIn, mediaTypeOf, readBytes, readTextBody, takeRoom } from '../body.ts';
import { MAX_VALUES, tooMany, VALUE_BYTES } from '../json-size.ts';
import { latestTime } from '../latest-time.ts';
import { malformed, Refusal, shown } from '../problem.ts';
import { countEvents, personOf } from '../protect.ts';
import { type Reporting, report } from '../reporting.ts';
import { anything } from '../route/schema-words.ts';
import { createSlices } from '../slices.ts';
import { type Encoding, otlpProblem, otlpTaken } from './otlp-answer.ts';
import { logRequest, traceRequest } from './otlp-messages.ts';
import { type ProtobufMessage, readProtobuf } from './read-protobuf.ts';
import { partsIn } from './telemetry-part.ts';

/** The kind of request on a path. */
interface Sent {
  message: ProtobufMessage;
  /** The JSON field with the resources, and the one that counts rejected items. */
  resources: string;
  rejected: string;
}

/** Seconds after which an exporter may try again. */
const AGAIN_AFTER = '5';
/** Parts to process before yielding to other work. */
const SLICE = 500;

const otlp = anything('OTLP.');
const CONTENT = { 'application/json': otlp, 'application/x-protobuf': otlp };

const telemetryRoute = (path: string, id: string, what: string, sent: Sent) =>
  report.post(path, {
    id,
    summary: `Send OpenTelemetry ${what}, as OTLP over HTTP (JSON or protobuf, optionally gzipped).`,
    takes: CONTENT,
    content: CONTENT,
    statuses: { 200: 'Accepted; partialSuccess lists what was rejected.' },
    async handle({ context }, parts) {
      const type = mediaTypeOf(context);
      const encoding = ENCODINGS[type.toLowerCase()] ?? 'json';
      try {
        if (!Object.hasOwn(ENCODINGS, type.toLowerCase())) throw wrongType(type);
        return await takenFrom(context, encoding, sent, parts);
      } catch (error) {
        if (error instanceof Refusal) return otlpProblem(context, encoding, error);
        throw error;
      }
    },
  });

/** OpenTelemetry of agents. */
export const otlpRoutes = [
  telemetryRoute('/v1/traces', 'postTraces', 'traces', {
    message: traceRequest,
    resources: 'resourceSpans',
    rejected: 'rejectedSpans',
  }),
  telemetryRoute('/v1/logs', 'postLogs', 'logs', {
    message: logRequest,
    resources: 'resourceLogs',
    rejected: 'rejectedLogRecords',
  }),
  // Metrics describe no steps, but exporters that also send metrics should not get errors.
  telemetryRoute('/v1/metrics', 'postMetrics', 'metrics (accepted and ignored)', {
    message: {},
    resources: 'resourceMetrics',
    rejected: 'rejectedDataPoints',
  }),
];

async function takenFrom(
  context: Context,
  encoding: Encoding,
  { message, resources, rejected }: Sent,
  { telemetry, now = Date.now }: Pick<Reporting, 'telemetry' | 'now'>,
): Promise<Response> {
  const { body, bytes } = await readRequest(context, encoding, message);
  if (body[resources] !== undefined && !Array.isArray(body[resources]))
    throw malformed(`Expected ${resources} to be a list, got ${typeof body[resources]}.`);
  if (!telemetry.hasRoom()) {
    context.header('retry-after', AGAIN_AFTER);
    throw new Refusal(
      503,
      'too-much-at-once',
      'Too much is waiting to be written. Nothing was accepted; retry.',
    );
  }
  const { parts, unreadable } = await partsIn(
    { [resources]: body[resources] },
    bytes,
    latestTime(now()),
  );
  const person = personOf(context);
  countEvents(context, parts.length);
  const slices = createSlices();
  for (let i = 0; i < parts.length; i += SLICE) {
    telemetry.take(
      parts
        .slice(i, i + SLICE)
        .map((part) =>
          person === undefined ? part : { ...part, origin: { ...part.origin, person } },
        ),
    );
    await slices();
  }
  const why =
    'Expected objects with a time in Unix nanoseconds that is not in the future, and a trace or a session.';
  return otlpTaken(context, encoding, { name: rejected, count: unreadable, why });
}

const ENCODINGS: { [type: string]: Encoding } = {
  'application/json': 'json',
  'application/x-protobuf': 'protobuf',
  'application/protobuf': 'protobuf',
};

const wrongType = (type: string): Refusal =>
  new Refusal(
    415,
    'wrong-type',
    `Expected Content-Type application/json or application/x-protobuf, got ${shown(type)}. Set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf or http/json.`,
  );

/** The body as OTLP's JSON, and its size in bytes. Throws a refusal. */
async function readRequest(
  context: Context,
  encoding: Encoding,
  message: ProtobufMessage,
): Promise<{ body: JsonObject; bytes: number }> {
  const given = encoding === 'json' ? await readTextBody(context) : await readBytes(context);
  const body = typeof given === 'string' ? jsonIn(given) : protobufIn(context, given, message);
  if (isObject(body)) return { body, bytes: given.length };
  throw malformed(
    `Expected an OTLP request as ${body === undefined ? 'JSON' : 'a JSON object'}, got something else.`,
  );
}

/** Number of fields for which memory is reserved at a time. */
const MANY = 1 << 14;

function protobufIn(context: Context, bytes: Uint8Array, message: ProtobufMessage): JsonObject {
  let fields = 0;
  const count = (): void => {
    if (++fields > MAX_VALUES) throw tooMany(`at most ${MAX_VALUES} fields`);
    if (fields % MANY === 0) takeRoom(context, MANY * VALUE_BYTES);
  };
  try {
    return readProtobuf(bytes, message, count);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw malformed(
      `Expected an OTLP request as Protocol Buffers, got something else: ${(error as Error).message}.`,
    );
  }
}
