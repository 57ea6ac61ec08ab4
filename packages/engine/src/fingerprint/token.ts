import { BYTES, DIGIT_BYTE, JOINER, PRIME, START, WORD } from './bytes.ts';

/**
 * Finds tokens that contain a digit, and the words before them. A path, date, version or URL is one
 * token.
 */

const COLON = 58;
const SLASH = 47;
const DOT = 46;
const ARROW = 0xe2;
/** How many characters back the name of a value may end. */
const FARTHEST = 4;
const MAX_WORD_LENGTH = 24;

/**
 * The first byte of the token around `digit`, its first digit. The token does not extend before
 * `free`.
 */
export function tokenStart(bytes: Uint8Array, free: number, digit: number): number {
  let start = digit;
  while (start > free && BYTES[bytes[start - 1]!]! & (WORD | JOINER)) start--;
  while (start < digit && !(BYTES[bytes[start]!]! & WORD)) start++;
  for (let i = start; i < digit; i++)
    if (bytes[i] === COLON && !colonJoins(bytes, start, i, digit + 1)) start = i + 1;
  return start;
}

/** The index after the token. */
export function tokenEnd(bytes: Uint8Array, start: number, digit: number, end: number): number {
  const url = isUrl(bytes, start, digit);
  let i = digit + 1;
  for (; i < end; i++) {
    const byte = bytes[i]!;
    if (BYTES[byte]! & WORD) {
      // The arrow after a line number (E2 86 92) is not a letter.
      if (byte === ARROW && bytes[i + 1] === 0x86) break;
    } else if (!joins(bytes, start, i, end, url)) break;
  }
  return i;
}

/** Whether `://` comes before the first digit. */
function isUrl(bytes: Uint8Array, start: number, digit: number): boolean {
  for (let k = start; k + 2 < digit; k++)
    if (bytes[k] === COLON && bytes[k + 1] === SLASH && bytes[k + 2] === SLASH) return true;
  return false;
}

/** Whether a character that is not part of a word joins what is before and after it. */
function joins(bytes: Uint8Array, start: number, i: number, end: number, url: boolean): boolean {
  const byte = bytes[i]!;
  if (byte === COLON) return colonJoins(bytes, start, i, end);
  const wordFollows = i + 1 < end && (BYTES[bytes[i + 1]!]! & WORD) !== 0;
  if (BYTES[byte]! & JOINER) return wordFollows || (byte === SLASH && bytes[i + 1] === SLASH);
  return url && byte > 32 && byte !== 34 && wordFollows;
}

/** A colon is part of a token inside times, after paths and hosts, and in `://`. */
function colonJoins(bytes: Uint8Array, start: number, colon: number, end: number): boolean {
  const next = bytes[colon + 1]!;
  if (colon + 1 >= end) return false;
  if (next === SLASH) return bytes[colon + 2] === SLASH;
  if (!(BYTES[next]! & DIGIT_BYTE)) return false;
  if (BYTES[bytes[colon - 1]!]! & DIGIT_BYTE) return true;
  for (let i = start; i < colon; i++) if (bytes[i] === DOT || bytes[i] === SLASH) return true;
  return colon - start === 9 && hashOf(bytes, start, colon) === LOCALHOST;
}

export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let h = START;
  for (let i = start; i < end; i++) h = Math.imul(h ^ (BYTES[bytes[i]!]! & 255), PRIME);
  return h;
}

const LOCALHOST = hashOf(new Uint8Array([...'localhost'].map((char) => char.charCodeAt(0))), 0, 9);

/**
 * Hash of the word before a token on its line, skipping a few other characters; 0 if there is none.
 */
export function wordBefore(bytes: Uint8Array, lineStart: number, start: number): number {
  let end = start;
  while (end > lineStart && end > start - FARTHEST && !(BYTES[bytes[end - 1]!]! & WORD)) end--;
  let from = end;
  while (
    from > lineStart &&
    from > end - MAX_WORD_LENGTH &&
    (BYTES[bytes[from - 1]!]! & WORD || bytes[from - 1] === 45)
  )
    from--;
  return from === end ? 0 : hashOf(bytes, from, end);
}

/**
 * A number at the beginning of a line, followed by `.`, `)`, `:`, `|`, a tab or an arrow: a rank or
 * a line number.
 */
export function isEnumerator(
  bytes: Uint8Array,
  lineStart: number,
  start: number,
  end: number,
  lineEnd: number,
): boolean {
  if (start - lineStart > 12 || end - start > 6 || end >= lineEnd) return false;
  const next = bytes[end];
  if (next !== DOT && next !== 41 && next !== COLON && next !== 124 && next !== 9 && next !== ARROW)
    return false;
  for (let i = lineStart; i < start; i++) if (BYTES[bytes[i]!]! & WORD) return false;
  for (let i = start; i < end; i++) if (!(BYTES[bytes[i]!]! & DIGIT_BYTE)) return false;
  return true;
}

/**
 * Before a tab, a number is a line number only next to its neighbours in the lines around it;
 * otherwise it is a column, as `du` prints.
 */
export const isLineNumber = (number: number, before: number, after: number): boolean =>
  number === 1 || number === before + 1 || number === after - 1;
