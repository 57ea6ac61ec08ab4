import type { CallPrint, Region } from '../fingerprint/call.ts';
import type { ResultPrint } from '../fingerprint/result.ts';

/** Where a write was, small enough to keep. */
export interface Place {
  lines: [number, number] | null;
  hashes: number[];
  /** Lines that were there and are no more. */
  gone: number[];
  /** Writes the whole thing. */
  whole: boolean;
}

const MOST_HASHES = 8;

export const placeOf = (region: Region | null): Place => ({
  lines: region?.lines ?? null,
  hashes: region?.hashes.slice(0, MOST_HASHES) ?? [],
  gone: region?.gone?.slice(0, MOST_HASHES) ?? [],
  whole: region !== null && region.hashes.length === 0 && region.lines === undefined,
});

/** Both places: a chain of edits, each of what the one before left, stays one place. */
export const joined = (older: Place, newer: Place): Place => ({
  lines: newer.lines ?? older.lines,
  hashes: [...new Set([...newer.hashes, ...older.hashes])].slice(0, 2 * MOST_HASHES),
  // What the newer one wrote is there again.
  gone: [...new Set([...newer.gone, ...older.gone.filter((hash) => !newer.hashes.includes(hash))])].slice(0, 2 * MOST_HASHES),
  whole: newer.whole,
});

/** Whether two writes were to the same place: common lines of text, or overlapping line numbers; or both wrote the whole file. */
export function overlap(a: Place, b: Place): boolean {
  if (a.whole || b.whole) return a.whole && b.whole;
  // A line can be taken away from one place only once: the same change again was made elsewhere.
  if (a.gone.some((hash) => b.gone.includes(hash))) return false;
  if (a.hashes.some((hash) => b.hashes.includes(hash))) return true;
  return a.lines !== null && b.lines !== null && a.lines[0] <= b.lines[1] && b.lines[0] <= a.lines[1];
}

/** A result this long shows what the write left: that is a look. */
const SHOWS_CONTENT = 400;
export const showsContent = ({ size }: ResultPrint): boolean => size >= SHOWS_CONTENT;

export const isFile = (target: string): boolean => target.startsWith('file:');

/** Everything a call touches. */
export const targetsOf = (call: CallPrint): string[] => call.targets ?? (call.target === null ? [] : [call.target]);

/** `3rd`, `11th`, `21st`. */
export function ordinal(n: number): string {
  const tens = n % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${suffix}`;
}
