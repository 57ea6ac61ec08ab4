import { RUNGS, type Rung } from '../event.ts';
import { affords } from './budget.ts';
import { isGettingOn } from './forward.ts';
import { reach, recoveryFor } from './ladder.ts';
import type { Facts } from './ladder-conditions.ts';
import { isOpen } from './ladder-table.ts';
import { isOccurrence } from './streak.ts';
import { occasionOf, type Placed, type Proposed, type Turn } from './turn.ts';

/**
 * What the ladder asks about a streak at this event. `ahead`: as if it had occurred so many times
 * more.
 */
export function factsOf(turn: Turn, placed: Placed, proposed: Proposed, ahead = 0): Facts {
  const { state, seen, config } = turn;
  const { signal, streak, detector } = placed;
  const { evidence } = signal;
  const { highest } = reach(detector, evidence, seen.gap, config.skip);
  const more = ahead + oneMore(turn, placed, proposed);
  const recovery = (rung: Rung) => recoveryFor(config, rung, detector.name, signal.variant);
  const facts: Facts = {
    rung: streak.rung,
    evidence,
    hasJustRisen: streak.rose >= seen.tick || (seen.batch !== '' && streak.roseIn === seen.batch),
    attended: config.attended,
    partial: config.partial,
    highest,
    wasBlocked: streak.tried.some(({ rung }) => rung === 'block'),
    occurrences: () => (evidence.equal ? streak.equal : streak.all).count + more,
    inVain: () => streak.inVain + more,
    isGettingOn: () => goesOn(turn, placed, ahead),
    hasRecovery: (rung) => recovery(rung) !== undefined,
    affords: (rung) =>
      affords(state.budget, rung, recovery(rung)?.name ?? '', streak.target ?? streak.id),
    nextOpen: () =>
      RUNGS.slice(streak.rung + 1, highest + 1).find((rung) => isOpen(facts, rung)) ?? null,
  };
  return facts;
}

/** A call that is proposed now counts as if it had occurred. */
const oneMore = ({ seen }: Turn, { streak, signal }: Placed, proposed: Proposed): number =>
  proposed && isOccurrence(streak, occasionOf(seen), signal.evidence.equal === true) ? 1 : 0;

/**
 * Whether the agent makes progress, apart from what the repeated call returned when the loop began.
 */
function goesOn(
  { state: { forward, claims }, seen }: Turn,
  { streak: { refused } }: Placed,
  ahead: number,
): boolean {
  const times =
    seen.result?.sameInARow ?? claims.find(([key]) => key === seen.call?.key)?.[1].times ?? 0;
  return isGettingOn(forward, seen.step + ahead, times + refused, seen.call?.key);
}
