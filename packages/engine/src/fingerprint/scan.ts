import { finish, pair } from '../hash.ts';
import {
  BOUNDARY,
  BYTES,
  CONTROL,
  DIGIT_BYTE,
  FACTORS,
  INVERSE,
  JOINER,
  numberAt,
  PRIME,
  rawHash,
  START,
} from './bytes.ts';
import { cleanLine } from './clean-line.ts';
import { classifyToken, isPosition, LITERAL, MASKED, QUANTITY, VALUE } from './noise.ts';
import { hashOf, isEnumerator, isLineNumber, tokenEnd, tokenStart, wordBefore } from './token.ts';

/** Longer lines are split, so that one new item in a long list is one new chunk. */
const MAX_LINE_LENGTH = 160;
const SHORTEST_CHUNK = 16;
const NEWLINE = 10;
const TAB = 9;
const SPACE = 32;
/**
 * After this many chunks only every fourth is kept, later every sixteenth and so on. They are
 * chosen by hash, so that the same text keeps the same chunks.
 */
const FULL = 1024;
const MAX_CHUNKS = 8192;
const MAX_VALUES = 8;
/** Where something is now is told in at most this many characters. */
const SHORT = 160;
/**
 * Only the head and the tail of longer texts are read token by token, which takes up to 30 ns per
 * character. In between every difference counts, even one that is noise elsewhere.
 */
const MAX_TEXT = 1 << 17;
/** What is in between is cut at the first newline after so many bytes, or after the second number. */
const RAW_CHUNK = 256;
const MAX_RAW_CHUNK = 4096;

/** What one pass over a result finds: its hashes with noise masked, and its chunks. */
export interface TextScan {
  /** Equal if the texts are equal apart from listed noise. */
  digest: string;
  /** Like `digest`, with every value without a direction masked, too. */
  shape: string;
  /** Hashes of those values, in order; null if there are too many to learn from. */
  values: number[] | null;
  /** Hash of the quantities with a direction. */
  quantities: number;
  /** Whether there is anything besides the values. */
  worded: boolean;
  /**
   * Chunk hashes and their weights, up to `chunks`. Shared buffers: the next scan overwrites them.
   */
  chunks: number;
  hashes: Uint32Array;
  weights: Uint32Array;
}

const encoder = new TextEncoder();
const SIZE = 1 << 16;

class Scanner {
  private readonly bytes = new Uint8Array(SIZE + 8);
  private readonly hashes = new Uint32Array(MAX_CHUNKS);
  private readonly weights = new Uint32Array(MAX_CHUNKS);
  private chunks = 0;
  private seen = 0;
  private values: number[] = [];
  private tooMany = false;
  private worded = false;
  private quantities = 0;
  /**
   * Whether a line's number is part of its identity, the last line number, and that of the current
   * chunk.
   */
  private placed = false;
  /** A short text is an answer, not a report. */
  private short = false;
  private lastPlace = -1;
  /** The last number before a tab. */
  private lastNumber = -1;
  private place = 0;
  private a = 0;
  private b = 0;
  private c = 0;
  private d = 0;

  scan(text: string, seed: number, placed: boolean): TextScan {
    this.chunks = 0;
    this.seen = 0;
    this.values = [];
    this.tooMany = false;
    this.worded = false;
    this.quantities = 0;
    this.placed = placed;
    this.short = text.length <= SHORT;
    this.lastPlace = -1;
    this.lastNumber = -1;
    this.place = 0;
    this.a = seed | 0;
    this.b = ~seed;
    this.c = this.a;
    this.d = this.b;
    if (text.length <= MAX_TEXT) this.text(text);
    else {
      const half = MAX_TEXT / 2;
      this.text(text.slice(0, half));
      this.between(text, half, text.length - half);
      this.text(text.slice(-half));
    }
    return {
      digest: pair(finish(this.a), finish(this.b)),
      shape: pair(finish(this.c), finish(this.d)),
      values: this.tooMany ? null : this.values,
      quantities: this.quantities,
      worded: this.worded,
      chunks: this.chunks,
      hashes: this.hashes,
      weights: this.weights,
    };
  }

