import type { CallPrint, Region, ResultPrint } from '../prints.ts';

/** Where a write was made, small enough to keep in state. */
export interface EditPlace {
  lines: [number, number] | null;
  /** Hashes of the lines that were there before, of those it added, and of those it removed. */
  old: number[];
  added: number[];
  gone: number[];
  /** It writes the whole file. */
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

/**
 * Merges two places, so that a chain of edits, each changing what the previous one left, remains
 * one place.
 */
export const joined = (older: EditPlace, newer: EditPlace): EditPlace => ({
  lines: newer.lines ?? older.lines,
  old: newer.old,
  added: unite(newer.added, without(older.added, newer.gone)),
  gone: unite(newer.gone, without(older.gone, newer.added)),
  whole: newer.whole,
});

const without = (hashes: readonly number[], others: readonly number[]): number[] =>
  hashes.filter((hash) => !others.includes(hash));
const unite = (hashes: readonly number[], others: readonly number[]): number[] =>
  [...new Set([...hashes, ...others])].slice(0, 2 * MAX_HASHES);
const meet = (hashes: readonly number[], others: readonly number[]): boolean =>
  hashes.some((hash) => others.includes(hash));

const isMostly = (hashes: readonly number[], others: readonly number[]): boolean =>
  hashes.length > 0 && 2 * without(hashes, others).length <= hashes.length;

/**
 * Whether a later write is at the place of an earlier one. It is if at least half of the lines
 * that it removes were added by the earlier write, if both insert the same lines without replacing
 * anything, if their line ranges overlap, or if both write the whole file. Unchanged lines around
 * both edits do not count, and a single common line may occur in every function.
 */
export function placesOverlap(earlier: EditPlace, later: EditPlace): boolean {
  if (earlier.whole || later.whole) return earlier.whole && later.whole;
  if (isMostly(later.gone.length > 0 ? later.gone : later.old, earlier.added)) return true;
  // A line can be removed from one place only once, so a second removal of the same line is at
  // another place.
  if (meet(later.gone, earlier.gone)) return false;
  if (later.old.length === 0 && meet(later.added, earlier.added)) return true;
  return (
    earlier.lines !== null &&
    later.lines !== null &&
    earlier.lines[0] <= later.lines[1] &&
    later.lines[0] <= earlier.lines[1]
  );
}

/** A result with this many characters shows what the write left, so it counts as a look. */
const SHOWS_CONTENT = 400;
export const showsContent = ({ size }: ResultPrint): boolean => size >= SHOWS_CONTENT;

/**
 * Steps after which an earlier write of a file no longer counts, because the agent has worked on
 * something else since.
 */
const CONSECUTIVE = 10;
export const isConsecutive = (step: number, last: number): boolean => step - last <= CONSECUTIVE;

/**
 * A check, any program that is run, or the state of a job elsewhere shows what the edits did, even
 * if it fails.
 */
export const isRun = ({ verb, shell, look, poll }: CallPrint): boolean =>
  verb === 'verify' || (verb === 'execute' && (shell || look)) || (shell && poll);

export const isFile = (target: string): boolean => target.startsWith('file:');

export const targetsOf = (call: CallPrint): string[] =>
  call.targets ?? (call.target === null ? [] : [call.target]);

/** `3rd`, `11th`, `21st`. */
export function ordinal(n: number): string {
  const tens = n % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${suffix}`;
}
