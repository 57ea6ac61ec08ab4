import { statusOf } from '../detectors/detector.ts';
import { choiceAt } from './choice.ts';
import { leniently } from './forgiven.ts';
import { heightOf } from './ladder.ts';
import { BY_PRICE } from './ladder-table.ts';
import { rise } from './make-plan.ts';
import type { Placed, PlanChoice, PolicyMoment } from './moment.ts';
import { placedAgain } from './place.ts';
import type { PolicyConfig } from './policy-state.ts';
import { dueAt, type PriceState } from './price.ts';

/** The streak's own choice, or what the price calls for if that is more force. */
export function withPrice(
  moment: PolicyMoment,
  placed: readonly Placed[],
  own: PlanChoice | null,
  isStep: boolean,
): PlanChoice | null {
  const { state, seen, config } = moment;
  const { price } = state;
  const due =
    isStep && !seen.forgiven ? dueAt(price, mayEnd(config), seen.mayWait === true) : undefined;
  if (due === undefined) return own;
  const about = pricedStreak(moment, placed);
  if (!about) return own;
  const spent = {
    ...about,
    signal: { ...about.signal, text: spentWords(about.signal.text, price) },
  };
  for (const rung of BY_PRICE[due].rungs) {
    if (own && (due === 'advice' || own.height >= heightOf(rung))) return own;
    const choice = choiceAt(moment, spent, null, rung, { due });
    if (!choice) continue;
    if (own && !own.isAside) rise(own, seen);
    return { ...choice, isAside: true, due };
  }
  return own;
}

/** A guard that sees only some of the calls does not know that the run makes no progress. */
const mayEnd = ({ attended, partial, can, skip }: PolicyConfig): boolean =>
  !attended && !partial && can.has('stop') && !skip.has('stop');

/**
 * The streak that the price is about: one seen now, otherwise the last one that was advised. Not one
 * that people marked as a false alarm, and not one on trial.
 */
function pricedStreak(moment: PolicyMoment, placed: readonly Placed[]): Placed | undefined {
  const { state, config, seen } = moment;
  const isOnlyTime = state.price.steps === 0;
  const counts = ({ detector, signal: { variant, evidence } }: Placed): boolean =>
    !detector.everyTime &&
    statusOf(detector, variant) === 'stable' &&
    (isOnlyTime || detector.advises?.includes(variant) !== true) &&
    leniently(config.forgiven, detector.name, { ...evidence, cap: 'stop' }, seen.call?.tool)
      ?.cap === 'stop';
  const now = placed.filter(counts).sort((a, b) => b.signal.strength - a.signal.strength)[0];
  if (now) return now;
  const last = state.streaks.findLast(({ ended, rung }) => !ended && rung >= 0);
  return last && placedAgain(moment, last).find(counts);
}

/** The finding, and its cost since. */
function spentWords(text: string, { steps, polls, unknown, ms, thought }: PriceState): string {
  const minutes = Math.round((ms + thought) / 60_000);
  const time = minutes >= 5 ? ` in ${minutes} minutes` : '';
  return steps > 0
    ? `${text}, and ${steps} steps${time} have brought nothing new since`
    : `${text}, and it stayed like that ${polls + unknown} times${time}`;
}
