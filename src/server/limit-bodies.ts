import type { MiddlewareHandler } from 'hono';
import { Refusal } from './refusal.ts';

/** How much may be sent. */
export interface BodyLimit {
  /** Bytes of one body. */
  mostBytes: number;
  /** Bytes of all bodies that are being read or worked on. */
  mostUnderWay: number;
}

/** Bytes of a body that counts from the beginning. A larger one counts as it comes, so that nobody takes room with what he only announces. */
const SMALL = 1 << 16;

/** Refuses bodies that are too large, and those that are too much together with the others under way. */
export function limitBodies({ mostBytes, mostUnderWay }: BodyLimit): MiddlewareHandler {
  let underWay = 0;
  return async (context, next) => {
    const { raw } = context.req;
    let taken = 0;
    const take = (bytes: number): void => {
      if (underWay + bytes > mostUnderWay) {
        context.header('retry-after', '1');
        const most = Math.floor(mostUnderWay / 1024);
        throw new Refusal(503, 'too-much-at-once', `Too much at once: at most ${most} KB from all senders together. Retry in 1 s.`);
      }
      underWay += bytes;
      taken += bytes;
    };
    const length = raw.headers.has('transfer-encoding') ? undefined : Number(raw.headers.get('content-length') ?? 0);
    try {
      if (length !== undefined && length > mostBytes) throw tooLarge(mostBytes);
      const isPacked = raw.headers.has('content-encoding');
      if (length !== undefined && length <= SMALL && !isPacked) take(length);
      else if (raw.body) {
        const pieces = await readAll(raw.body, mostBytes, take);
        if (isPacked) take(Math.min(mostBytes, unpackedSize(pieces)));
        context.req.raw = new Request(raw, { body: inPieces(pieces), duplex: 'half' } as RequestInit);
      }
      await next();
    } finally {
      underWay -= taken;
    }
  };
}

const tooLarge = (mostBytes: number): Refusal =>
  new Refusal(413, 'too-large', `Expected a body of at most ${Math.floor(mostBytes / 1024)} KB, got more. It was not processed.`);

async function readAll(body: ReadableStream<Uint8Array>, mostBytes: number, take: (bytes: number) => void): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > mostBytes) throw tooLarge(mostBytes);
    take(piece.length);
    pieces.push(piece);
  }
  return pieces;
}

/** As gzip says it in its last four bytes. */
function unpackedSize(pieces: readonly Uint8Array[]): number {
  const end = Buffer.concat(pieces.slice(-4)).subarray(-4);
  return end.length === 4 ? end.readUInt32LE() : 0;
}

/** Each piece is let go as it is read. */
const inPieces = (pieces: Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
