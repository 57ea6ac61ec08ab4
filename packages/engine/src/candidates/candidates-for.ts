import { failureNamed, other } from '../failures/index.ts';
import type { Candidate } from './candidate.ts';
import type { CandidateMemory, RecentCall } from './memory.ts';
import { type Ranking, rank } from './rank.ts';

/** What ranking needs besides the session's memory. */
export type Weights = Pick<Ranking, 'trails' | 'learned' | 'allow'>;

/** What a plan with candidates is about. */
export interface Trouble {
  /** The fingerprints that repeat. */
  keys: readonly string[];
  /** Nothing that was tried helped, so any recent failure may be the cause. */
  anyCall: boolean;
  /** The call that has just finished, if any. It is part of the trouble. */
  last?: RecentCall | undefined;
}

const LATELY = 6;

/**
 * Candidates for the latest failure that is part of the trouble. Empty if nothing failed and
 * nothing stalls.
 */
export function candidatesFor(
  memory: CandidateMemory,
  trouble: Trouble,
  { trails, learned, allow }: Weights,
): Candidate[] {
  const failed = failedCall(memory, trouble);
  if (!failed) return [];
  return rank({
    trails,
    learned,
    allow,
    memory,
    failed,
    failure: failed.failure === undefined ? other : failureNamed(failed.failure),
  });
}

/**
 * The call that candidates are for: the last one that failed and has not worked since, or, if
 * everything stalls, simply the last one.
 */
export function failedCall(
  { calls }: CandidateMemory,
  { keys, anyCall, last }: Trouble,
): RecentCall | undefined {
  const failed = calls
    .slice(-LATELY)
    .findLast(
      (call) => call.failure !== undefined && (anyCall || call === last || keys.includes(call.key)),
    );
  const isOver = calls.findLast(({ key }) => key === failed?.key) !== failed;
  return failed && !isOver ? failed : anyCall ? calls.at(-1) : undefined;
}
