import { lasting } from '@unrut/ledger/report/time-text';
import { isKnownTime } from './known-time.ts';

/** Clocks of two machines may differ by this many milliseconds. */
const SKEW = 60_000;

/**
 * How long ago a moment was. Times in the future come from a clock that is ahead, and are labelled
 * so.
 */
export function agoText(at: number, now: number): string {
  if (!isKnownTime(at)) return 'at an unknown time';
  const gone = now - at;
  if (gone < -SKEW) return `${lasting(-gone)} ahead of this clock`;
  return gone < 2000 ? 'just now' : `${lasting(gone)} ago`;
}
