import type { CallPrint, Region, ResultPrint } from '../prints.ts';

/** Where a write was, small enough to keep. */
export interface EditPlace {
  lines: [number, number] | null;
  /** Lines that were there before, lines that it brought, and lines that it took away. */
  old: number[];
  added: number[];
  gone: number[];
  /** Writes the whole thing. */
  whole: boolean;
}

const MAX_HASHES = 8;

export function editPlaceOf(region: Region | null): EditPlace {
  const added = region?.added ?? [];
  return {
    lines: region?.lines ?? null,
    old: region?.hashes.filter((hash) => !added.includes(hash)).slice(0, MAX_HASHES) ?? [],
    added: added.slice(0, MAX_HASHES),
    gone: region?.gone?.slice(0, MAX_HASHES) ?? [],
    whole: region !== null && region.hashes.length === 0 && region.lines === undefined,
  };
}

/** Both places: a chain of edits, each of what the one before left, stays one place. */
export const joined = (older: EditPlace, newer: EditPlace): EditPlace => ({
  lines: newer.lines ?? older.lines,
  old: newer.old,
  added: unite(newer.added, without(older.added, newer.gone)),
  gone: unite(newer.gone, without(older.gone, newer.added)),
  whole: newer.whole,
});

const without = (hashes: readonly number[], others: readonly number[]): number[] => hashes.filter((hash) => !others.includes(hash));
const unite = (hashes: readonly number[], others: readonly number[]): number[] =>
  [...new Set([...hashes, ...others])].slice(0, 2 * MAX_HASHES);
const meet = (hashes: readonly number[], others: readonly number[]): boolean => hashes.some((hash) => others.includes(hash));

/**
 * Whether a later write is to the place of an earlier one: it changes what that one brought, or both put in the same without replacing
 * anything, or their line numbers overlap, or both wrote the whole file. Lines that merely stand around two edits make no place.
 */
export function placesOverlap(earlier: EditPlace, later: EditPlace): boolean {
  if (earlier.whole || later.whole) return earlier.whole && later.whole;
  if (meet(later.old, earlier.added)) return true;
  // A line can be taken away from one place only once: the same change again was made elsewhere.
  if (meet(later.gone, earlier.gone)) return false;
  if (later.old.length === 0 && meet(later.added, earlier.added)) return true;
  return earlier.lines !== null && later.lines !== null && earlier.lines[0] <= later.lines[1] && later.lines[0] <= earlier.lines[1];
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
