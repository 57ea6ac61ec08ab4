import { RUNGS } from '../event.ts';
import { choiceAt } from './choice.ts';
import { isFresh, standing, stillHolds } from './claims.ts';
import { mostUrgent, nextChoice } from './climb.ts';
import { ladderFacts } from './facts.ts';
import { ASIDES, climbTo } from './ladder-table.ts';
import type { Placed, PlanChoice, PolicyMoment, Proposed } from './moment.ts';
import { placedAgain } from './place.ts';

/**
 * A refusal or substitute is made when the call is proposed again, if it is the next rung of a
 * streak that has not ended.
 */
export function refuseCall(moment: PolicyMoment): PlanChoice | null {
  const { state, seen } = moment;
  const { call } = seen;
  if (!call) return null;
  const claim = standing(state.claims, call.key, seen.at);
  const { instead } = call;
  const proposed = {
    key: call.key,
    label: call.label,
    times: claim?.times ?? 0,
    ...(instead ? { instead } : {}),
  };
  for (const streak of state.streaks) {
    if (streak.ended || !streak.last.some(({ evidence }) => evidence.keys.includes(call.key)))
      continue;
    const placed = placedAgain(moment, streak).filter(({ signal }) =>
      signal.evidence.keys.includes(call.key),
    );
    const next = mostUrgent(placed.flatMap((each) => nextChoice(moment, each, proposed) ?? []));
    const refusal =
      next ??
      placed.map((each) => refusalAgain(moment, each, proposed)).find((each) => each !== null);
    if (!refusal || climbTo(RUNGS[refusal.height]!).on !== 'proposed') continue;
    // A host that offers a substitute has already looked at the current state.
    if (
      RUNGS[refusal.height] === 'substitute' ||
      (claim && stillHolds(streak, claim, moment.config.partial))
    )
      return refusal;
    streak.probation = seen.tick;
    streak.aged = claim !== null && !isFresh(streak.renewed, claim);
  }
  return null;
}

/**
 * Refuses a call again for free: in the same response, while the streak waits for the stop, or if
 * there is no higher rung.
 */
function refusalAgain(moment: PolicyMoment, placed: Placed, proposed: Proposed): PlanChoice | null {
  if (!ASIDES.blockAgain.when(ladderFacts(moment, placed, proposed))) return null;
  const isEnding = ASIDES.requestReport.when(ladderFacts(moment, placed, proposed, 1));
  const choice = choiceAt(moment, placed, proposed, 'block', { isEnding });
  return choice && { ...choice, isAside: true };
}
