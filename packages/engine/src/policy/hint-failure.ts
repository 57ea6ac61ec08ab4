import { movesOf } from '../candidates/candidate.ts';
import type { RecentCall } from '../candidates/memory.ts';
import { failureNamed, noEffect, other } from '../failures/index.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { HINT, WE, withMoves } from '../recoveries/wording.ts';
import { budgetLeft } from './budget.ts';
import type { LadderConfig } from './ladder.ts';
import type { Ranker } from './moment.ts';
import type { Plan } from './plan.ts';
import type { PolicyState } from './policy-state.ts';

/** Failures that are too vague for a hint the first time. */
const VAGUE: ReadonlySet<string> = new Set([noEffect.name, other.name]);

/**
 * A hint for a call that failed in a known way, before anything repeats. It belongs to no streak
 * and raises none.
 */
export function hintFailure(
  state: PolicyState,
  seen: Fingerprint,
  call: RecentCall,
  { can, skip }: LadderConfig,
  rank: Ranker,
): Plan | null {
  if (call.failure === undefined || VAGUE.has(call.failure) || !can.has('hint') || skip.has('hint'))
    return null;
  if (!seen.result?.error && seen.progress !== null) return null;
  const candidates = rank({ keys: [call.key], anyCall: false });
  if (candidates.length === 0) return null;
  const text = `\`${seen.call!.label}\` failed: ${failureNamed(call.failure).means}`;
  return {
    id: `p${state.next++}`,
    recovery: 'hint-failure',
    rung: 'hint',
    reason: `failure/${call.failure}`,
    toModel: withMoves(`${WE}: ${text}.`, movesOf(candidates, [], true), HINT),
    toHuman: `Unrut gave the agent next steps: ${text}.`,
    candidates,
    ...(call.target === null ? {} : { target: call.target }),
    budgetLeft: budgetLeft(state.budget),
    streak: '',
  };
}
