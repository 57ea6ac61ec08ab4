import { firstRule } from '../rule.ts';
import { choiceAt } from './choice.ts';
import { ladderFacts } from './facts.ts';
import { mayHaveBrought } from './forward.ts';
import { ASIDES, AT_END } from './ladder-table.ts';
import type { Placed, PlanChoice, PolicyMoment } from './moment.ts';
import { placedAgain } from './place.ts';

/**
 * If the last call before the stop could not be refused, the request for the report comes with its
 * result.
 */
export function requestReport(moment: PolicyMoment, placed: readonly Placed[]): PlanChoice | null {
  if (!moment.seen.call || moment.state.ending) return null;
  for (const each of placed) {
    if (!ASIDES.requestReport.when(ladderFacts(moment, each, null, 1))) continue;
    const choice = choiceAt(moment, each, null, 'escalate', { isEnding: true });
    if (choice) return { ...choice, isAside: true };
  }
  return null;
}

/**
 * After the report was requested, every call is refused, and an agent that keeps calling is
 * stopped. Progress cancels the stop.
 */
export function awaitReport(moment: PolicyMoment, proposed: boolean): PlanChoice | null {
  const { state, seen } = moment;
  const { ending } = state;
  const { call } = seen;
  if (!ending || !call || seen.neutral === 'own') return null;
  const streak = state.streaks.find(({ id }) => id === ending.streak);
  const to = firstRule(AT_END, {
    hasMoved: !streak || streak.ended || mayHaveBrought(seen),
    isSameResponse: seen.tick <= ending.tick || seen.batch === ending.batch,
    isOwnCall: streak?.keys.includes(call.key) === true,
    refused: ending.refused,
  })?.gives;
  if (!streak || to === 'back') {
    state.ending = null;
    return null;
  }
  const placed = placedAgain(moment, streak).find(({ signal }) => signal.evidence.equal);
  if (!placed) return null;
  if (to === 'stopped') {
    // Some hosts cannot stop before a call. They stop after it.
    if (!proposed) state.ending = null;
    return choiceAt(moment, placed, null, 'stop');
  }
  if (!proposed) return null;
  ending.refused++;
  const refused = { key: call.key, label: call.label, times: 0 };
  const choice = choiceAt(moment, placed, refused, 'block', { isEnding: true });
  return choice && { ...choice, isAside: true };
}
