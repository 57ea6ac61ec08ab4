import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { PbfWriter } from 'pbf';
import { noteRefusal, type Refusal } from '../problem.ts';

/** The encoding of a request, also used for its answer. */
export type Encoding = 'json' | 'protobuf';

const CONTENT_TYPE = { json: 'application/json', protobuf: 'application/x-protobuf' };

/** The rejected items of a request. */
export interface Rejected {
  /** As OTLP's JSON names the count: `rejectedSpans`, `rejectedLogRecords`. */
  name: string;
  count: number;
  why: string;
}

/** The answer to an accepted request, which may have rejected items. */
export function otlpTaken(
  context: Context,
  encoding: Encoding,
  { name, count, why }: Rejected,
): Response {
  const all = count === 0;
  if (encoding === 'json')
    return context.json(
      all ? {} : { partialSuccess: { [name]: String(count), errorMessage: why } },
      200,
      {
        'content-type': CONTENT_TYPE.json,
      },
    );
  const writer = new PbfWriter();
  const partial = (_: undefined, inner: PbfWriter): void => {
    inner.writeVarintField(1, count);
    inner.writeStringField(2, why);
  };
  if (!all) writer.writeMessage(1, partial, undefined);
  return sent(context, writer, 200);
}

/**
 * The answer to a rejected request: one line with the expected input, the actual one and advice, as
 * OTLP's `Status`.
 */
export function otlpProblem(context: Context, encoding: Encoding, refusal: Refusal): Response {
  const { status } = refusal;
  const message = noteRefusal(context, refusal.code, refusal.message);
  const code = RPC_CODES[status] ?? UNKNOWN;
  if (encoding === 'json')
    return context.json({ code, message }, status, { 'content-type': CONTENT_TYPE.json });
  const writer = new PbfWriter();
  writer.writeVarintField(1, code);
  writer.writeStringField(2, message);
  return sent(context, writer, status);
}

/** Codes of `google.rpc`: invalid argument, resource exhausted, unavailable. */
const RPC_CODES: { [status: number]: number } = { 400: 3, 413: 8, 415: 3, 503: 14 };
const UNKNOWN = 2;

const sent = (context: Context, writer: PbfWriter, status: ContentfulStatusCode): Response =>
  context.body(writer.finish().slice(), status, { 'content-type': CONTENT_TYPE.protobuf });
