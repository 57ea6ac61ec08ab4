import type { TextScan } from './scan.ts';

/** 65,536 bits with three hashes hold 6,000 chunks per generation, with 1.4 % false "known". */
const WORDS = 2048;
const CAPACITY = 6000;

/**
 * The chunks that this session knows, as two generations of a Bloom filter: a full young
 * generation becomes the old one. So it remembers the last 6,000 to 12,000 chunks in fixed memory.
 * Older chunks are forgotten, and count as new again.
 */
export class KnownLines {
  private young = new Uint32Array(WORDS);
  private old = new Uint32Array(WORDS);
  private held = 0;
  /** Both generations as last written out; null if they have changed since. */
  private youngText: string | null = null;
  private oldText: string | null = null;
  /** The JSON that it was restored from, until it is first needed. */
  private packed: readonly unknown[] | null = null;

  /**
   * The share of a scan's chunks, weighted by length, that is not known yet. Remembers all of them. 0
   * for an empty text.
   */
  novelty(scan: TextScan): number {
    this.unpack();
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

  /** Remembers a chunk. Returns true if it is new. */
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
        this.oldText = this.youngText;
        this.held = 0;
      }
      const young = this.young;
      young[i >>> 5]! |= 1 << (i & 31);
      young[j >>> 5]! |= 1 << (j & 31);
      young[k >>> 5]! |= 1 << (k & 31);
      this.held++;
      this.youngText = null;
    }
    return !known;
  }

  private has(bits: Uint32Array, i: number, j: number, k: number): boolean {
    return (
      (bits[i >>> 5]! & (1 << (i & 31))) !== 0 &&
      (bits[j >>> 5]! & (1 << (j & 31))) !== 0 &&
      (bits[k >>> 5]! & (1 << (k & 31))) !== 0
    );
  }

  toJSON(): readonly unknown[] {
    if (this.packed) return this.packed;
    this.youngText ??= pack(this.young);
    this.oldText ??= pack(this.old);
    return [this.held, this.youngText, this.oldText];
  }

  /** Unpacks only when needed: many processes that resume a session never need it. */
  static from(packed: unknown): KnownLines {
    const known = new KnownLines();
    if (Array.isArray(packed)) known.packed = packed;
    return known;
  }

  private unpack(): void {
    if (!this.packed) return;
    const [held, young, old] = this.packed;
    this.packed = null;
    this.held = Number(held) || 0;
    unpack(young, this.young);
    unpack(old, this.old);
  }
}

/** Base64, which platforms convert quickly; runs of 5 or more `A` are written as `*<length>.`. */
function pack(bits: Uint32Array): string {
  return base64(new Uint8Array(bits.buffer)).replace(/A{5,}/g, ({ length }) => `*${length}.`);
}

/**
 * Ignores anything but a string, such as another version's format: its chunks then count as new.
 */
function unpack(text: unknown, bits: Uint32Array): void {
  if (typeof text !== 'string') return;
  const bytes = bytesOf(text.replace(/\*(\d{1,5})\./g, (_, length) => 'A'.repeat(Number(length))));
  new Uint8Array(bits.buffer).set(bytes.subarray(0, bits.byteLength));
}

const base64 = (bytes: Uint8Array): string =>
  typeof Buffer === 'function'
    ? Buffer.from(bytes.buffer).toString('base64')
    : // Spreading the bytes would take fifteen times as long in a process that has just started.
      btoa(String.fromCharCode.apply(null, bytes as unknown as number[]));

/**
 * Uses the platform's fast conversion: in a process that has just started, any other would take
 * longer than everything else.
 */
function bytesOf(text: string): Uint8Array {
  try {
    return typeof Buffer === 'function'
      ? Buffer.from(text, 'base64')
      : Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
