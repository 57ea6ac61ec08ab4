import {
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { UnrutError } from '@unrut/engine/errors';
import { entryBytes, insideArchive } from './archive.ts';
import { eventFiles } from './event-folder.ts';

const CHUNK = 1 << 20;

/** A file's kind, judging by its first bytes. */
export type FileKind = 'text' | 'database' | 'archive' | 'binary';

const beginsWith = (bytes: Buffer, ...start: number[]): boolean =>
  start.every((byte, i) => bytes[i] === byte);
const isPacked = (bytes: Buffer): boolean => isGzip(bytes) || isZstd(bytes);
const isGzip = (bytes: Buffer): boolean => beginsWith(bytes, 0x1f, 0x8b);
const isZstd = (bytes: Buffer): boolean => beginsWith(bytes, 0x28, 0xb5, 0x2f, 0xfd);
/** Signatures of unsupported compression formats. */
const PACKED: [name: string, start: number[]][] = [
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['7-Zip', [0x37, 0x7a, 0xbc, 0xaf]],
];
const SQLITE = 'SQLite format 3\u0000';

export function fileKindOf(bytes: Buffer): FileKind {
  if (bytes.subarray(0, SQLITE.length).toString('latin1') === SQLITE) return 'database';
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return 'archive';
  const start = bytes.subarray(0, 8192);
  // A crash can leave null bytes in a text file.
  return start.includes(0) && !/^(?:\u00ef\u00bb\u00bf)?\s*[[{]/.test(start.toString('latin1'))
    ? 'binary'
    : 'text';
}

/** Whether a file supports random access: not a pipe, and not compressed. */
export function isPlainFile(path: string): boolean {
  if (path === '-' || !statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const fd = openSync(path, 'r');
  try {
    const start = Buffer.alloc(4);
    readSync(fd, start);
    return !isPacked(start);
  } finally {
    closeSync(fd);
  }
}

/**
 * The current bytes of a file, of a file in a zip archive (`runs.zip/a.jsonl`), or of standard
 * input (`-`), decompressed and in UTF-8. Data written while reading is ignored. A piece is valid
 * until the next one is requested.
 */
export async function* bytesOf(path: string): AsyncGenerator<Buffer, void> {
  if (path === '-') {
    yield* unpacked(process.stdin as AsyncIterable<Buffer>);
    return;
  }
  const inside = insideArchive(path);
  if (inside) {
    yield* unpacked(entryBytes(inside));
    return;
  }
  if (statSync(path).isDirectory()) {
    yield* eventsOf(path);
    return;
  }
  const fd = openSync(path, 'r');
  try {
    const stat = fstatSync(fd);
    yield* unpacked(
      stat.isFile()
        ? piecesOf(fd, stat.size)
        : (createReadStream('', { fd, autoClose: false }) as AsyncIterable<Buffer>),
    );
  } finally {
    closeSync(fd);
  }
}

/** Reuses one buffer, since allocating memory for each piece makes threads wait for each other. */
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

async function* unpacked(
  source: Iterable<Buffer> | AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void> {
  const pieces: Pieces =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const first = await pieces.next();
  if (first.done) return;
  const unpack = unpackerFor(first.value);
  if (unpack) {
    pipeline(Readable.from(copies(first.value, pieces)), unpack, () => {});
    yield* unpacked(unpack as AsyncIterable<Buffer>);
    return;
  }
  const encoding = utf16Of(first.value);
  const decoder = encoding === undefined ? undefined : new TextDecoder(encoding);
  for (let next: IteratorResult<Buffer> = first; !next.done; next = await pieces.next())
    yield decoder ? Buffer.from(decoder.decode(next.value, { stream: true })) : next.value;
}

function unpackerFor(start: Buffer): Transform | undefined {
  if (isGzip(start)) return zlib.createGunzip({ chunkSize: CHUNK });
  if (isZstd(start) && typeof zlib.createZstdDecompress === 'function')
    return zlib.createZstdDecompress({ chunkSize: CHUNK });
  const name = isZstd(start)
    ? 'zstd'
    : PACKED.find(([, signs]) => beginsWith(start, ...signs))?.[0];
  if (name === undefined) return undefined;
  throw new UnrutError(
    'packed',
    `it is packed with ${name}. Unpack it first, or pack it with gzip`,
  );
}

/**
 * Detects UTF-16 text from Windows: by its byte order mark, or by null bytes in every other
 * position.
 */
function utf16Of(start: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (beginsWith(start, 0xff, 0xfe) || (start[0] && start[1] === 0 && start[2] && start[3] === 0))
    return 'utf-16le';
  return beginsWith(start, 0xfe, 0xff) || (start[0] === 0 && start[1] && start[2] === 0 && start[3])
    ? 'utf-16be'
    : undefined;
}

/** Pieces for a reader that takes its time. */
async function* copies(first: Buffer, pieces: Pieces): AsyncGenerator<Buffer> {
  for (let next: IteratorResult<Buffer> = { value: first }; !next.done; next = await pieces.next())
    yield Buffer.from(next.value);
}

/** A folder with one file per event of a run, read as one file. */
function* eventsOf(folder: string): Generator<Buffer> {
  const names = eventFiles(folder);
  if (names.length === 0) throw new UnrutError('folder', 'it is a folder');
  for (const name of names) {
    // Line breaks between JSON values can be replaced by spaces.
    yield Buffer.from(`${readFileSync(join(folder, name), 'utf8').replaceAll('\n', ' ')}\n`);
  }
}
