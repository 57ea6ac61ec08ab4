import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { UnrutError } from '@unrut/engine/errors';

/** Max length of a record. */
const MAX_LENGTH = 1 << 28;

const END = 0x06054b50;
const END_64 = 0x06064b50;
const ENTRY = 0x02014b50;
const SAMPLE = /^samples\/.*\.json$/;
/** The end record of an archive with the longest possible comment. */
const TAIL = 22 + 0xffff;

/**
 * The records of a zip archive: Inspect packs an evaluation (`.eval`) as one, with a JSON file per
 * sample. One entry is in memory at a time.
 */
export function* archiveRecords(path: string): Generator<unknown, void> {
  const fd = openSync(path, 'r');
  try {
    let samples = 0;
    for (const entry of entriesOf(fd)) {
      if (!SAMPLE.test(entry.name)) continue;
      samples++;
      yield JSON.parse(unpack(fd, entry).toString('utf8'));
    }
    if (samples === 0)
      throw new UnrutError('no-run', 'it is an archive with no file that could hold a run');
  } catch (error) {
    throw error instanceof UnrutError ? error : damaged(error);
  } finally {
    closeSync(fd);
  }
}

/** A file in a zip archive. */
export interface ArchiveFile {
  archive: string;
  name: string;
}

/** Whether a path leads into a zip archive: `runs.zip/a.jsonl`. */
export function insideArchive(path: string): ArchiveFile | undefined {
  if (!/\.zip[\\/]/i.test(path)) return undefined;
  for (const { index } of path.matchAll(/[\\/]/g)) {
    const archive = path.slice(0, index);
    if (/\.zip$/i.test(archive) && statSync(archive, { throwIfNoEntry: false })?.isFile())
      return { archive, name: path.slice(index + 1) };
  }
  return undefined;
}

/**
 * The files of a zip archive, with their uncompressed sizes; empty for a damaged one, or for one of
 * Inspect, which is a single log.
 */
export function archiveFiles(archive: string): { name: string; bytes: number }[] {
  const fd = openSync(archive, 'r');
  try {
    const entries = [...entriesOf(fd)];
    if (entries.some(({ name }) => SAMPLE.test(name))) return [];
    return entries
      .filter(({ name }) => !name.endsWith('/'))
      .map(({ name, size }) => ({ name, bytes: size }));
  } catch {
    return [];
  } finally {
    closeSync(fd);
  }
}

/** The content of a file in an archive, in one piece. */
export function* entryBytes({ archive, name }: ArchiveFile): Generator<Buffer> {
  const fd = openSync(archive, 'r');
  try {
    const entry = [...entriesOf(fd)].find((each) => each.name === name);
    if (!entry) throw new UnrutError('not-there', 'the archive holds no such file');
    yield unpack(fd, entry);
  } catch (error) {
    throw error instanceof UnrutError ? error : damaged(error);
  } finally {
    closeSync(fd);
  }
}

interface Entry {
  name: string;
  method: number;
  packed: number;
  size: number;
  at: number;
}

const damaged = (cause?: unknown): UnrutError =>
  new UnrutError(
    'damaged',
    'the compressed data is damaged, or packed in a way that is not known',
    { cause },
  );

function bytesAt(fd: number, at: number, length: number): Buffer {
  if (length > MAX_LENGTH || at < 0) throw damaged();
  const bytes = Buffer.alloc(length);
  if (readSync(fd, bytes, 0, length, at) < length) throw damaged();
  return bytes;
}

/** Entries of the directory at the end of an archive; overwritten files are not in it. */
function* entriesOf(fd: number): Generator<Entry> {
  const { size } = fstatSync(fd);
  const tail = bytesAt(fd, Math.max(0, size - TAIL), Math.min(size, TAIL));
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end === -1 || tail.readUInt32LE(end) !== END) throw damaged();
  let [length, at] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  // A 20-byte locator before the end points to the 64-bit sizes.
  if (at === 0xffffffff && end >= 20) {
    const long = bytesAt(fd, Number(tail.readBigUInt64LE(end - 12)), 56);
    if (long.readUInt32LE(0) !== END_64) throw damaged();
    [length, at] = [Number(long.readBigUInt64LE(40)), Number(long.readBigUInt64LE(48))];
  }
  const directory = bytesAt(fd, at, length);
  for (let from = 0; from + 46 <= length; ) {
    if (directory.readUInt32LE(from) !== ENTRY) throw damaged();
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      directory.readUInt16LE(from + field),
    ) as [number, number, number];
    const name = directory.toString('utf8', from + 46, from + 46 + nameLength);
    const extra = directory.subarray(from + 46 + nameLength, from + 46 + nameLength + extraLength);
    const [packed, size32, start] = [20, 24, 42].map((field) =>
      directory.readUInt32LE(from + field),
    ) as [number, number, number];
    yield {
      name,
      method: directory.readUInt16LE(from + 10),
      ...longNumbers(extra, packed, size32, start),
    };
    from += 46 + nameLength + extraLength + commentLength;
  }
}

/** 64-bit sizes are in the entry's extra field, in this order, and only those needed. */
function longNumbers(
  extra: Buffer,
  packed: number,
  size: number,
  at: number,
): Pick<Entry, 'packed' | 'size' | 'at'> {
  for (let from = 0; from + 4 <= extra.length; from += 4 + extra.readUInt16LE(from + 2)) {
    if (extra.readUInt16LE(from) !== 1) continue;
    const long = [...Array((extra.readUInt16LE(from + 2) / 8) | 0).keys()].map((nth) =>
      Number(extra.readBigUInt64LE(from + 4 + nth * 8)),
    );
    const [longSize, longPacked, longAt] = [size, packed, at].map((short) =>
      short === 0xffffffff ? long.shift() : short,
    );
    return { packed: longPacked ?? packed, size: longSize ?? size, at: longAt ?? at };
  }
  return { packed, size, at };
}

function unpack(fd: number, { method, packed, at }: Entry): Buffer {
  const head = bytesAt(fd, at, 30);
  const bytes = bytesAt(fd, at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28), packed);
  const limit = { maxOutputLength: MAX_LENGTH };
  if (method === 0) return bytes;
  if (method === 8) return zlib.inflateRawSync(bytes, limit);
  if (method === 93 && typeof zlib.zstdDecompressSync === 'function')
    return zlib.zstdDecompressSync(bytes, limit);
  throw damaged();
}
