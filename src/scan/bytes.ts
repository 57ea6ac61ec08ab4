import { closeSync, createReadStream, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { eventFiles } from './find-files.ts';

const CHUNK = 1 << 20;

/** What the first bytes say that a file is. */
export type Kind = 'text' | 'database' | 'archive' | 'binary';

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
const SQLITE = 'SQLite format 3\u0000';

export function kindOf(bytes: Buffer): Kind {
  if (bytes.subarray(0, SQLITE.length).toString('latin1') === SQLITE) return 'database';
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return 'archive';
  const start = bytes.subarray(0, 8192);
  // A crash can leave zeros in a text that was being written.
  return start.includes(0) && !/^(?:\u00ef\u00bb\u00bf)?\s*[[{]/.test(start.toString('latin1')) ? 'binary' : 'text';
}

/**
 * The bytes of a file as it is now, or of standard input (`-`), unpacked where they are packed. What is written to the file while
 * it is read is left for the next time.
 */
export async function* bytesOf(path: string): AsyncGenerator<Buffer, void> {
  if (path !== '-' && statSync(path).isDirectory()) {
    yield* eventsOf(path);
    return;
  }
  const raw = (path === '-' ? process.stdin : streamOf(path))[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    const first = await raw.next();
    if (first.done) return;
    const all = chain(first.value, raw);
    if (!isGzip(first.value)) {
      yield* all;
      return;
    }
    const unpacked = createGunzip({ chunkSize: CHUNK });
    pipeline(Readable.from(all), unpacked, () => {});
    yield* unpacked as AsyncIterable<Buffer>;
  } finally {
    await raw.return?.();
  }
}

/** A folder with a file for every event of a run, as if they stood in one. */
function* eventsOf(folder: string): Generator<Buffer> {
  for (const name of eventFiles(readdirSync(folder)) ?? []) {
    // Between the values of JSON a line break is as good as a space.
    yield Buffer.from(`${readFileSync(join(folder, name), 'utf8').replaceAll('\n', ' ')}\n`);
  }
}

function streamOf(path: string): Readable {
  const fd = openSync(path, 'r');
  const stat = fstatSync(fd);
  if (!stat.isFile()) return createReadStream('', { fd, highWaterMark: CHUNK });
  return stat.size === 0 ? empty(fd) : createReadStream('', { fd, highWaterMark: CHUNK, start: 0, end: stat.size - 1 });
}

function empty(fd: number): Readable {
  closeSync(fd);
  return Readable.from([]);
}

async function* chain(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
