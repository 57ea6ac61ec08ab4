import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { push } from '../recent.ts';
import { isBareReceipt } from './claims.ts';

/** The latest steps with a result that was, or may have been, new. */
export type Forward = { key: string; step: number }[];

/** An agent that makes progress at least once in this many steps is not stopped. */
const WITHIN = 10;
/** A call repeated more often than this no longer counts as progress by what it first returned. */
const BEGINNING = 3;

/**
 * Progress, a different result than before, or an action outside the shell whose receipt does not
 * tell what it did.
 */
export const mayHaveBrought = (seen: Fingerprint): boolean =>
  seen.progress !== null ||
  (seen.result?.known === true && seen.result.sameInARow === 1) ||
  (isBareReceipt(seen) && !seen.call?.shell && seen.call?.verb !== 'write');

export function noteForward(forward: Forward, seen: Fingerprint): void {
  if (mayHaveBrought(seen)) push(forward, { key: seen.call?.key ?? '', step: seen.step }, WITHIN);
}

/**
 * Whether anything moved forward in the last ten steps. If `call` has repeated more than three
 * times, its own last new result does not count: the loop began with it.
 */
export function isGettingOn(
  forward: Forward,
  now: number,
  times: number,
  call: string | undefined,
): boolean {
  const began = times > BEGINNING ? forward.findLast(({ key }) => key === call) : undefined;
  return forward.some((each) => now - each.step < WITHIN && each !== began);
}
