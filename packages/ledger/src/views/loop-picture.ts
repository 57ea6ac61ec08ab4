import { RUNGS, type Rung } from '@unrut/engine/event';
import { present } from '@unrut/engine/json';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import type { Moment, PlanShown } from './timeline.ts';

/** Shows why this is a loop: its calls in lanes, and the result of each step. */
export interface LoopPicture {
  /** The calls made more than once, the most frequent first. */
  lanes: PictureLane[];
  /**
   * The steps of the loop, with some before and after it; of a long loop, the first and the last
   * steps.
   */
  steps: PictureStep[];
  /** Number of omitted steps, and their position in `steps`. */
  left: { steps: number; before: number };
  /**
   * The first step of the loop after which no result was new; undefined if the last result was new.
   */
  nothingSince?: number;
}

/** A call, and its number of repetitions within the loop. */
export interface PictureLane {
  what: string;
  times: number;
  /** It returned the same as the last time. */
  same: number;
  failed: number;
  blocked: number;
}

export interface PictureStep {
  /** Undefined for user messages. */
  step?: number;
  /** Index of its moment. */
  place: number;
  /** Index of its lane; -1 for calls made once. */
  lane: number;
  letter: Moment['letter'];
  /** It returned the same as the last time. */
  same: boolean;
  /** How much of the result was new, 0 to 1; undefined if unknown. */
  novelty?: number;
  inLoop: boolean;
  /** The strongest plan at that step. */
  act?: { rung: Rung; shadow: boolean; failed: boolean; outcome?: Outcome['outcome'] };
}

const MAX_LANES = 5;
const BEFORE = 4;
const AFTER = 6;
/** How many steps of a long loop to show from its beginning and its end. */
const MAX_STEPS = { first: 56, last: 24 };

interface Place {
  start: number;
  end: number;
}

/** The picture of a loop in these parts of the session. */
export function loopPicture(
  moments: readonly Moment[],
  agent: string | undefined,
  bursts: readonly Place[],
): LoopPicture {
  const own = moments.flatMap((moment, place) =>
    moment.agent === agent && (moment.step !== undefined || moment.letter === 'u')
      ? [{ moment, place, inLoop: bursts.some(({ start, end }) => start <= place && place <= end) }]
      : [],
  );
  const from = own.findIndex(({ inLoop }) => inLoop);
  const to = own.findLastIndex(({ inLoop }) => inLoop);
  const looped = own.filter(({ inLoop, moment }) => inLoop && moment.step !== undefined);
  const lanes = lanesOf(looped.map(({ moment }) => moment));
  const steps = own
    .slice(Math.max(0, from - BEFORE), to + 1 + AFTER)
    .map(({ moment, place, inLoop }) => stepOf(moment, place, inLoop, lanes));
  const left = Math.max(0, steps.length - MAX_STEPS.first - MAX_STEPS.last);
  if (left > 0) steps.splice(MAX_STEPS.first, left);
  const lastNew = looped.findLastIndex(({ moment }) => (newsIn(moment) ?? 0) > 0);
  return {
    lanes,
    steps,
    left: { steps: left, before: left > 0 ? MAX_STEPS.first : 0 },
    ...present({ nothingSince: looped[lastNew + 1]?.moment.step }),
  };
}

function lanesOf(moments: readonly Moment[]): PictureLane[] {
  const count = (group: readonly Moment[], is: (moment: Moment) => boolean): number =>
    group.filter(is).length;
  return [...Map.groupBy(moments, ({ what }) => what)]
    .filter(([, group]) => group.length > 1)
    .map(([what, group]) => ({
      what,
      times: group.length,
      same: count(group, ({ same }) => same === true),
      failed: count(group, ({ letter }) => letter === 'e'),
      blocked: count(group, ({ letter }) => letter === 'b'),
    }))
    .sort((one, other) => other.times - one.times)
    .slice(0, MAX_LANES);
}

/** How much of the result of a step was new, 0 to 1. A blocked call has no result. */
const newsIn = ({ letter, same, novelty }: Moment): number | undefined =>
  letter === 'b' || same ? 0 : novelty;

const stepOf = (
  moment: Moment,
  place: number,
  inLoop: boolean,
  lanes: readonly PictureLane[],
): PictureStep => ({
  ...present({ step: moment.step, novelty: newsIn(moment), act: actIn(moment.plans) }),
  place,
  lane: lanes.findIndex(({ what }) => what === moment.what),
  letter: moment.letter,
  same: moment.same === true,
  inLoop,
});

function actIn(plans: readonly PlanShown[]): PictureStep['act'] {
  const plan = plans.toSorted(
    (one, other) => RUNGS.indexOf(other.rung) - RUNGS.indexOf(one.rung),
  )[0];
  return (
    plan && {
      rung: plan.rung,
      shadow: plan.shadow,
      failed: plan.performed?.failed ?? false,
      ...present({ outcome: plan.outcome }),
    }
  );
}

/**
 * The first performed stop after which the agent continued, and for how many steps. Steps after a
 * user message do not count.
 */
export function ignoredStop(
  moments: readonly Moment[],
): { step: number; steps: number; place: number } | undefined {
  const place = moments.findIndex(({ plans }) => plans.some(isStop));
  if (place < 0) return undefined;
  const after = moments.slice(place + 1);
  const spoke = after.findIndex(({ letter }) => letter === 'u');
  const { agent, step = 0 } = moments[place]!;
  const steps = after
    .slice(0, spoke < 0 ? undefined : spoke)
    .filter((moment) => moment.step !== undefined && moment.agent === agent).length;
  return steps === 0 ? undefined : { step, steps, place };
}

const isStop = ({ rung, shadow, performed }: PlanShown): boolean =>
  rung === 'stop' && !shadow && performed?.rung === 'stop' && !performed.failed;
