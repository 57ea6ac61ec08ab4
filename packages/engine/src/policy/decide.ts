import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { withPrice } from './by-price.ts';
import { updateClaims } from './claims.ts';
import { mostUrgent, nextOptions } from './climb.ts';
import { atEnding } from './endings.ts';
import { noteForward } from './forward.ts';
import { holdBack, noteAway } from './hammering.ts';
import { holdStart } from './hold-start.ts';
import { awaitReport, requestReport } from './last-report.ts';
import { makePlan, withInsisting } from './make-plan.ts';
import { isAdvised, place, setRung } from './place.ts';
import type { PolicyConfig, PolicyState } from './policy-state.ts';
import { pay, sightedIn } from './price.ts';
import { refuse } from './refuse.ts';
import { endChanged, fade } from './streak.ts';
import type { Decision, Option, Placed, Ranker, Sighting, Turn } from './turn.ts';

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
  const turn: Turn = { state, seen, config, rank, faults: [], waiting: new Set() };
  noteAway(state.hammering, seen);
  const placed = sightings.flatMap((sighting) => place(turn, sighting) ?? []);
  // What was advised before goes on, although something was learned in between.
  if (placed.some(isAdvised)) state.price.advised = true;
  pay(state.price, seen, isStep, sightedIn(placed.map(({ signal }) => signal)));
  if (hasChanged(seen)) endChanged(state.streaks, seen.call!.key, seen.tick);
  if (seen.progress) fade(state.streaks, seen.tick);
  noteForward(state.forward, seen);
  const proposed = seen.type === 'call-proposed' || seen.type === 'action-proposed';
  const held = proposed
    ? (holdBack(state, seen, config) ?? holdStart(state, placed, seen, config))
    : atEnding(state, seen, config);
  // Nobody but a person reads what is said when a turn has ended.
  const option = held || seen.rest ? null : chooseOption(turn, placed, proposed, isStep);
  const plan = withInsisting(turn, placed, held ?? (option && makePlan(turn, option)));
  if (!proposed || plan?.rung !== 'block') updateClaims(state.claims, seen);
  for (const each of placed) setRung(turn, each);
  return { signals: placed.map(({ signal }) => signal), plan, faults: turn.faults };
}

/** Whether a call brought another result than before. */
const hasChanged = ({ call, result, neutral }: Fingerprint): boolean =>
  call !== undefined &&
  result?.known === true &&
  result.sameInARow === 1 &&
  neutral !== 'transient-error';

/** The least force that fits: the run's end, a refusal, the streak's next rung, or the price. */
function chooseOption(
  turn: Turn,
  placed: readonly Placed[],
  proposed: boolean,
  isStep: boolean,
): Option | null {
  const end = awaitReport(turn, proposed);
  if (end) return end;
  if (proposed) return refuse(turn);
  const urgent = mostUrgent(nextOptions(turn, placed)) ?? requestReport(turn, placed);
  return withPrice(turn, placed, urgent, isStep);
}
