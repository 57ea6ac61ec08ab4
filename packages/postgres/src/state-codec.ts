import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { UnrutError } from '@unrut/engine/errors';

/** The encoding of a state: text, zstd, or a base with a delta. */
export type Codec = 0 | 1 | 2;

/** A state as stored in the database. */
export interface StoredState {
  codec: Codec;
  base: Buffer | null;
  delta: Buffer | null;
}

/** The stored form of a state. Without `base`, the stored base is kept. */
export interface EncodedState {
  base?: Buffer;
  delta: Buffer;
  /** The text of the base, for the next encoding. */
  baseText: Buffer;
}

/** The codec of written states. */
export const CODEC: Codec = 2;

/**
 * Max bytes of a delta that stays inline in its row. Beyond it, a new base is written: every 10 to
 * 40 events.
 */
const MAX_DELTA = 2000;

/** Takes two thirds of the default level's time, for deltas that are 1 % larger. */
const FAST = { [constants.ZSTD_c_compressionLevel]: 1 };

/** Encodes a text as a delta to the base's text, or as a new base if the delta is large. */
export function encodeState(text: Buffer, baseText: Buffer | undefined): EncodedState {
  if (baseText && baseText.length > 0) {
    const delta = zstdCompressSync(text, { dictionary: baseText, params: FAST });
    if (delta.length <= MAX_DELTA) return { delta, baseText };
  }
  return { base: zstdCompressSync(text), delta: EMPTY, baseText: text };
}

const EMPTY = Buffer.alloc(0);

/** The text of a stored base. */
export const decodeBase = ({ codec, base }: StoredState): Buffer =>
  base === null ? EMPTY : codec === 0 ? base : zstdDecompressSync(base);

/** The text of a state, from its delta and its base's text. */
export const decodeDelta = (delta: Buffer | null, baseText: Buffer): Buffer =>
  delta === null || delta.length === 0
    ? baseText
    : zstdDecompressSync(delta, { dictionary: baseText });

/** Throws on Node versions whose zstd ignores dictionaries: they would write unreadable states. */
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
