import { failureNamed, other } from '../failures/index.ts';
import type { Candidate } from './candidate.ts';
import type { CandidateMemory, RecentCall } from './memory.ts';
import { type Ranking, rank } from './rank.ts';

/** What ranks beside the session's memory. */
export type Weights = Pick<Ranking, 'trails' | 'learned' | 'allow'>;

/** What a plan that may carry candidates is about. */
export interface Trouble {
  /** The fingerprints that repeat. */
  keys: readonly string[];
  /** Whatever was tried, nothing came of it: any recent failure may be at the bottom of it. */
  anyCall: boolean;
  /** The call that has just finished, if one has: it belongs to the trouble. */
  last?: RecentCall | undefined;
}

const LATELY = 6;

/** What to do about it, by the latest failure that belongs to it. None where nothing failed and nothing stalls. */
export function candidatesFor(memory: CandidateMemory, trouble: Trouble, { trails, learned, allow }: Weights): Candidate[] {
  const failed = failedCall(memory, trouble);
  if (!failed) return [];
  return rank({ trails, learned, allow, memory, failed, failure: failed.failure === undefined ? other : failureNamed(failed.failure) });
}

/** The call that candidates are for: one that failed, or, where everything stalls, simply the last. */
export function failedCall({ calls }: CandidateMemory, { keys, anyCall, last }: Trouble): RecentCall | undefined {
  const failed = calls
    .slice(-LATELY)
    .findLast((call) => call.failure !== undefined && (anyCall || call === last || keys.includes(call.key)));
  return failed ?? (anyCall ? calls.at(-1) : undefined);
}
