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
  const region = regionOfLines(linesOf(before, MAX_HASHES / 2), linesOf(after, MAX_HASHES));
  if (lines !== undefined) region.lines = lines;
  if (before !== null) region.before = hash64(before.trim());
  if (after !== null) region.after = hash64(after.trim());
  if (before !== null && before === after) region.unchanged = true;
  if (region.hashes.length === 0 && lines === undefined) identifyByText(region, before, after);
  return region;
}

/**
 * Half of the space is reserved for the old lines, so that a long replacement does not displace
 * what it replaced.
 */
function regionOfLines(old: readonly number[], now: readonly number[]): Region {
  const gone = old.filter((hash) => !now.includes(hash));
  const added = now.filter((hash) => !old.includes(hash));
  const region: Region = { hashes: [...old, ...added].slice(0, MAX_HASHES) };
  if (gone.length > 0) region.gone = gone;
  if (added.length > 0) region.added = added;
  return region;
}

/** If there are only trivial lines, the whole text identifies the place. */
function identifyByText(region: Region, before: string | null, after: string | null): void {
  const old = textHash(before);
  const now = textHash(after);
  if (old !== null) region.hashes.push(old);
  if (now === old) return;
  if (now !== null) region.hashes.push(now);
  if (old !== null) region.gone = [old];
  if (now !== null) region.added = [now];
}

function textHash(text: string | null): number | null {
  const trimmed = text?.trim();
  return trimmed ? hash32(trimmed) : null;
}

function linesOf(text: string | null, most: number): number[] {
  const hashes: number[] = [];
  if (text !== null) addLines(hashes, text, most);
  return hashes;
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
