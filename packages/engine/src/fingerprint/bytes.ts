/**
 * How the scanner classifies the bytes of UTF-8 text. Bytes from 128 on belong to letters of other
 * scripts.
 */

export const WORD = 1 << 8;
export const DIGIT_BYTE = 2 << 8;
const SPACE = 4 << 8;
/** Joins two word characters into one token: paths, dates, versions, URLs. */
export const JOINER = 8 << 8;
/** Ends a chunk of a long line. */
export const BOUNDARY = 16 << 8;
/**
 * Ends the line, or means that the line must be cleaned first: escape sequences, carriage returns,
 * backspaces.
 */
export const CONTROL = 32 << 8;

/**
 * For each byte, its kinds, and in the low eight bits the value that is hashed: lower case, and 0
 * for white space.
 */
export const BYTES: Uint16Array = new Uint16Array(256);
/**
 * The hash's multiplier for each byte: 1 for white space, which so leaves the hash unchanged. This
 * avoids a branch and is a third faster.
 */
export const FACTORS: Int32Array = new Int32Array(256);

export const START: number = 0x811c9dc5 | 0;
export const PRIME = 0x01000193;
/** PRIME · INVERSE = 1 modulo 2³², so that a step of the hash can be undone. */
export const INVERSE = 0x359c449b;

for (let byte = 0; byte < 256; byte++) {
  const char = String.fromCharCode(byte);
  let kind = 0;
  const lower = byte | 32;
  if (byte >= 128 || (lower >= 97 && lower <= 122) || char === '_') kind = WORD;
  else if (byte >= 48 && byte <= 57) kind = WORD | DIGIT_BYTE;
  else if (byte === 0x0a || byte === 0x1b || byte === 0x0d || byte === 0x08) kind = CONTROL | SPACE;
  else if (byte <= 32) kind = SPACE;
  else if ('-./:@\\~'.includes(char)) kind = JOINER;
  if (',;|{}[].!?'.includes(char)) kind |= BOUNDARY;
  const space = (kind & SPACE) !== 0;
  BYTES[byte] = kind | (space ? 0 : byte >= 65 && byte <= 90 ? byte + 32 : byte);
  FACTORS[byte] = space ? 1 : PRIME;
}

/** The scanner's hash of a word, used to build the tables of known words. */
export function wordHash(word: string): number {
  let h = START;
  for (let i = 0; i < word.length; i++) h = Math.imul(h ^ word.charCodeAt(i), PRIME);
  return h;
}

/** The number whose digits begin at `start` and end before `stop`. */
export function numberAt(bytes: Uint8Array, start: number, stop: number): number {
  let number = 0;
  for (let i = start; i < stop && bytes[i]! >= 48 && bytes[i]! <= 57; i++)
    number = number * 10 + bytes[i]! - 48;
  return number;
}

/** The hash of bytes, without regard for what they say. */
export function rawHash(bytes: Uint8Array, start: number, stop: number): number {
  let h = START;
  for (let i = start; i < stop; i++) h = Math.imul(h ^ bytes[i]!, PRIME);
  return h;
}
