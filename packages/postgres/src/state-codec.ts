import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { UnrutError } from '@unrut/engine/errors';

/** How a state is kept: as text, as zstd, or as a base and what differs from it. */
export type Codec = 0 | 1 | 2;

/** A state as the database has it. */
export interface StoredState {
  codec: Codec;
  base: Buffer | null;
  delta: Buffer | null;
}

/** The stored form of a state. Without `base`, the stored base is kept. */
export interface EncodedState {
  base?: Buffer;
  delta: Buffer;
  /** The text of the base, for the next time. */
  baseText: Buffer;
}

/** The codec of what is written. */
export const CODEC: Codec = 2;

/**
 * Bytes beyond which a delta would not stay in its row. Then a new base is due: every 10 to 40
 * events.
 */
const MAX_DELTA = 2000;

/** Two thirds of the time of the usual level, for deltas that are 1 % larger. */
const FAST = { [constants.ZSTD_c_compressionLevel]: 1 };

/** The text as what differs from the base's text, or as a new base where that is much. */
export function encodeState(text: Buffer, baseText: Buffer | undefined): EncodedState {
  if (baseText && baseText.length > 0) {
    const delta = zstdCompressSync(text, { dictionary: baseText, params: FAST });
    if (delta.length <= MAX_DELTA) return { delta, baseText };
  }
  return { base: zstdCompressSync(text), delta: EMPTY, baseText: text };
}

const EMPTY = Buffer.alloc(0);

/** The text of a base, by which the state is read. */
export const decodeBase = ({ codec, base }: StoredState): Buffer =>
  base === null ? EMPTY : codec === 0 ? base : zstdDecompressSync(base);

/** The text of a state whose base has this text. */
export const decodeDelta = (delta: Buffer | null, baseText: Buffer): Buffer =>
  delta === null || delta.length === 0
    ? baseText
    : zstdDecompressSync(delta, { dictionary: baseText });

/**
 * Throws on a Node whose zstd knows no dictionaries: it would write states that nobody can read.
 */
export function checkDictionaries(): void {
  const text = Buffer.from('A state that differs little from the one before. '.repeat(20));
  try {
    const delta = zstdCompressSync(Buffer.concat([text, Buffer.from('!')]), { dictionary: text });
    if (delta.length < 40 && decodeDelta(delta, text).toString() === `${text}!`) return;
  } catch {
    // Said below.
  }
  throw new UnrutError(
    'old-node',
    `[postgres] Needs a Node whose zstd takes dictionaries, 22.19 or 24.6 and later; this is ${process.version}.`,
  );
}
