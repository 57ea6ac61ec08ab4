import { lazily } from '../lazily.ts';
import { BYTES, DIGIT_BYTE, PRIME, START, WORD, wordHash } from './bytes.ts';
import {
  BYTE_UNITS,
  CALL_IDS,
  DONE_WORDS,
  LEFT_WORDS,
  MEASURED,
  TIME_UNITS,
  WRONG_WORDS,
} from './lexicon.ts';

/**
 * Listed noise: shapes and names in a result that change without meaning anything. Noise that is
 * not listed can be learned (last-results.ts). A quantity with a direction is never noise.
 */

/** How a token counts. */
export const LITERAL = 0;
/** Always ignored. */
export const MASKED = 1;
/** A value without a direction. It counts until it is learned to be noise. */
export const VALUE = 2;
/** A quantity with a direction. Any change of it counts. */
export const QUANTITY = 3;

const VOLATILE = 1;
const UNIT = 2;
const COUNTED = 4;
const MASS = 8;

/** Known words by kind. */
const WORDS: readonly [kind: number, words: readonly string[]][] = [
  // The value after one of these is masked.
  [VOLATILE, [...CALL_IDS, ...MEASURED]],
  // A number before one of these is a duration or an age.
  [UNIT, [...TIME_UNITS, 'ago']],
  // A number next to one of these has a direction: it shows how far something has come.
  [
    COUNTED,
    [
      ...LEFT_WORDS,
      ...WRONG_WORDS,
      ...DONE_WORDS,
      ...BYTE_UNITS.filter((unit) => !unit.startsWith('byte')),
      ...`percent pct progress of count skipped step page tests items score loss accuracy coverage changed added removed
   insertions deletions commits balance price amount temperature level version state status exit code position offset index round
   iteration epoch batch records entries replicas ready available x y`.split(/\s+/),
    ],
  ],
  // The size of something, which the agent's own writes change.
  [
    MASS,
    'total line lines row rows column columns byte bytes size character characters chars word words match matches hits found results file files'.split(
      ' ',
    ),
  ],
];

/** The kinds of known words by hash, and a smaller table for a quick first test. */
const KNOWN = lazily(() => {
  const kinds = new Map<number, number>();
  const maybe = new Uint8Array(1 << 13);
  for (const [kind, words] of WORDS) {
    for (const word of words) {
      for (const spelling of word.includes('_')
        ? [word, word.replaceAll('_', ''), word.replaceAll('_', '-')]
        : [word]) {
        const h = wordHash(spelling);
        kinds.set(h, (kinds.get(h) ?? 0) | kind);
        maybe[slot(h)] = 1;
      }
    }
  }
  return { kinds, maybe };
});
const slot = (h: number): number => (h ^ (h >>> 16)) & 0x1fff;

function kindOf(h: number): number {
  const { kinds, maybe } = KNOWN();
  return maybe[slot(h)] === 0 ? 0 : (kinds.get(h) ?? 0);
}

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
const isHex = (byte: number): boolean =>
  isDigit(byte) || (byte >= 97 && byte <= 102) || (byte >= 65 && byte <= 70);
const DASH = 45;
const COLON = 58;
const SLASH = 47;
const DOT = 46;
const CAPITAL_M = 77;

/**
 * How the token at [start, end), which contains a digit, counts. `before` is the hash of the word
 * before it on its line.
 */
export function classifyToken(
  bytes: Uint8Array,
  start: number,
  end: number,
  lineEnd: number,
  before: number,
): number {
  const beside = kindOf(before);
  if (beside & VOLATILE || isShellLine(bytes, start, end, before)) return MASKED;
  for (let i = start; i < end; i++)
    if (!(BYTES[bytes[i]!]! & DIGIT_BYTE)) return otherToken(bytes, start, end, lineEnd, beside);
  return plainNumber(bytes, start, end, lineEnd, beside);
}

function plainNumber(
  bytes: Uint8Array,
  start: number,
  end: number,
  lineEnd: number,
  beside: number,
): number {
  if (isEpoch(bytes, start, end - start)) return MASKED;
  if (isPercent(bytes, end)) return QUANTITY;
  const after = kindAfter(bytes, start, end, lineEnd);
  if (after & UNIT || isTimes(bytes, end)) return MASKED;
  return (beside | after) & COUNTED && !(after & MASS) ? QUANTITY : VALUE;
}

function otherToken(
  bytes: Uint8Array,
  start: number,
  end: number,
  lineEnd: number,
  beside: number,
): number {
  let letters = 0;
  let dashes = 0;
  let colons = 0;
  let slashes = 0;
  let dots = 0;
  let turns = 0;
  let hex = true;
  let previous = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    const kind = BYTES[byte]! & (WORD | DIGIT_BYTE);
    if (kind === WORD) {
      letters++;
      if (!isHex(byte)) hex = false;
    } else if (byte === DASH) dashes++;
    else if (byte === COLON) colons++;
    else if (byte === SLASH) slashes++;
    else if (byte === DOT) dots++;
    if (kind && previous && kind !== previous) turns++;
    previous = kind;
  }
  const length = end - start;
  if (isIsoTime(bytes, start, length)) return MASKED;
  if (letters === 0) {
    if (colons > 0) return dots + slashes + dashes === 0 || colons === 2 ? MASKED : LITERAL;
    if (slashes === 1 && dashes + dots === 0) return QUANTITY;
    return slashes + dashes > 0 || dots > 1
      ? LITERAL
      : plainNumber(bytes, start, end, lineEnd, beside);
  }
  if (hex && length === 36 && dashes === 4) return MASKED;
  if (bytes[start] === 48 && (bytes[start + 1]! | 32) === 120) return MASKED;
  if (isDuration(bytes, start, end)) return MASKED;
  if (isTemporary(bytes, start, end)) return MASKED;
  if (dashes >= 4 && isStamped(bytes, start, end)) return MASKED;
  if (colons === 1 && startsWith(bytes, start, end, 'localhost:')) return MASKED;
  return slashes + dots === 0 && length >= 6 && turns >= 2 && dashes + colons <= 4
    ? VALUE
    : LITERAL;
}

