import { statusOf } from '../detectors/detector.ts';
import { RUNGS, type Rung } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { Signal } from '../signal.ts';
import { budgetLeft, spend } from './budget.ts';
import { choiceAt } from './choice.ts';
import { lackingFor } from './claims.ts';
import { heightOf } from './ladder.ts';
import { occasionOf, type Placed, type PlanChoice, type PolicyMoment } from './moment.ts';
import type { Plan } from './plan.ts';
import type { PolicyState } from './policy-state.ts';
import { advised, asked, loopPriceOf, offer } from './price.ts';
import { mayTell } from './spoken.ts';
import { climb, occur } from './streak.ts';

const ESCALATE = heightOf('escalate');

/** Rungs that only say something. */
const ADVICE: ReadonlySet<Rung> = new Set(['note', 'hint']);

/** Null if the same text was given before. The streak climbs all the same. */
export function makePlan({ state, seen }: PolicyMoment, choice: PlanChoice): Plan | null {
  const { signal, detector, toModel, height } = choice;
  if (choice.due === 'ask' || (height >= ESCALATE && !choice.isEnding)) asked(state.price);
  const isOnTrial = statusOf(detector, signal.variant) === 'trial';
  if (!detector.everyTime && !isOnTrial) state.price.advised = true;
  noteRise(state, seen, choice);
  if (isToldAlready(state, choice)) return null;
  if (!detector.everyTime && !isOnTrial) advised(state.price, choice.due === 'advice');
  offer(state.price, choice.moves, toModel);
  return planFor(state, seen, choice);
}

/** Remembers what the choice does to its streak, to the budget and to the run. */
function noteRise(state: PolicyState, seen: Fingerprint, choice: PlanChoice): void {
  const { signal, streak, detector, recovery, height } = choice;
  const rung = RUNGS[height]!;
  if (choice.isEnding)
    state.ending ??= { streak: streak.id, tick: seen.tick, batch: seen.batch, refused: 0 };
  if (rung === 'block') {
    occur(streak, occasionOf(seen), signal.evidence.equal === true);
    streak.refused++;
  }
  if (detector.everyTime || choice.isAside) return;
  spend(state.budget, rung, recovery.name, streak.target ?? streak.id);
  rise(choice, seen);
}

/** Whether advice with this text was given before. If not, it counts as given now. */
const isToldAlready = (state: PolicyState, { signal, toModel, height, due }: PlanChoice): boolean =>
  ADVICE.has(RUNGS[height]!) &&
  !signal.evidence.insists &&
  due === undefined &&
  !mayTell(state.told, toModel, aboutOf(signal), signal.count);

function planFor(state: PolicyState, seen: Fingerprint, choice: PlanChoice): Plan {
  const { signal, streak, recovery, action, candidates, height } = choice;
  const rung = RUNGS[height]!;
  const price = loopPriceOf(state.price);
  return {
    id: `p${state.next++}`,
    recovery: recovery.name,
    rung,
    ...(choice.due === undefined ? {} : { byPrice: true as const }),
    ...(streak.tried.length === 1 && !choice.isAside ? { first: true as const } : {}),
    reason: `${signal.detector}/${signal.variant}`,
    ...withPermission(state, seen, choice),
    ...(Object.keys(action).length > 0 ? { action } : {}),
    ...(candidates.length > 0 ? { candidates } : {}),
    ...(signal.evidence.target === undefined ? {} : { target: signal.evidence.target }),
    budgetLeft: budgetLeft(state.budget),
    streak: streak.id,
    ...(price ? { price } : {}),
  };
}

/** A note that is due at every step is put behind other advice, not left out for it. */
export function withInsisting(
  moment: PolicyMoment,
  placed: readonly Placed[],
  plan: Plan | null,
): Plan | null {
  const other = placed.find(({ signal }) => signal.evidence.insists);
  if (!plan || !other || !ADVICE.has(plan.rung)) return plan;
  if (plan.reason === `${other.signal.detector}/${other.signal.variant}`) return plan;
  const note = choiceAt(moment, other, null, 'note');
  if (!note) return plan;
  const action = { ...plan.action, ...note.action };
  return { ...plan, toModel: `${plan.toModel} ${note.toModel}`, action };
}

/**
 * If a permission is missing, tells a person once, and whenever a person is asked or the run is
 * stopped, which line would give it. The model cannot get it by trying again.
 */
function withPermission(
  { told, claims }: PolicyState,
  seen: Fingerprint,
  { signal, moves, toModel, toHuman, height }: PlanChoice,
): Pick<Plan, 'toModel' | 'toHuman'> {
  const allow = lackingFor(claims, signal.evidence.keys, seen);
  if (allow === undefined) return { toModel, toHuman };
  const isNamed = mayTell(told, allow, 'allow', 1) || height >= ESCALATE;
  const isSaid = moves.some((move) => toModel.includes(move.slice(1)));
  return {
    toModel: isSaid ? toModel : `${toModel} ${ONLY_A_HUMAN}`,
    toHuman: isNamed ? `${toHuman} To allow it, ${allow}.` : toHuman,
  };
}

const ONLY_A_HUMAN =
  'Only a human can give this permission: go on without it, or report that it is missing.';

/** The streak of a choice is now on the choice's rung. */
export const rise = ({ streak, height, recovery, signal }: PlanChoice, seen: Fingerprint): void =>
  climb(
    streak,
    height,
    { recovery: recovery.name, rung: RUNGS[height]!, step: signal.step },
    occasionOf(seen),
    signal.count,
  );

/**
 * A certain loop gets its own note even if the same text was already given for another one; a
 * suspicion does not.
 */
const aboutOf = ({ evidence: { equal, target, keys } }: Signal): string =>
  equal ? (target ?? keys[0] ?? '') : '';
