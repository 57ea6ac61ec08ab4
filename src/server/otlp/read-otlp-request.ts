import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { HonoRequest } from 'hono';
import { isObject, type JsonObject } from '../../json.ts';
import { cut } from '../../text/printable.ts';
import type { Encoding } from './otlp-answer.ts';
import { type Message, readProtobuf } from './read-protobuf.ts';

/** The body of a request in the form of OTLP's JSON and its size in bytes, or why there is none. */
export type OtlpRequest = { encoding: Encoding } & ({ body: JsonObject; bytes: number } | { status: 400 | 413 | 415; problem: string });

/** What a request should look like. */
export interface Expected {
  message: Message;
  /** Of a body once it is unpacked: a small one may be a large one in disguise. */
  mostBytes: number;
}

const ENCODINGS: { [type: string]: Encoding } = {
  'application/json': 'json',
  'application/x-protobuf': 'protobuf',
  'application/protobuf': 'protobuf',
};

/** Reads a request of an OpenTelemetry exporter. */
export async function readOtlpRequest(request: HonoRequest, { message, mostBytes }: Expected): Promise<OtlpRequest> {
  const type = (request.header('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
  const encoding = ENCODINGS[type] ?? 'json';
  if (!Object.hasOwn(ENCODINGS, type))
    return {
      encoding,
      status: 415,
      problem: `expected Content-Type application/json or application/x-protobuf, got ${shown(type)}. Set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf or http/json.`,
    };
  const packing = (request.header('content-encoding') ?? 'identity').trim().toLowerCase();
  if (packing !== 'identity' && packing !== 'gzip')
    return {
      encoding,
      status: 415,
      problem: `expected Content-Encoding gzip or none, got ${shown(packing)}. Set OTEL_EXPORTER_OTLP_COMPRESSION to gzip or none.`,
    };
  try {
    const given = Buffer.from(await request.arrayBuffer());
    const bytes = packing === 'gzip' ? await promisify(gunzip)(given, { maxOutputLength: mostBytes }) : given;
    const body = encoding === 'json' ? (JSON.parse(bytes.toString('utf8')) as unknown) : readProtobuf(bytes, message);
    if (isObject(body)) return { encoding, body, bytes: bytes.length };
    return { encoding, status: 400, problem: 'expected a request of OTLP as a JSON object, got something else.' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      return { encoding, status: 413, problem: `expected at most ${mostBytes >> 10} KB when unpacked, got more. Send smaller batches.` };
    // What a parser says may quote the body.
    const reason = encoding === 'protobuf' && packing === 'identity' ? `: ${(error as Error).message}` : '';
    return { encoding, status: 400, problem: `expected a request of OTLP as ${WORDS[encoding]}, got bytes that are none${reason}.` };
  }
}

const WORDS = { json: 'JSON', protobuf: 'Protocol Buffers' };

const shown = (header: string): string => (header === '' ? 'none' : cut(header, 80));
