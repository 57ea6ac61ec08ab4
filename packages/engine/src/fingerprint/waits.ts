import { push } from '../recent.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { ReaderState } from './reader-state.ts';

/** Silences kept; their median is usual. */
const MAX_SILENCES = 15;
/** A wait is this many times as long as usual, and at least `SHORTEST_WAIT` milliseconds long. */
const UNUSUAL = 3;
const SHORTEST_WAIT = 15_000;
/** The same, if the host has told how long the model thought. */
const SHORTEST_TOLD = 10_000;
/**
 * Milliseconds for which no model thinks before each call, so such a silence is a wait in any
 * session.
 */
export const LONG_WAIT = 300_000;

/** A silence, less the milliseconds that somebody is known to have taken of it. */
export const silenceWithout = (silence: number, taken: number | undefined): number =>
  Number.isFinite(taken) ? Math.max(0, silence - Math.max(0, taken!)) : silence;

/**
 * The silence if it is a wait, otherwise 0. If every step takes long, as with a model that thinks
 * long, only a very long silence is a wait; if the host has `told` how long the model thought, any
 * silence that is left and not short is one.
 */
export function waitIn(silence: number, silences: readonly number[], told = false): number {
  if (silence >= (told ? SHORTEST_TOLD : LONG_WAIT)) return silence;
  if (silence < SHORTEST_WAIT || silences.length === 0) return 0;
  const usual = silences.toSorted((a, b) => a - b)[silences.length >> 1]!;
  return silence >= UNUSUAL * usual ? silence : 0;
}

/**
 * Adds the silence before a finished call to those that define what is usual, and counts a very
 * long one, once per batch.
 */
export function noteSilence(
  state: ReaderState,
  seen: Fingerprint,
  gap = waitIn(seen.silence, state.silences),
): void {
  seen.gap = gap;
  if (state.lastAt === null || state.batch.id === seen.batch) return;
  push(state.silences, seen.silence, MAX_SILENCES);
  if (gap >= LONG_WAIT) state.rests++;
}
