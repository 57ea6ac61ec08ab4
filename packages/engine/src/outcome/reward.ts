import type { RecentCall } from '../candidates/memory.ts';
import type { Fingerprint, Progress } from '../fingerprint/fingerprint.ts';

/** The failed call succeeded: the best possible result. */
export const PASSED = 1;
const LOOKED = 0.1;
const NOTHING = -0.1;
/** It failed again. */
export const FAILED_AGAIN = -0.3;
const BLOCKED = -0.75;
const DESTRUCTIVE = -1;

/**
 * A new page or screen, new data, a falling count: the stronger the sign of progress, the higher
 * the reward.
 */
const BROUGHT: Record<Progress, number> = {
  write: 0.4,
  falling: 0.4,
  screen: 0.3,
  moved: 0.3,
  novel: 0.3,
  'first-run': 0.2,
  'first-look': LOOKED,
};

const WALLS: ReadonlySet<string | undefined> = new Set(['blocked-page', 'permission-denied']);

/**
 * How good one step after an offer was. A look counts a little, and only once, because looking
 * alone is not a recovery.
 */
export function rewardOf(
  call: RecentCall,
  { call: print, progress, neutral }: Fingerprint,
  hasLooked: boolean,
): number {
  if (call.destroys) return DESTRUCTIVE;
  if (WALLS.has(call.failure)) return BLOCKED;
  if (call.failure !== undefined) return FAILED_AGAIN;
  if (progress === null) return neutral === null ? NOTHING : 0;
  if (print?.verb === 'read') return hasLooked ? 0 : LOOKED;
  return BROUGHT[progress];
}