const POSITIONS = lazily(
  () => new Set('line row column col frame turn scrolly'.split(' ').map(wordHash)),
);

/** `line: 12` as a whole field: where something is now. In `12 lines` it is a size. */
export const isPosition = (
  bytes: Uint8Array,
  start: number,
  end: number,
  lineEnd: number,
  before: number,
): boolean => {
  const sign = bytes[start - 1] === 32 ? bytes[start - 2] : bytes[start - 1];
  return (
    (sign === COLON || sign === 61) &&
    (end === lineEnd || bytes[end] === COMMA) &&
    POSITIONS().has(before)
  );
};
const COMMA = 44;

const isPercent = (bytes: Uint8Array, end: number): boolean =>
  bytes[end] === 37 || (bytes[end] === 32 && bytes[end + 1] === 37);

const LINE = wordHash('line');

/** `bash: line 17886: …`: the shell numbers its input lines. */
const isShellLine = (bytes: Uint8Array, start: number, end: number, before: number): boolean =>
  before === LINE && bytes[end] === COLON && bytes[start - 7] === COLON;

/** `9 × retrying`. */
const isTimes = (bytes: Uint8Array, end: number): boolean => {
  const sign = bytes[end] === 32 ? end + 1 : end;
  return bytes[sign] === 0xc3 && bytes[sign + 1] === 0x97;
};

/** 10 or 13 digits: seconds or milliseconds between 2017 and 2033. */
function isEpoch(bytes: Uint8Array, start: number, length: number): boolean {
  if (length !== 10 && length !== 13) return false;
  return bytes[start] === 49 && bytes[start + 1]! >= 53 && bytes[start + 1]! <= 57;
}

/** 2026-11-16T… A date without a time is content. */
function isIsoTime(bytes: Uint8Array, start: number, length: number): boolean {
  if (length < 16 || bytes[start + 4] !== DASH || bytes[start + 7] !== DASH) return false;
  const separator = bytes[start + 10];
  return (
    isDigit(bytes[start]!) && isDigit(bytes[start + 3]!) && (separator === 84 || separator === 116)
  );
}

/**
 * A file named after the time it was written, `page-2026-11-16T07-22-09-776Z.yml`: it never occurs
 * twice.
 */
function isStamped(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start + 10; i < end - 8; i++) {
    if (bytes[i] !== 84 || !isDigit(bytes[i - 1]!) || !isDigit(bytes[i + 1]!)) continue;
    if (isIsoTime(bytes, i - 10, 19) && bytes[i + 3] === DASH && bytes[i + 6] === DASH) return true;
  }
  return false;
}

/** 12ms, 1.5s, 3m12s. Bytes and other units are not durations. */
function isDuration(bytes: Uint8Array, start: number, end: number): boolean {
  if (!isDigit(bytes[start]!)) return false;
  let i = start;
  while (i < end) {
    while (i < end && (isDigit(bytes[i]!) || bytes[i] === 46)) i++;
    let h = START;
    const unit = i;
    while (i < end && !isDigit(bytes[i]!)) h = Math.imul(h ^ (BYTES[bytes[i++]!]! & 255), PRIME);
    // `151M` is a size.
    if (i === unit || bytes[unit] === CAPITAL_M || !(kindOf(h) & UNIT)) return false;
  }
  return true;
}

/** A path in a folder for temporary files. */
function isTemporary(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === 0 || bytes[start - 1] !== SLASH) return false;
  return (
    startsWith(bytes, start, end, 'tmp/') ||
    startsWith(bytes, start, end, 'var/folders/') ||
    startsWith(bytes, start, end, 'private/var/folders/')
  );
}

function startsWith(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start < text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

/**
 * The kind of the next word on the line, after at most two other characters. A plural right after a
 * number means that things are counted.
 */
function kindAfter(bytes: Uint8Array, number: number, from: number, lineEnd: number): number {
  let i = from;
  while (i < lineEnd && i < from + 2 && !(BYTES[bytes[i]!]! & WORD)) i++;
  const start = i;
  let h = START;
  while (i < lineEnd && i < start + 20 && BYTES[bytes[i]!]! & WORD)
    h = Math.imul(h ^ (BYTES[bytes[i++]!]! & 255), PRIME);
  if (i === start) return 0;
  // In `n=4003 berths` the number already has a name, so the plural does not count.
  const named = number > 0 && (bytes[number - 1] === 61 || bytes[number - 1] === COLON);
  const plural = !named && bytes[from] === 32 && i - start >= 4 && bytes[i - 1] === 115;
  return kindOf(h) | (plural ? COUNTED : 0);
}
