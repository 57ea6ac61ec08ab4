import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { parseValue } from '@unrut/engine/schema/problems';
import type { Context, MiddlewareHandler } from 'hono';
import type { GenericSchema, InferOutput } from 'valibot';
import { checkJsonSize } from './json-size.ts';
import { malformed, Refusal, shown } from './problem.ts';

/** Limits on request bodies. */
export interface BodyLimit {
  /**
   * Max bytes of one body, compressed and decompressed. Default: 32 MB, since hooks include tool
   * results.
   */
  mostBytes?: number;
  /** Max bytes of memory for all bodies in progress, including parsed values. Default: 128 MB. */
  mostUnderWay?: number;
}

/** A request's share of that memory; released when the response is sent. */
interface Share {
  mostBytes: number;
  take(bytes: number): void;
}

const MAX_BYTES = 32 << 20;
const MAX_UNDER_WAY = 128 << 20;
/**
 * Bodies up to this size are counted in full at once. Larger ones are counted as they arrive, so
 * that an announced length alone reserves no memory.
 */
const SMALL = 1 << 16;
const SHARE = 'share';

/**
 * Counts all bodies; rejects those that are too large, or too large together with other requests in
 * progress.
 */
export function createBodies({
  mostBytes = MAX_BYTES,
  mostUnderWay = MAX_UNDER_WAY,
}: BodyLimit = {}): {
  middleware: MiddlewareHandler;
  underWay(): number;
} {
  let underWay = 0;
  const middleware: MiddlewareHandler = async (context, next) => {
    let taken = 0;
    const take = (bytes: number): void => {
      if (underWay + bytes > mostUnderWay) {
        context.header('retry-after', '1');
        const most = Math.floor(mostUnderWay / 1024);
        throw new Refusal(
          503,
          'too-much-at-once',
          `Too much at once: at most ${most} KB from all senders together. Retry in 1 s.`,
        );
      }
      underWay += bytes;
      taken += bytes;
    };
    if ((announced(context) ?? 0) > mostBytes) throw tooLarge(mostBytes);
    context.set(SHARE, { mostBytes, take } satisfies Share);
    try {
      await next();
    } finally {
      underWay -= taken;
    }
  };
  return { middleware, underWay: () => underWay };
}

/** Reserves memory for parsing a body. Throws a refusal if there is not enough. */
export const takeRoom = (context: Context, bytes: number): void => shareOf(context).take(bytes);

/** The decompressed bytes of a body. Throws a refusal. */
export async function readBytes(context: Context): Promise<Buffer> {
  const { raw } = context.req;
  const share = shareOf(context);
  const isPacked = isGzip(context);
  const length = announced(context);
  if (!isPacked && length !== undefined && length <= SMALL) {
    share.take(length);
    return Buffer.from(await context.req.arrayBuffer());
  }
  if (!raw.body) return Buffer.alloc(0);
  if (!isPacked) return Buffer.concat(await collected(raw.body, share));
  let pieces: Buffer[] = [];
  try {
    await pipeline(
      Readable.from(limited(raw.body, share)),
      createGunzip(),
      async (unpacked: AsyncIterable<Buffer>) => {
        pieces = await collected(unpacked, share);
      },
    );
  } catch (error) {
    if (error instanceof Refusal || !(error as NodeJS.ErrnoException).code?.startsWith('Z_'))
      throw error;
    throw malformed('Expected a body in gzip, as its Content-Encoding says, got something else.');
  }
  return Buffer.concat(pieces);
}

/** The text of a body, after checking its number of values. Throws a refusal. */
export async function readTextBody(context: Context): Promise<string> {
  const length = announced(context);
  const isSmall = length !== undefined && length <= SMALL && !isGzip(context);
  if (isSmall) shareOf(context).take(length);
  const text = isSmall ? await context.req.text() : (await readBytes(context)).toString('utf8');
  await checkJsonSize(text, (bytes) => takeRoom(context, bytes));
  return text;
}

/** JSON types, a missing type, and the type that `curl -d` sends. */
const JSON_TYPE =
  /^(?:$|application\/(?:[\w.+-]*json[\w-]*|x-www-form-urlencoded|octet-stream)$|text\/)/;

/** The parsed body; undefined if it is not JSON. Throws a refusal. */
export async function readJsonBody(context: Context): Promise<unknown> {
  expectJson(context);
  return jsonIn(await readTextBody(context));
}

/** The body, validated by a schema. Throws a refusal. */
export const readBodyAs = async <Schema extends GenericSchema>(
  context: Context,
  schema: Schema,
): Promise<InferOutput<Schema>> => parseValue(schema, await readJsonBody(context), malformed);

/** Parses JSON; undefined if the text is invalid. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The media type as it was sent, since redaction might not recognise a secret in other letter case.
 */
export const mediaTypeOf = (context: Context): string =>
  (context.req.header('content-type') ?? '').split(';', 1)[0]!.trim();

/** Throws a refusal if the declared type is not JSON. */
export function expectJson(context: Context): void {
  const type = mediaTypeOf(context);
  if (!JSON_TYPE.test(type.toLowerCase()))
    throw new Refusal(
      415,
      'wrong-type',
      `Expected Content-Type application/json, got ${shown(type)}.`,
    );
}

const shareOf = (context: Context): Share =>
  context.get(SHARE) ?? { mostBytes: MAX_BYTES, take: () => undefined };

/** The declared length of the body. */
function announced(context: Context): number | undefined {
  if (context.req.header('transfer-encoding') !== undefined) return undefined;
  return Number(context.req.header('content-length') ?? 0);
}

function isGzip(context: Context): boolean {
  const packing = (context.req.header('content-encoding') ?? 'identity').trim().toLowerCase();
  if (packing === 'gzip' || packing === 'identity') return packing === 'gzip';
  context.header('accept-encoding', 'gzip');
  throw new Refusal(
    415,
    'wrong-encoding',
    `Expected Content-Encoding gzip or none, got ${shown(packing)}.`,
  );
}

async function* limited(
  pieces: AsyncIterable<Uint8Array>,
  { mostBytes, take }: Share,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > mostBytes) throw tooLarge(mostBytes);
    take(piece.length);
    yield piece;
  }
}

async function collected(pieces: AsyncIterable<Uint8Array>, share: Share): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const piece of limited(pieces, share))
    all.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
  return all;
}

const tooLarge = (mostBytes: number): Refusal =>
  new Refusal(
    413,
    'too-large',
    `Expected a body of at most ${Math.floor(mostBytes / 1024)} KB, got more. It was not processed.`,
  );
