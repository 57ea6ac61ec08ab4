import { statusOf } from '../detectors/detector.ts';
import { RUNGS } from '../event.ts';
import type { Evidence } from '../signal.ts';
import { attemptPart } from './attempt-part.ts';
import { worldOfKeys } from './claims.ts';
import { leniently } from './forgiven.ts';
import { isHammered } from './hammering.ts';
import { reach } from './ladder.ts';
import { occasionOf, type Placed, type PolicyMoment, type Sighting } from './moment.ts';
import { isListed, loopPriceOf } from './price.ts';
import { findStreak, occur, openStreak, raise, type Streak } from './streak.ts';
import { toSignal } from './to-signal.ts';

/** The agent was already told about it, and the detector may speak. */
export const isAdvised = ({ streak, detector, signal }: Placed): boolean =>
  streak.rung >= 0 && !detector.everyTime && statusOf(detector, signal.variant) === 'stable';

/**
 * Puts a sighting into words and adds it to the streak that it shares something with, or to a new
 * one.
 */
export function placeOnLadder(
  { state, seen, config, faults }: PolicyMoment,
  { detector, evidence: found }: Sighting,
): Placed | null {
  const world =
    worldOfKeys(state.claims, found.keys, seen) ??
    (seen.neutral === 'transient-error' ? seen.world?.world : undefined);
  const evidence: Evidence = {
    ...found,
    ...(world === undefined ? {} : { world }),
    ...(found.variant === 'transient' && isHammered(state.hammering, seen)
      ? { from: 'hint', cap: 'hint' }
      : {}),
    // The next item of a list that is not there, or fails, is an answer about that item.
    ...(isListed(seen) && (seen.result?.missing || seen.inRow) && !found.equal
      ? { cap: 'note' }
      : {}),
  };
  const text = attemptPart(detector.name, faults, () => detector.explain(evidence));
  if (text === undefined) return null;
  const streak =
    findStreak(state.streaks, evidence) ?? openStreak(state.streaks, `s${state.next++}`);
  const { highest } = reach(detector, evidence, seen.gap, config.skip);
  const isFirst = streak.raised < seen.tick;
  raise(
    state.streaks,
    streak,
    { detector: detector.name, evidence, text },
    seen.tick,
    highest === 0,
  );
  occur(streak, occasionOf(seen), evidence.equal === true);
  if (isFirst) {
    if (streak.probation === seen.tick) streak.renewed++;
    streak.refused = 0;
  }
  return { streak, detector, signal: toSignal(detector, evidence, text, streak, seen.step) };
}

/** What was last seen of a streak, as signals for this event. */
export const placedAgain = ({ config, seen }: PolicyMoment, streak: Streak): Placed[] =>
  streak.last.flatMap(({ detector: name, evidence, text }): Placed[] => {
    const detector = config.detectors.get(name);
    if (!detector || detector.everyTime) return [];
    const left = leniently(config.forgiven, name, evidence, seen.call?.tool);
    return left
      ? [{ streak, detector, signal: toSignal(detector, left, text, streak, seen.step) }]
      : [];
  });

/** Tells on which rung a signal's streak is, and what the loop has cost. */
export function setRung(
  { state, seen, config }: PolicyMoment,
  { signal, streak, detector }: Placed,
): void {
  const { first } = reach(detector, signal.evidence, seen.gap, config.skip);
  signal.rung = RUNGS[detector.everyTime || streak.rung < 0 ? first : streak.rung]!;
  const price = loopPriceOf(state.price);
  if (price) signal.price = price;
}
