import type { Scan } from './scan.ts';

/** 65,536 bits and three hashes hold 6,000 chunks at 1.4 % false "seen" a generation. */
const WORDS = 2048;
const CAPACITY = 6000;

/**
 * What this session has seen, as two generations of a Bloom filter: when the young one is full it becomes the old one. So it
 * remembers the last 6,000 to 12,000 chunks in fixed memory, and forgets older ones, which errs towards "new".
 */
export class Seen {
  private young = new Uint32Array(WORDS);
  private old = new Uint32Array(WORDS);
  private held = 0;

  /** The share (by length) of a scan's chunks that was never seen, and remembers them all. An empty text brings nothing. */
  novelty(scan: Scan): number {
    const { hashes, weights, chunks } = scan;
    let total = 0;
    let fresh = 0;
    for (let i = 0; i < chunks; i++) {
      const weight = weights[i]!;
      total += weight;
      if (this.add(hashes[i]!)) fresh += weight;
    }
    return total === 0 ? 0 : fresh / total;
  }

  /** Remembers a chunk; true when it is new. */
  private add(h: number): boolean {
    const b = Math.imul(h, 0x9e3779b1) >>> 0;
    const i = h & 0xffff;
    const j = (h >>> 16) ^ (b & 0xff);
    const k = b >>> 16;
    const inYoung = this.has(this.young, i, j, k);
    const known = inYoung || this.has(this.old, i, j, k);
    if (!inYoung) {
      if (this.held >= CAPACITY) {
        const emptied = this.old;
        this.old = this.young;
        this.young = emptied.fill(0);
        this.held = 0;
      }
      const young = this.young;
      young[i >>> 5]! |= 1 << (i & 31);
      young[j >>> 5]! |= 1 << (j & 31);
      young[k >>> 5]! |= 1 << (k & 31);
      this.held++;
    }
    return !known;
  }

  private has(bits: Uint32Array, i: number, j: number, k: number): boolean {
    return (bits[i >>> 5]! & (1 << (i & 31))) !== 0 && (bits[j >>> 5]! & (1 << (j & 31))) !== 0 && (bits[k >>> 5]! & (1 << (k & 31))) !== 0;
  }

  toJSON(): string[] {
    return [String(this.held), pack(this.young), pack(this.old)];
  }

  static from(packed: unknown): Seen {
    const seen = new Seen();
    if (!Array.isArray(packed)) return seen;
    const [held, young, old] = packed as unknown[];
    seen.held = Number(held) || 0;
    unpack(young, seen.young);
    unpack(old, seen.old);
    return seen;
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUE_OF = new Uint8Array(128);
for (let i = 0; i < ALPHABET.length; i++) VALUE_OF[ALPHABET.charCodeAt(i)] = i;

/** Bits as text, six to a character; runs of 5 or more empty characters as `*<length>.`. */
function pack(bits: Uint32Array): string {
  const bytes = new Uint8Array(bits.buffer);
  let text = '';
  let zeros = 0;
  const flush = (): void => {
    text += zeros >= 5 ? `*${zeros}.` : 'A'.repeat(zeros);
    zeros = 0;
  };
  for (let i = 0; i < bytes.length; i += 3) {
    const group = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (let shift = 18; shift >= 0; shift -= 6) {
      const value = (group >> shift) & 63;
      if (value === 0) zeros++;
      else {
        if (zeros > 0) flush();
        text += ALPHABET[value];
      }
    }
  }
  flush();
  return text;
}

function unpack(text: unknown, bits: Uint32Array): void {
  if (typeof text !== 'string') return;
  const bytes = new Uint8Array(bits.buffer);
  let at = 0;
  const put = (value: number): void => {
    const byte = (at * 6) >> 3;
    const offset = (at * 6) & 7;
    const wide = value << (10 - offset);
    if (byte < bytes.length) bytes[byte]! |= wide >> 8;
    if (byte + 1 < bytes.length) bytes[byte + 1]! |= wide & 255;
    at++;
  };
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '*') {
      const end = text.indexOf('.', i);
      if (end < 0) return;
      at += Number(text.slice(i + 1, end)) || 0;
      i = end;
    } else put(VALUE_OF[text.charCodeAt(i) & 127]!);
  }
}
