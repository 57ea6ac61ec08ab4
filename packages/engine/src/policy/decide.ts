import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { withPrice } from './by-price.ts';
import { updateClaims } from './claims.ts';
import { mostUrgent, nextChoices } from './climb.ts';
import { atEnding } from './endings.ts';
import { noteForward } from './forward.ts';
import { holdBack, noteAway } from './hammering.ts';
import { holdStart } from './hold-start.ts';
import { awaitReport, requestReport } from './last-report.ts';
import { makePlan, withInsisting } from './make-plan.ts';
import type { Decision, Placed, PlanChoice, PolicyMoment, Ranker, Sighting } from './moment.ts';
import { isAdvised, placeOnLadder, setRung } from './place.ts';
import type { PolicyConfig, PolicyState } from './policy-state.ts';
import { pay, sightedIn } from './price.ts';
import { refuseCall } from './refuse.ts';
import { endChanged, fade } from './streak.ts';

/**
 * Places what was seen on the ladder, and makes at most one plan: the least force that was not yet
 * tried on this streak.
 */
export function decide(
  state: PolicyState,
  sightings: readonly Sighting[],
  seen: Fingerprint,
  config: PolicyConfig,
  rank: Ranker = () => [],
  isStep = seen.type !== 'call-proposed' && seen.type !== 'action-proposed',
): Decision {
  const moment: PolicyMoment = { state, seen, config, rank, faults: [], waiting: new Set() };
  noteAway(state.hammering, seen);
  const placed = sightings.flatMap((sighting) => placeOnLadder(moment, sighting) ?? []);
  // Advice continues although something was learned in between.
  if (placed.some(isAdvised)) state.price.advised = true;
  pay(state.price, seen, isStep, sightedIn(placed.map(({ signal }) => signal)));
  if (hasChanged(seen)) endChanged(state.streaks, seen.call!.key, seen.tick);
  if (seen.progress) fade(state.streaks, seen.tick);
  noteForward(state.forward, seen);
  const proposed = seen.type === 'call-proposed' || seen.type === 'action-proposed';
  const held = proposed
    ? (holdBack(state, seen, config) ?? holdStart(state, placed, seen, config))
    : atEnding(state, seen, config);
  // After the end of a turn, only the user reads messages.
  const choice = held || seen.rest ? null : choose(moment, placed, proposed, isStep);
  const plan = withInsisting(moment, placed, held ?? (choice && makePlan(moment, choice)));
  if (!proposed || plan?.rung !== 'block') updateClaims(state.claims, seen);
  for (const each of placed) setRung(moment, each);
  return { signals: placed.map(({ signal }) => signal), plan, faults: moment.faults };
}

/** Whether a call brought another result than before. */
const hasChanged = ({ call, result, neutral }: Fingerprint): boolean =>
  call !== undefined &&
  result?.known === true &&
  result.sameInARow === 1 &&
  neutral !== 'transient-error';

/** The least force that fits: the run's end, a refusal, the streak's next rung, or the price. */
function choose(
  moment: PolicyMoment,
  placed: readonly Placed[],
  proposed: boolean,
  isStep: boolean,
): PlanChoice | null {
  const end = awaitReport(moment, proposed);
  if (end) return end;
  if (proposed) return refuseCall(moment);
  const urgent = mostUrgent(nextChoices(moment, placed)) ?? requestReport(moment, placed);
  return withPrice(moment, placed, urgent, isStep);
}
