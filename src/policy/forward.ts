import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { push } from '../recent.ts';
import { isBareReceipt } from './claims.ts';

/** The latest steps that brought something, or of which nobody can say. */
export type Forward = { key: string; step: number }[];

/** Nobody who gets on at least once in so many steps is stopped. */
const WITHIN = 10;
/** What has come so often is no longer what one has got on with. */
const BEGINNING = 3;

/** Progress, another answer than before, or an act in a window that says nothing of what it did. */
export const mayHaveBrought = (seen: Fingerprint): boolean =>
  seen.progress !== null ||
  (seen.result?.known === true && seen.result.run === 1) ||
  (isBareReceipt(seen) && !seen.call?.shell && seen.call?.verb !== 'write');

export function noteForward(forward: Forward, seen: Fingerprint): void {
  if (mayHaveBrought(seen)) push(forward, { key: seen.call?.key ?? '', step: seen.step }, WITHIN);
}

/** Whether anything went forward in the last ten steps; with what a call brought last, and then so many times again, a loop began. */
export function isGettingOn(forward: Forward, now: number, times: number, call: string | undefined): boolean {
  const began = times > BEGINNING ? forward.findLast(({ key }) => key === call) : undefined;
  return forward.some((each) => now - each.step < WITHIN && each !== began);
}
