import { isObject, type JsonObject } from '@unrut/engine/json';
import { type Context, Hono } from 'hono';
import { jsonIn, mediaTypeOf, readBytes, readTextBody, takeRoom } from '../body.ts';
import { MAX_VALUES, tooMany, VALUE_BYTES } from '../json-size.ts';
import { latestTime } from '../latest-time.ts';
import { malformed, Refusal, shown } from '../problem.ts';
import { countEvents, personOf } from '../protect.ts';
import { createSlices } from '../slices.ts';
import { type Encoding, otlpProblem, otlpTaken } from './otlp-answer.ts';
import { logRequest, traceRequest } from './otlp-messages.ts';
import { type ProtobufMessage, readProtobuf } from './read-protobuf.ts';
import { createTelemetry, type TelemetryOptions } from './telemetry.ts';
import { partsIn } from './telemetry-part.ts';

/** What is sent to a path. */
interface Sent {
  message: ProtobufMessage;
  /** Where its JSON has them, and how a count of those that were not taken is called there. */
  resources: string;
  rejected: string;
}

/** Seconds after which an exporter may try again. */
const AGAIN_AFTER = '5';
/** Parts that are taken before others get a turn. */
const SLICE = 500;

/**
 * `POST /v1/traces`, `/v1/logs` and `/v1/metrics`: OpenTelemetry of agents. `close` observes what
 * has not been observed yet.
 */
export function otlpRoutes(options: TelemetryOptions): { app: Hono; close(): Promise<void> } {
  const { now = Date.now } = options;
  const telemetry = createTelemetry(options);

  async function takenFrom(
    context: Context,
    encoding: Encoding,
    { message, resources, rejected }: Sent,
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
    const why = 'Expected objects with a time that is not in the future, and a trace or a session.';
    return otlpTaken(context, encoding, { name: rejected, count: unreadable, why });
  }

  const take = (sent: Sent) => async (context: Context) => {
    const type = mediaTypeOf(context);
    const encoding = ENCODINGS[type.toLowerCase()] ?? 'json';
    try {
      if (!Object.hasOwn(ENCODINGS, type.toLowerCase())) throw wrongType(type);
      return await takenFrom(context, encoding, sent);
    } catch (error) {
      if (error instanceof Refusal) return otlpProblem(context, encoding, error);
      throw error;
    }
  };

  const app = new Hono();
  app.post(
    '/v1/traces',
    take({ message: traceRequest, resources: 'resourceSpans', rejected: 'rejectedSpans' }),
  );
  app.post(
    '/v1/logs',
    take({ message: logRequest, resources: 'resourceLogs', rejected: 'rejectedLogRecords' }),
  );
  // Metrics tell of no step. Exporters that send them along should not have to be told.
  app.post(
    '/v1/metrics',
    take({ message: {}, resources: 'resourceMetrics', rejected: 'rejectedDataPoints' }),
  );
  return { app, close: () => telemetry.close() };
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

/** The body of a request in the form of OTLP's JSON, and its size in bytes. Throws a refusal. */
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

/** Fields for which room is taken at once. */
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
