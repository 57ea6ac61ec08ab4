import { BYTES, CONTROL, DIGIT_BYTE } from './bytes.ts';
import { cleanLine } from './clean-line.ts';
import { classifyToken, LITERAL, MASKED, QUANTITY, VALUE } from './noise.ts';
import { isEnumerator, tokenEnd, tokenStart, wordBefore } from './token.ts';

/** A piece of a line, and how it counts when results are compared. */
export interface Piece {
  text: string;
  /**
   * `masked` is always ignored; a `value` counts until it is learned to be noise; a `quantity` has
   * a direction, so any change of it counts; everything else is `literal`.
   */
  counts: 'literal' | 'masked' | 'value' | 'quantity';
}

const NAMES = {
  [LITERAL]: 'literal',
  [MASKED]: 'masked',
  [VALUE]: 'value',
  [QUANTITY]: 'quantity',
} as const;
const NEWLINE = 10;
const TAB = 9;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * One line as the scanner (scan.ts) sees it, in pieces for people. Contains only what a terminal
 * would show. `isNumbered` says whether a number before a tab is the line's.
 */
export function piecesOf(line: string, isNumbered = true): Piece[] {
  const encoded = encoder.encode(line);
  const bytes = new Uint8Array(encoded.length + 8);
  bytes.set(encoded);
  const end = encoded.some((byte) => BYTES[byte]! & CONTROL)
    ? cleanLine(bytes, 0, encoded.length)
    : encoded.length;
  bytes[end] = NEWLINE;
  const pieces: Piece[] = [];
  let from = 0;
  // Tokens begin at or after this index.
  let free = 0;
  const take = (to: number, counts: Piece['counts']): void => {
    if (to > from) pieces.push({ text: decoder.decode(bytes.subarray(from, to)), counts });
    from = to;
  };
  for (let i = 0; i < end; i++) {
    if (!(BYTES[bytes[i]!]! & DIGIT_BYTE)) continue;
    const start = tokenStart(bytes, free, i);
    const stop = tokenEnd(bytes, start, i, end);
    const enumerates =
      isEnumerator(bytes, 0, start, stop, end) && (bytes[stop] !== TAB || isNumbered);
    const kind = enumerates
      ? MASKED
      : classifyToken(bytes, start, stop, end, wordBefore(bytes, 0, start));
    if (kind !== LITERAL) {
      take(start, 'literal');
      take(stop, NAMES[kind as keyof typeof NAMES]);
    }
    free = stop;
    i = stop - 1;
  }
  take(end, 'literal');
  return pieces;
}
