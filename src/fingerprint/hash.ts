/** Keyed, fast, not cryptographic: fingerprints must not be comparable between installations, and cost little. */

/** One 32-bit number for a text. */
export function hash32(text: string, seed = 0): number {
  let h = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return finish(h);
}

/** The text of a 64-bit fingerprint: two independent 32-bit lanes. */
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

/** Two lanes as one short text. */
export const pair = (a: number, b: number): string => `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
