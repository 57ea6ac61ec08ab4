/**
 * Keyed, fast and not cryptographic: fingerprints must not be comparable between installations, and
 * must cost little.
 */

/** One 32-bit number for a text. */
export function hash32(text: string, seed = 0): number {
  let h = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return finish(h);
}

/** A 64-bit fingerprint as text: two independent 32-bit lanes. */
export function hash64(text: string, seed = 0): string {
  let a = 0x811c9dc5 ^ seed;
  let b = 0x9e3779b9 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 0x01000193);
    b = Math.imul(b ^ c, 0x85ebca6b);
    b ^= b >>> 15;
  }
  return pair(finish(a), finish(b));
}

/** Spreads every bit of `h` over the whole word. */
export function finish(h: number): number {
  let x = h;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

const LETTERS = new Uint8Array(64);
for (const [i, letter] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
].entries())
  LETTERS[i] = letter.charCodeAt(0);

/**
 * Two lanes as one short text. Writing six bits per letter in one call is several times faster than
 * formatting numbers.
 */
export const pair = (a: number, b: number): string =>
  String.fromCharCode(
    LETTERS[a & 63]!,
    LETTERS[(a >>> 6) & 63]!,
    LETTERS[(a >>> 12) & 63]!,
    LETTERS[(a >>> 18) & 63]!,
    LETTERS[(a >>> 24) & 63]!,
    LETTERS[((a >>> 30) & 3) | ((b & 15) << 2)]!,
    LETTERS[(b >>> 4) & 63]!,
    LETTERS[(b >>> 10) & 63]!,
    LETTERS[(b >>> 16) & 63]!,
    LETTERS[(b >>> 22) & 63]!,
    LETTERS[(b >>> 28) & 15]!,
  );
