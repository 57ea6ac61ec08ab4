import { finish, pair } from '../hash.ts';

/**
 * After this many chunks only every fourth is kept, later every sixteenth and so on. They are
 * chosen by hash, so that the same text keeps the same chunks.
 */
const FULL = 1024;
const MAX_CHUNKS = 8192;

/** The chunks of a text and the hashes over all of them. One buffer is used for all texts. */
export class Chunks {
  readonly hashes = new Uint32Array(MAX_CHUNKS);
  readonly weights = new Uint32Array(MAX_CHUNKS);
  count = 0;
  /** Whether there is anything besides values. */
  worded = false;
  /** The line number that is part of the current chunk; 0 if none is. */
  place = 0;
  private seen = 0;
  private a = 0;
  private b = 0;
  private c = 0;
  private d = 0;

  clear(seed: number): void {
    this.count = 0;
    this.worded = false;
    this.place = 0;
    this.seen = 0;
    this.a = seed | 0;
    this.b = ~seed;
    this.c = this.a;
    this.d = this.b;
  }

  digest(): string {
    return pair(finish(this.a), finish(this.b));
  }

  /** The digest with every value masked. */
  shape(): string {
    return pair(finish(this.c), finish(this.d));
  }

  /** Ends a chunk: adds the hash of its shape and of its values. */
  add(shape: number, values: number, weight: number): void {
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
    if (this.count === MAX_CHUNKS) return;
    this.hashes[this.count] = chunk;
    this.weights[this.count] = weight;
    this.count++;
  }
}
