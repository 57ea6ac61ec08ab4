import { RUNGS, type Rung } from '../event.ts';
import { affords } from './budget.ts';
import { isGettingOn } from './forward.ts';
import { reach, recoveryFor } from './ladder.ts';
import type { LadderFacts } from './ladder-conditions.ts';
import { isOpen } from './ladder-table.ts';
import { occasionOf, type Placed, type PolicyMoment, type Proposed } from './moment.ts';
import { isOccurrence } from './streak.ts';

/**
 * What the ladder asks about a streak at this event. `ahead`: as if it had occurred so many times
 * more.
 */
export function ladderFacts(
  moment: PolicyMoment,
  placed: Placed,
  proposed: Proposed,
  ahead = 0,
): LadderFacts {
  const { state, seen, config } = moment;
  const { signal, streak, detector } = placed;
  const { evidence } = signal;
  const { highest } = reach(detector, evidence, seen.gap, config.skip);
  const more = ahead + oneMore(moment, placed, proposed);
  const recovery = (rung: Rung) => recoveryFor(config, rung, detector.name, signal.variant);
  const facts: LadderFacts = {
    rung: streak.rung,
    evidence,
    hasJustRisen: streak.rose >= seen.tick || (seen.batch !== '' && streak.roseIn === seen.batch),
    attended: config.attended,
    partial: config.partial,
    highest,
    wasBlocked: streak.tried.some(({ rung }) => rung === 'block'),
    occurrences: () => (evidence.equal ? streak.equal : streak.all).count + more,
    inVain: () => streak.inVain + more,
    isGettingOn: () => goesOn(moment, placed, ahead),
    hasRecovery: (rung) => recovery(rung) !== undefined,
    affords: (rung) =>
      affords(state.budget, rung, recovery(rung)?.name ?? '', streak.target ?? streak.id),
    nextOpen: () =>
      RUNGS.slice(streak.rung + 1, highest + 1).find((rung) => isOpen(facts, rung)) ?? null,
  };
  return facts;
}

/** A call that is proposed now counts as if it had occurred. */
const oneMore = ({ seen }: PolicyMoment, { streak, signal }: Placed, proposed: Proposed): number =>
  proposed && isOccurrence(streak, occasionOf(seen), signal.evidence.equal === true) ? 1 : 0;

/**
 * Whether the agent makes progress, apart from what the repeated call returned when the loop began.
 */
function goesOn(
  { state: { forward, claims }, seen }: PolicyMoment,
  { streak: { refused } }: Placed,
  ahead: number,
): boolean {
  const times =
    seen.result?.sameInARow ?? claims.find(([key]) => key === seen.call?.key)?.[1].times ?? 0;
  return isGettingOn(forward, seen.step + ahead, times + refused, seen.call?.key);
}