  private text(text: string): void {
    // A third of the buffer, because one UTF-16 unit takes at most three bytes.
    const block = Math.floor(SIZE / 3);
    for (let from = 0; from < text.length; ) {
      const to = Math.min(from + block, text.length);
      let part = from === 0 && to === text.length ? text : text.slice(from, to);
      if (to < text.length) {
        // Searches the block only: from a text without newlines, it would go back to the start.
        const lines = text.slice(from, to + 1);
        const newline = lines.lastIndexOf('\n');
        if (newline > 0) part = lines.slice(0, newline + 1);
      }
      this.block(encoder.encodeInto(part, this.bytes).written);
      from += part.length;
    }
  }

  /** Adds what is between the head and the tail of a long text, in chunks that are hashed as they are. */
  private between(text: string, start: number, end: number): void {
    const { bytes } = this;
    const block = Math.floor(SIZE / 3);
    for (let from = start; from < end; from += block) {
      const { written } = encoder.encodeInto(text.slice(from, Math.min(from + block, end)), bytes);
      bytes[written] = NEWLINE;
      for (let chunk = 0; chunk < written; ) {
        const newline = bytes.indexOf(NEWLINE, Math.min(chunk + RAW_CHUNK, written)) + 1;
        const stop = Math.min(newline, chunk + MAX_RAW_CHUNK, written);
        const hash = rawHash(bytes, chunk, stop);
        this.add(hash, 0, stop - chunk);
        // A quantity in it may have moved.
        this.quantities = Math.imul(this.quantities ^ hash, PRIME);
        chunk = stop;
      }
    }
  }

  private block(length: number): void {
    const bytes = this.bytes;
    const table = BYTES;
    const factors = FACTORS;
    bytes[length] = NEWLINE;
    for (let start = 0; start < length; ) {
      let h = START;
      let i = start;
      let byte = bytes[i]!;
      let entry = table[byte]!;
      while (!(entry & (DIGIT_BYTE | CONTROL))) {
        h = Math.imul(h ^ (entry & 255), factors[byte]!);
        byte = bytes[++i]!;
        entry = table[byte]!;
      }
      const end = byte === NEWLINE ? i : bytes.indexOf(NEWLINE, i);
      if (end - start > MAX_LINE_LENGTH) this.line(start, end, start, START);
      else if (i < end) this.line(start, end, i, h);
      else if (h !== START) this.add(h, 0, end - start);
      start = end + 1;
    }
  }

