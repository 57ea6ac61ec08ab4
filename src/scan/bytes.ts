import { closeSync, createReadStream, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UnrutError } from '../errors.ts';
import { eventFiles } from './event-folder.ts';

const CHUNK = 1 << 20;

/** What the first bytes say that a file is. */
export type FileKind = 'text' | 'database' | 'archive' | 'binary';

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
const SQLITE = 'SQLite format 3\u0000';

export function fileKindOf(bytes: Buffer): FileKind {
  if (bytes.subarray(0, SQLITE.length).toString('latin1') === SQLITE) return 'database';
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return 'archive';
  const start = bytes.subarray(0, 8192);
  // A crash can leave zeros in a text that was being written.
  return start.includes(0) && !/^(?:\u00ef\u00bb\u00bf)?\s*[[{]/.test(start.toString('latin1')) ? 'binary' : 'text';
}

/** Whether a program that wants to jump about in a file can open this one: no pipe, and nothing that is packed. */
export function isPlainFile(path: string): boolean {
  if (path === '-' || !statSync(path).isFile()) return false;
  const fd = openSync(path, 'r');
  try {
    const start = Buffer.alloc(2);
    readSync(fd, start);
    return !isGzip(start);
  } finally {
    closeSync(fd);
  }
}

/**
 * The bytes of a file as it is now, or of standard input (`-`), unpacked where they are packed. What is written to the file while
 * it is read is left for the next time. A piece is valid until the next one is asked for.
 */
export async function* bytesOf(path: string): AsyncGenerator<Buffer, void> {
  if (path === '-') {
    yield* unpacked(process.stdin as AsyncIterable<Buffer>);
    return;
  }
  if (statSync(path).isDirectory()) {
    yield* eventsOf(path);
    return;
  }
  const fd = openSync(path, 'r');
  try {
    const stat = fstatSync(fd);
    yield* unpacked(stat.isFile() ? piecesOf(fd, stat.size) : (createReadStream('', { fd, autoClose: false }) as AsyncIterable<Buffer>));
  } finally {
    closeSync(fd);
  }
}

/** All in one buffer: memory taken anew for every piece makes threads wait for each other. */
function* piecesOf(fd: number, size: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, size));
  for (let at = 0; at < size; ) {
    const read = readSync(fd, buffer, 0, Math.min(buffer.length, size - at), at);
    if (read === 0) return;
    at += read;
    yield buffer.subarray(0, read);
  }
}

type Pieces = Iterator<Buffer> | AsyncIterator<Buffer>;

async function* unpacked(source: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const pieces: Pieces = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const first = await pieces.next();
  if (first.done) return;
  if (isGzip(first.value)) {
    const unpack = createGunzip({ chunkSize: CHUNK });
    pipeline(Readable.from(copies(first.value, pieces)), unpack, () => {});
    yield* unpack as AsyncIterable<Buffer>;
    return;
  }
  for (let next: IteratorResult<Buffer> = first; !next.done; next = await pieces.next()) yield next.value;
}

/** Pieces for a reader that takes its time. */
async function* copies(first: Buffer, pieces: Pieces): AsyncGenerator<Buffer> {
  for (let next: IteratorResult<Buffer> = { value: first }; !next.done; next = await pieces.next()) yield Buffer.from(next.value);
}

/** A folder with a file for every event of a run, as if they stood in one. */
function* eventsOf(folder: string): Generator<Buffer> {
  const names = eventFiles(folder);
  if (names.length === 0) throw new UnrutError('folder', 'it is a folder');
  for (const name of names) {
    // Between the values of JSON a line break is as good as a space.
    yield Buffer.from(`${readFileSync(join(folder, name), 'utf8').replaceAll('\n', ' ')}\n`);
  }
}
