import { RUNGS } from '../event.ts';
import { isFresh, standing, stillHolds } from './claims.ts';
import { mostUrgent, nextOption } from './climb.ts';
import { factsOf } from './facts.ts';
import { ASIDES, climbTo } from './ladder-table.ts';
import { optionAt } from './option.ts';
import { placedAgain } from './place.ts';
import type { Option, Placed, Proposed, Turn } from './turn.ts';

/**
 * A refusal or substitute is made when the call is proposed again, if it is the next rung of a
 * streak that has not ended.
 */
export function refuse(turn: Turn): Option | null {
  const { state, seen } = turn;
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
    const placed = placedAgain(turn, streak).filter(({ signal }) =>
      signal.evidence.keys.includes(call.key),
    );
    const next = mostUrgent(placed.flatMap((each) => nextOption(turn, each, proposed) ?? []));
    const refusal =
      next ??
      placed.map((each) => refusalAgain(turn, each, proposed)).find((each) => each !== null);
    if (!refusal || climbTo(RUNGS[refusal.height]!).on !== 'proposed') continue;
    // A host that offers a substitute has already looked at the current state.
    if (
      RUNGS[refusal.height] === 'substitute' ||
      (claim && stillHolds(streak, claim, turn.config.partial))
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
function refusalAgain(turn: Turn, placed: Placed, proposed: Proposed): Option | null {
  if (!ASIDES.blockAgain.when(factsOf(turn, placed, proposed))) return null;
  const isEnding = ASIDES.requestReport.when(factsOf(turn, placed, proposed, 1));
  const option = optionAt(turn, placed, proposed, 'block', { isEnding });
  return option && { ...option, isAside: true };
}