  /**
   * Scans a line that has digits or control characters or is too long for one chunk, from byte
   * `from` on. `hash` is the hash of the bytes before. Values are hashed separately, so that the
   * rest is the line's shape.
   */
  private line(lineStart: number, end: number, from: number, hash: number): void {
    const bytes = this.bytes;
    const table = BYTES;
    const factors = FACTORS;
    const stops =
      end - lineStart > MAX_LINE_LENGTH ? DIGIT_BYTE | CONTROL | BOUNDARY : DIGIT_BYTE | CONTROL;
    let h = hash;
    let values = 0;
    let chunk = lineStart;
    // Tokens begin at or after this index.
    let free = lineStart;
    let i = from;
    for (;;) {
      let byte = bytes[i]!;
      let entry = table[byte]!;
      while (!(entry & stops)) {
        h = Math.imul(h ^ (entry & 255), factors[byte]!);
        byte = bytes[++i]!;
        entry = table[byte]!;
      }
      if (i >= end) break;
      if (entry & DIGIT_BYTE) {
        const start = tokenStart(bytes, free, i);
        const stop = tokenEnd(bytes, start, i, end);
        const enumerates =
          isEnumerator(bytes, lineStart, start, stop, end) &&
          (bytes[stop] !== TAB || this.isNumbered(bytes, start, stop, end));
        if (enumerates && this.placed) this.isAt(bytes, start, stop);
        const name = enumerates ? 0 : wordBefore(bytes, lineStart, start);
        const own = enumerates ? MASKED : classifyToken(bytes, start, stop, end, name);
        const kind =
          own === VALUE && this.short && isPosition(bytes, start, stop, end, name) ? QUANTITY : own;
        if (kind === LITERAL || kind === QUANTITY) {
          for (let k = i; k < stop; k++) h = Math.imul(h ^ (table[bytes[k]!]! & 255), PRIME);
          if (kind === QUANTITY) this.quantities = Math.imul(this.quantities ^ h, PRIME);
        } else {
          // Undoes the hash of the part of the token that was already hashed.
          for (let k = i - 1; k >= start; k--)
            h = Math.imul(h, INVERSE) ^ (table[bytes[k]!]! & 255);
          if (kind === VALUE) {
            const value = hashOf(bytes, start, stop);
            h = Math.imul(h ^ 7, PRIME);
            values = Math.imul(values ^ value, PRIME);
            if (this.values.length < MAX_VALUES) this.values.push(value);
            else this.tooMany = true;
          }
        }
        i = stop;
        free = stop;
      } else if (entry & CONTROL) {
        const cleaned = cleanLine(bytes, chunk, end);
        bytes[cleaned] = NEWLINE;
        if (cleaned > chunk) this.line(chunk, cleaned, chunk, START);
        return;
      } else {
        h = Math.imul(h ^ (entry & 255), PRIME);
        const next = bytes[++i]!;
        // Braces delimit items of a list. Cutting there aligns equal items, whatever precedes them.
        const brace = byte === 123 || byte === 125;
        if ((!brace && i - chunk <= SHORTEST_CHUNK) || (entry & JOINER && next !== 32)) continue;
        this.add(h, values, i - chunk);
        h = START;
        values = 0;
        chunk = i;
        free = i;
      }
    }
    if (chunk < end) this.add(h, values, end - chunk);
  }

  private isNumbered(bytes: Uint8Array, start: number, stop: number, end: number): boolean {
    const before = this.lastNumber;
    this.lastNumber = numberAt(bytes, start, stop);
    let next = end + 1;
    while (bytes[next] === SPACE) next++;
    return isLineNumber(this.lastNumber, before, numberAt(bytes, next, next + stop - start + 1));
  }

  /** Consecutive line numbers mean that these are lines of a file. */
  private isAt(bytes: Uint8Array, start: number, stop: number): void {
    const number = numberAt(bytes, start, stop);
    // A number followed by a dot or a bracket is a rank.
    this.place =
      number === this.lastPlace + 1 && bytes[stop] !== 46 && bytes[stop] !== 41 ? number : 0;
    this.lastPlace = number;
  }

  /** Ends a chunk: adds the hash of its shape and of its values. */
  private add(shape: number, values: number, weight: number): void {
    const s = finish(shape);
    const h = values === 0 ? s : finish(shape ^ Math.imul(values, 0x9e3779b1));
    this.a = Math.imul(this.a ^ h, 0x85ebca6b);
    this.a ^= this.a >>> 13;
    this.b = (Math.imul(this.b, 31) + h) | 0;
    this.c = Math.imul(this.c ^ s, 0x85ebca6b);
    this.c ^= this.c >>> 13;
    this.d = (Math.imul(this.d, 31) + s) | 0;
    if (values === 0 || weight > 24) this.worded = true;
    const chunk = this.place === 0 ? h : finish(h ^ Math.imul(this.place, 0x9e3779b1));
    this.place = 0;
    this.seen++;
    if (this.seen > FULL) {
      const sparse = this.seen > FULL * 16 ? 63 : this.seen > FULL * 4 ? 15 : 3;
      if (chunk & sparse) return;
    }
    if (this.chunks === MAX_CHUNKS) return;
    this.hashes[this.chunks] = chunk;
    this.weights[this.chunks] = weight;
    this.chunks++;
  }
}

const scanner = new Scanner();

/**
 * Reads a result once and returns its digest, shape and chunks, with listed noise masked. With
 * `placed`, the number of a line in a file is part of its chunk: a line counts as new unless it was
 * shown at that number before.
 */
export const scanLines = (text: string, seed: number, placed = false): TextScan =>
  scanner.scan(text, seed, placed);
