import { BOUNDARY, BYTES, CONTROL, DIGIT, JOINER, PRIME, SPACE, START, WORD } from './bytes.ts';
import { cleanLine } from './clean-line.ts';
import { finish, pair } from './hash.ts';
import { classify, LITERAL, MASKED, QUANTITY, VALUE } from './noise.ts';

/** Longer lines are split, so that one new item in a long list is one new chunk. */
const LONGEST_LINE = 160;
const SHORTEST_CHUNK = 16;
/** From here on only every fourth, then every sixteenth … chunk is kept, chosen by its hash, so the same text keeps the same chunks. */
const FULL = 1024;
const MOST_CHUNKS = 8192;
const MOST_VALUES = 8;
/** More text is looked at only at its head and tail. */
const MOST_TEXT = 1 << 20;

/** One pass over a result: what it says, masked; and in which chunks. */
export interface Scan {
  /** Equal when the texts are, listed noise aside. */
  digest: string;
  /** As the digest, with every value without direction masked too. */
  shape: string;
  /** Hashes of those values, in order; null when there are too many to learn from. */
  values: number[] | null;
  /** A hash of the quantities with direction. */
  quantities: number;
  /** How many words stood beside the values. */
  words: number;
  /** Chunk hashes and their weights, up to `chunks`. Shared buffers, overwritten by the next scan. */
  chunks: number;
  hashes: Uint32Array;
  weights: Uint32Array;
}

const encoder = new TextEncoder();
const SIZE = 1 << 16;

class Scanner {
  private readonly bytes = new Uint8Array(SIZE + 8);
  private readonly hashes = new Uint32Array(MOST_CHUNKS);
  private readonly weights = new Uint32Array(MOST_CHUNKS);
  private chunks = 0;
  private seen = 0;
  private values: number[] = [];
  private tooMany = false;
  private words = 0;
  private quantities = 0;
  private a = 0;
  private b = 0;
  private c = 0;
  private d = 0;

  scan(text: string, seed: number): Scan {
    this.chunks = 0;
    this.seen = 0;
    this.values = [];
    this.tooMany = false;
    this.words = 0;
    this.quantities = 0;
    this.a = seed | 0;
    this.b = ~seed;
    this.c = this.a;
    this.d = this.b;
    if (text.length <= MOST_TEXT) this.text(text);
    else {
      this.text(text.slice(0, MOST_TEXT / 2));
      this.add(text.length, text.length, 1);
      this.text(text.slice(-MOST_TEXT / 2));
    }
    return {
      digest: pair(finish(this.a), finish(this.b)),
      shape: pair(finish(this.c), finish(this.d)),
      values: this.tooMany ? null : this.values,
      quantities: this.quantities,
      words: this.words,
      chunks: this.chunks,
      hashes: this.hashes,
      weights: this.weights,
    };
  }

  private text(text: string): void {
    // A third of the buffer: one UTF-16 unit is at most three bytes.
    const block = Math.floor(SIZE / 3);
    for (let from = 0; from < text.length; ) {
      let to = Math.min(from + block, text.length);
      if (to < text.length) {
        const newline = text.lastIndexOf('\n', to);
        if (newline > from) to = newline + 1;
      }
      const { written } = encoder.encodeInto(from === 0 && to === text.length ? text : text.slice(from, to), this.bytes);
      this.block(written);
      from = to;
    }
  }

  private block(length: number): void {
    const bytes = this.bytes;
    const table = BYTES;
    bytes[length] = 10;
    let start = 0;
    let h = START;
    let kinds = 0;
    for (let i = 0; i <= length; i++) {
      const byte = bytes[i]!;
      if (byte > 32) {
        const entry = table[byte]!;
        kinds |= entry;
        h = Math.imul(h ^ (entry & 255), PRIME);
      } else if (byte === 10) {
        if (i > start) {
          if ((kinds & (DIGIT | CONTROL)) === 0 && i - start <= LONGEST_LINE) {
            if (h !== START) {
              this.words++;
              this.add(h, h, i - start);
            }
          } else this.line(start, i, kinds);
        }
        start = i + 1;
        h = START;
        kinds = 0;
      } else kinds |= table[byte]!;
    }
  }

