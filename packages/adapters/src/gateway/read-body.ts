import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import * as zlib from 'node:zlib';

/**
 * Bytes of a body that is read: as large as what `unrut serve` takes. A larger one passes unread.
 */
const MAX_BYTES = 32 << 20;
/** Bytes of all bodies that are held at once. */
const MAX_UNDER_WAY = 128 << 20;

/** Reads bodies, as long as there is room for them. */
export function createBodyReader() {
  let underWay = 0;
  /**
   * The whole body; if it is too large, the received part and the rest of the stream. `done`
   * releases its memory.
   */
  return async (stream: IncomingMessage): Promise<{ body: Buffer | Readable; done(): void }> => {
    const pieces: Buffer[] = [];
    let size = 0;
    const done = (): void => {
      underWay -= size;
      size = 0;
    };
    const rest = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      pieces.push(next.value);
      size += next.value.length;
      underWay += next.value.length;
      if (size <= MAX_BYTES && underWay <= MAX_UNDER_WAY) continue;
      done();
      return { body: Readable.from(chained(pieces, rest), { objectMode: false }), done };
    }
    return { body: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces), done };
  };
}

async function* chained(
  pieces: readonly Buffer[],
  rest: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  yield* pieces;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

type Unpack = (bytes: Buffer, limit: { maxOutputLength: number }) => Buffer;

/** The last is not there in Node before 22.15. */
const UNPACK: Readonly<Record<string, Unpack | undefined>> = {
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync as Unpack | undefined,
};

/** The text of a body. Throws when it is packed in a way that is not known. */
export function bodyText(bytes: Buffer, encoding = 'identity'): string {
  const name = encoding.trim().toLowerCase();
  if (name === 'identity' || name === '') return bytes.toString();
  const unpack = UNPACK[name];
  if (!unpack)
    throw new Error(`expected a body packed with ${Object.keys(UNPACK).join(', ')}, got another`);
  return unpack(bytes, { maxOutputLength: MAX_BYTES }).toString();
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const { rawJSON } = JSON as unknown as { rawJSON?: (text: string) => unknown };

/**
 * JSON whose numbers are written again as they were, also those that a number of JavaScript cannot
 * hold.
 */
export function exactly(text: string): unknown {
  const exact: Reviver = (_, value, { source }) =>
    typeof value === 'number' && rawJSON && source !== undefined && String(value) !== source
      ? rawJSON(source)
      : value;
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown);
}
