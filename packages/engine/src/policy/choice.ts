import { movesOf } from '../candidates/candidate.ts';
import { movesAfter } from '../detectors/detector.ts';
import type { Rung } from '../event.ts';
import type { Situation } from '../recoveries/recovery.ts';
import { attemptPart } from './attempt-part.ts';
import { isDenied, lackingFor } from './claims.ts';
import { heightOf, recoveryFor } from './ladder.ts';
import type { Due } from './ladder-table.ts';
import type { Placed, PlanChoice, PolicyMoment, Proposed } from './moment.ts';
import { notOffered } from './price.ts';

/** Why a choice is asked for, if it is not simply the streak's next rung. */
interface Reason {
  isEnding?: boolean;
  due?: Due;
}

/** What the recovery of this rung would do; null if it has nothing to offer. */
export function choiceAt(
  moment: PolicyMoment,
  placed: Placed,
  proposed: Proposed,
  rung: Rung,
  { isEnding = false, due }: Reason = {},
): PlanChoice | null {
  const { config, rank, faults, state } = moment;
  const { signal, streak, detector } = placed;
  const recovery = recoveryFor(config, rung, detector.name, signal.variant);
  if (!recovery) return null;
  const { attended, learned } = config;
  return (
    attemptPart(recovery.name, faults, () => {
      const anyCall = detector.yields === true;
      const instead = movesInstead(moment, placed);
      const candidates =
        recovery.ranks && !isEnding && !instead
          ? rank({ keys: signal.evidence.keys, anyCall })
          : [];
      const all = instead ?? movesOf(candidates, movesAfter(detector, signal.evidence), anyCall);
      const moves = due === 'advice' ? notOffered(state.price, all) : all;
      const situation: Situation = {
        signal,
        moves,
        tried: [...streak.tried],
        attended,
        learned,
        proposed,
        isEnding,
        byPrice: due !== undefined,
      };
      const action = recovery.plan(situation, recovery.options);
      if (!action) return null;
      const [toModel, toHuman] = [recovery.toModel(situation), recovery.toHuman(situation)];
      return {
        ...placed,
        recovery,
        height: heightOf(rung),
        isEnding,
        action,
        candidates,
        moves,
        toModel,
        toHuman,
      };
    }) ?? null
  );
}

/**
 * What to do about a missing permission, a call that the host refused, or about something that changes by itself; undefined if
 * the detector knows better.
 */
function movesInstead(
  { seen, state }: PolicyMoment,
  { detector, signal: { variant, evidence } }: Placed,
): readonly string[] | undefined {
  const { world, keys } = evidence;
  if (lackingFor(state.claims, keys, seen) !== undefined) return WITHOUT_PERMISSION;
  if (isDenied(state.claims, keys, seen)) return AFTER_A_DENIAL;
  const { job, result, call } = seen;
  if (world !== 'open' || !call || !keys.includes(call.key)) return undefined;
  if (job) return WAIT_FOR_STARTED;
  const namesCause = result?.error && result.failure !== 'other';
  const isKnown = namesCause || !evidence.equal || detector.advises?.includes(variant);
  return isKnown ? undefined : WAIT_FOR_CHANGE;
}
const WITHOUT_PERMISSION = [
  'go on without it: only a human can give this permission',
  'report that it is missing, and what you need it for',
];
const AFTER_A_DENIAL = [
  'do what the refusal says, or go on without this; do not look for a way around it',
  'report what was refused, and what you need it for',
];
const WAIT_FOR_STARTED = [
  'give what you started time: wait longer in one call, then ask again',
  'read its output, to see whether it still runs',
  'do something else meanwhile, or end your turn and say what you are waiting for',
];
const WAIT_FOR_CHANGE = [
  'wait longer in one call before you ask again',
  'do something else meanwhile',
  'end your turn and say what you are waiting for',
];
