import { finish } from '../hash.ts';
import { keepSmallest } from './sketch.ts';

/** Only this many characters of the arguments are searched for words. */
const MAX_LENGTH = 2048;
const MAX = 32;
const STEM = 5;

/**
 * 1 is a letter or digit; 2 joins two of them into one word (a path, a URL, a dotted name); 0
 * separates words.
 */
const KIND = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_')
  KIND[char.charCodeAt(0)] = 1;
for (const char of '/.-:@~') KIND[char.charCodeAt(0)] = 2;
const kind = (c: number): number => (c < 128 ? KIND[c]! : 1);

/**
 * Hashes of the words in a text or in canonical arguments: lower-cased, sorted, the 32 (or `most`)
 * smallest. A path or URL is one word.
 */
export function wordHashes(text: string, seed: number, most = MAX): number[] {
  const length = Math.min(text.length, MAX_LENGTH);
  const found: number[] = [];
  let i = 0;
  while (i < length) {
    if (kind(text.charCodeAt(i)) !== 1) {
      i++;
      continue;
    }
    let h = 0x811c9dc5 ^ seed;
    let letters = 0;
    for (; i < length; i++) {
      let c = text.charCodeAt(i);
      const k = kind(c);
      if (k === 0 || (k === 2 && !continues(text, i + 1, length))) break;
      if (c >= 65 && c <= 90) c += 32;
      // Makes `refresh`, `refreshing` and `refreshed` one word. Paths and names with digits are not
      // cut.
      if (letters >= 0) letters = c >= 97 && c <= 122 ? letters + 1 : -1;
      if (letters > STEM) continue;
      h = Math.imul(h ^ c, 0x01000193);
    }
    // The name of an argument tells nothing about its value, so it is skipped.
    if (text.charCodeAt(i) !== 34 || text.charCodeAt(i + 1) !== 58)
      keepSmallest(found, finish(h), most);
  }
  return found;
}

/** Whether a word continues after a sign such as a dot. */
const continues = (text: string, next: number, length: number): boolean =>
  next < length && kind(text.charCodeAt(next)) !== 0;

/** The share of common members: 0 for disjoint, 1 for equal. Both must be sorted. */
export function jaccard(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 && b.length === 0) return 1;
  const shared = sharedBy(a, b);
  return shared / (a.length + b.length - shared);
}

/**
 * Whether one adds words to the other or drops some: at least this share of the shorter list is in
 * the longer one. Both must be sorted.
 */
export function isRewording(a: readonly number[], b: readonly number[], share = 0.6): boolean {
  const smaller = Math.min(a.length, b.length);
  return smaller >= 2 && sharedBy(a, b) >= share * smaller;
}

/** How many members two sorted lists have in common. */
export function sharedBy(a: readonly number[], b: readonly number[]): number {
  let i = 0;
  let j = 0;
  let shared = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      shared++;
      i++;
      j++;
    } else if (a[i]! < b[j]!) i++;
    else j++;
  }
  return shared;
}