  /** A line with digits, control characters, or too long for one chunk: token by token. */
  private line(start: number, lineEnd: number, kinds: number): void {
    const bytes = this.bytes;
    const table = BYTES;
    let end = lineEnd;
    if (kinds & CONTROL) {
      end = cleanLine(bytes, start, lineEnd);
      let h = START;
      let left = 0;
      for (let i = start; i < end; i++) {
        const entry = table[bytes[i]!]!;
        left |= entry;
        if (!(entry & SPACE)) h = Math.imul(h ^ (entry & 255), PRIME);
      }
      if (h === START) return;
      if ((left & DIGIT) === 0 && end - start <= LONGEST_LINE) {
        this.words++;
        this.add(h, h, end - start);
        return;
      }
    }
    const split = end - start > LONGEST_LINE;
    let literal = START;
    let shape = START;
    let before = 0;
    let chunkStart = start;
    let first = true;
    let i = start;
    while (i < end) {
      const byte = bytes[i]!;
      const kind = table[byte]!;
      if (kind & WORD) {
        const tokenStart = i;
        let h = START;
        let flags = 0;
        let url = false;
        while (i < end) {
          const here = bytes[i]!;
          const k = table[here]!;
          if (k & WORD) {
            // The arrow after a line number (E2 86 92) is no letter.
            if (here === 0xe2 && bytes[i + 1] === 0x86 && i > tokenStart) break;
          } else if (!(k & JOINER) || !joins(bytes, i, tokenStart, end)) {
            if (!(url && (k >> 8) === 0 && i + 1 < end && BYTES[bytes[i + 1]!]! & WORD)) break;
          } else if (here === 58 && bytes[i + 1] === 47) url = true;
          h = Math.imul(h ^ (k & 255), PRIME);
          flags |= k;
          i++;
        }
        let kindOfToken = LITERAL;
        if (flags & DIGIT) {
          kindOfToken = first && isEnumerator(bytes, tokenStart, i, end) ? MASKED : classify(bytes, tokenStart, i, end, before);
        }
        if (kindOfToken === LITERAL || kindOfToken === QUANTITY) {
          literal = Math.imul(literal ^ h, 0x5bd1e995) + 1;
          shape = Math.imul(shape ^ h, 0x5bd1e995) + 1;
          this.words++;
          if (kindOfToken === QUANTITY) this.quantities = Math.imul(this.quantities ^ h, PRIME);
        } else if (kindOfToken === VALUE) {
          literal = Math.imul(literal ^ h, 0x5bd1e995) + 1;
          shape = Math.imul(shape, 0x5bd1e995) + 7;
          if (this.values.length < MOST_VALUES) this.values.push(h >>> 0);
          else this.tooMany = true;
        }
        before = h;
        first = false;
      } else {
        if (!(kind & SPACE) && byte !== bytes[i - 1]) {
          literal = Math.imul(literal ^ byte, 0x01000193);
          shape = Math.imul(shape ^ byte, 0x01000193);
        }
        i++;
        if (split && i - chunkStart >= SHORTEST_CHUNK && (kind & BOUNDARY || (byte === 46 && bytes[i] === 32) || i - chunkStart >= 4 * LONGEST_LINE)) {
          this.add(literal, shape, i - chunkStart);
          literal = START;
          shape = START;
          chunkStart = i;
        }
      }
    }
    if (literal !== START) this.add(literal, shape, end - chunkStart);
  }

  private add(literal: number, shape: number, weight: number): void {
    const h = finish(literal);
    this.a = Math.imul(this.a ^ h, 0x85ebca6b);
    this.a ^= this.a >>> 13;
    this.b = (Math.imul(this.b, 31) + h) | 0;
    const s = literal === shape ? h : finish(shape);
    this.c = Math.imul(this.c ^ s, 0x85ebca6b);
    this.c ^= this.c >>> 13;
    this.d = (Math.imul(this.d, 31) + s) | 0;
    this.seen++;
    if (this.seen > FULL) {
      const sparse = this.seen > FULL * 16 ? 63 : this.seen > FULL * 4 ? 15 : 3;
      if (h & sparse) return;
    }
    if (this.chunks === MOST_CHUNKS) return;
    this.hashes[this.chunks] = h;
    this.weights[this.chunks] = weight;
    this.chunks++;
  }
}

/** Whether the joiner at `i` holds its token together: a colon only inside times, after paths and hosts, and in `://`. */
function joins(bytes: Uint8Array, i: number, tokenStart: number, end: number): boolean {
  if (i + 1 >= end || i === tokenStart) return false;
  const next = bytes[i + 1]!;
  if (bytes[i] === 58) {
    if (next === 47) return bytes[i + 2] === 47;
    if (!(BYTES[next]! & DIGIT)) return false;
    if (BYTES[bytes[i - 1]!]! & DIGIT) return true;
    for (let k = tokenStart; k < i; k++) if (bytes[k] === 46 || bytes[k] === 47) return true;
    return startsWithLocalhost(bytes, tokenStart, i);
  }
  if (bytes[i] === 47 && next === 47) return true;
  if (bytes[i - 1] === 47 && bytes[i] === 47) return true;
  return (BYTES[next]! & WORD) !== 0;
}

const LOCALHOST = [108, 111, 99, 97, 108, 104, 111, 115, 116];
function startsWithLocalhost(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === LOCALHOST.length && LOCALHOST.every((byte, i) => bytes[start + i] === byte);
}

/** A number that opens a line and is followed by `.`, `)`, `:`, `|`, a tab or an arrow: a rank or a line number. */
function isEnumerator(bytes: Uint8Array, start: number, end: number, lineEnd: number): boolean {
  if (end - start > 6 || end >= lineEnd) return false;
  for (let i = start; i < end; i++) if (!(BYTES[bytes[i]!]! & DIGIT)) return false;
  const next = bytes[end];
  return next === 46 || next === 41 || next === 58 || next === 124 || next === 9 || next === 0xe2;
}

const scanner = new Scanner();

/** Reads a result once: digest, shape and chunks. Listed noise is masked on the way. */
export const scanText = (text: string, seed: number): Scan => scanner.scan(text, seed);
