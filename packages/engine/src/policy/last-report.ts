import { firstRule } from '../rule.ts';
import { factsOf } from './facts.ts';
import { mayHaveBrought } from './forward.ts';
import { ASIDES, AT_END } from './ladder-table.ts';
import { optionAt } from './option.ts';
import { placedAgain } from './place.ts';
import type { Option, Placed, Turn } from './turn.ts';

/**
 * If the last call before the stop could not be refused, the request for the report comes with its
 * result.
 */
export function requestReport(turn: Turn, placed: readonly Placed[]): Option | null {
  if (!turn.seen.call || turn.state.ending) return null;
  for (const each of placed) {
    if (!ASIDES.requestReport.when(factsOf(turn, each, null, 1))) continue;
    const option = optionAt(turn, each, null, 'escalate', { isEnding: true });
    if (option) return { ...option, isAside: true };
  }
  return null;
}

/**
 * After the report was requested, every call is refused, and an agent that keeps calling is
 * stopped. Progress cancels the stop.
 */
export function awaitReport(turn: Turn, proposed: boolean): Option | null {
  const { state, seen } = turn;
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
  if (!streak || to === 'asked') {
    state.ending = null;
    return null;
  }
  const placed = placedAgain(turn, streak).find(({ signal }) => signal.evidence.equal);
  if (!placed) return null;
  if (to === 'stopped') {
    // Some hosts cannot stop before a call. They stop after it.
    if (!proposed) state.ending = null;
    return optionAt(turn, placed, null, 'stop');
  }
  if (!proposed) return null;
  ending.refused++;
  const refused = { key: call.key, label: call.label, times: 0 };
  const option = optionAt(turn, placed, refused, 'block', { isEnding: true });
  return option && { ...option, isAside: true };
}
