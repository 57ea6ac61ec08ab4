import { hash32, hash64 } from '../hash.ts';
import type { Region } from '../prints.ts';

const MAX_HASHES = 24;
/** For a whole file only this many lines are kept, just to show that it has content. */
const MAX_WHOLE = 4;
/**
 * A line with fewer letters and digits (`} else {`, `return nil`, `if err != nil {`) occurs in many
 * places and identifies none.
 */
const FEWEST_LETTERS = 10;
/** The rest of a longer text is not split into lines. */
const MAX_LENGTH = 16_384;

/** Where an edit takes place, identified by its old and new lines. */
export function regionOfEdit(
  before: string | null,
  after: string | null,
  lines?: [number, number],
): Region | null {
  if (before === null && after === null && lines === undefined) return null;
  const hashes: number[] = [];
  // Half of the space is reserved for each side, so that a long replacement does not displace what
  // it replaced.
  if (before !== null) addLines(hashes, before, MAX_HASHES / 2);
  const left: number[] = [];
  if (after !== null) addLines(left, after, MAX_HASHES);
  const gone = hashes.filter((hash) => !left.includes(hash));
  const added = left.filter((hash) => !hashes.includes(hash));
  for (const hash of left)
    if (hashes.length < MAX_HASHES && !hashes.includes(hash)) hashes.push(hash);
  const region: Region = { hashes };
  if (gone.length > 0) region.gone = gone;
  if (added.length > 0) region.added = added;
  if (lines !== undefined) region.lines = lines;
  if (before !== null) region.before = hash64(before.trim());
  if (after !== null) region.after = hash64(after.trim());
  if (before !== null && before === after) region.unchanged = true;
  // If there are only trivial lines, the whole text identifies the place.
  if (hashes.length === 0 && lines === undefined) {
    const [old, now] = [before?.trim(), after?.trim()].map((text) => (text ? hash32(text) : null));
    if (old != null) hashes.push(old);
    if (now != null && now !== old) hashes.push(now);
    if (old != null && now !== old) region.gone = [old];
    if (now != null && now !== old) region.added = [now];
  }
  return region;
}

/** The region of a write of the whole file: no place in it, but its content is known. */
export function wholeFile(content: string): Region {
  const added: number[] = [];
  addLines(added, content, MAX_WHOLE);
  return { hashes: [], after: hash64(content.trim()), ...(added.length > 0 ? { added } : {}) };
}

function addLines(hashes: number[], text: string, most: number): void {
  const end = Math.min(text.length, MAX_LENGTH);
  for (let start = 0; start < end && hashes.length < most; ) {
    const found = text.indexOf('\n', start);
    const stop = found < 0 || found > end ? end : found;
    if (stop - start >= FEWEST_LETTERS) {
      const line = text.slice(start, stop).trim();
      if (!isTrivial(line)) {
        const hash = hash32(line);
        if (!hashes.includes(hash)) hashes.push(hash);
      }
    }
    start = stop + 1;
  }
}

function isTrivial(line: string): boolean {
  let letters = 0;
  for (let i = 0; i < line.length && letters < FEWEST_LETTERS; i++) {
    const c = line.charCodeAt(i);
    if ((c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c > 127) letters++;
  }
  return letters < FEWEST_LETTERS || (line.startsWith('return ') && line.length < 20);
}
