import type { Account } from '@unrut/engine/account/account';
import { type LoopAccount, noWaste, sum, type Waste } from '@unrut/engine/account/loop';
import type { Rung } from '@unrut/engine/event';
import { present } from '@unrut/engine/json';
import { noOutcomes, type OutcomeCounts, withinRange } from '../figures/session-figures.ts';
import { type LoopPicture, loopPicture } from './loop-picture.ts';
import type { Moment, PlanShown } from './timeline.ts';

/** A stretch of a loop without a long pause, as the account counts it. */
export interface LoopBurst {
  /** Steps: start of the repetition, when it was noticed, and its last sighting. */
  since: number;
  firedAt: number;
  last: number;
  count: number;
  wasted: Waste;
  /** Indices of the moments of these steps; nested agents number their own steps. */
  place: { start: number; noticed: number; end: number };
}

/** Equal actions of Unrut on a loop, counted. */
export interface LoopAct {
  rung: Rung;
  recovery: string;
  /** It was only recorded. */
  shadow: boolean;
  times: number;
  /** Steps: the first and the last time. */
  first: number;
  last: number;
  /** Times that the host could not perform it, or only at a lower rung. */
  notPerformed: number;
  /** Its known outcomes. */
  outcomes: OutcomeCounts;
  /** The words of the last time. */
  toModel: string;
  toHuman: string;
}

/** A loop of a session: what repeats, in one or several bursts, and Unrut's actions. */
export interface SessionLoop
  extends Pick<
    LoopAccount,
    | 'agent'
    | 'streak'
    | 'detector'
    | 'variant'
    | 'also'
    | 'firedAt'
    | 'count'
    | 'strength'
    | 'rung'
    | 'text'
  > {
  /** Its name among the loops of the session. */
  id: string;
  /** Steps: start of the repetition, and its last sighting. */
  since: number;
  last: number;
  place: LoopBurst['place'];
  /** Oldest first. Their waste adds up to the loop's waste. */
  bursts: LoopBurst[];
  wasted: Waste;
  /** Repeating moments, oldest first: the first three and the last three. */
  repeats: Moment[];
  /** The number of repeating moments. */
  repeated: number;
  /** In the order of their first occurrence. */
  acts: LoopAct[];
  /** Shows why it is a loop: its calls, and the result of each step. */
  picture: LoopPicture;
  /** One of the last two steps was part of it. */
  isOpen: boolean;
}

/**
 * The loops of a session. `earlier` are bursts that the account has counted but no longer stores;
 * with them, everything adds up to the session's sums.
 */
export interface SessionLoops {
  loops: SessionLoop[];
  earlier: { bursts: number; wasted: Waste };
}

const MAX_REPEATS = 6;

/**
 * The loops of an account with their moments, without advice. An ended session has no open loop.
 */
export function sessionLoops(
  account: Account,
  moments: readonly Moment[],
  hasEnded: boolean,
): SessionLoops {
  const counted = account.loops.filter(({ advice }) => !advice);
  const places = new Map<string, number>();
  for (const [index, moment] of moments.entries())
    if (moment.step !== undefined) places.set(withinRange(moment, String(moment.step)), index);
  const groups = [...Map.groupBy(counted, (loop) => withinRange(loop, loop.streak)).values()];
  const drawn = groups.map((group) => ({
    group,
    bursts: group.map((loop) => burstOf(loop, places, moments.length)),
  }));
  const acts = actsOf(drawn, moments);
  const loops = drawn.map(({ group, bursts }, i) =>
    shown(group, bursts, moments, acts[i]!, hasEnded),
  );
  const wasted = loops.reduce((all, loop) => sum(all, loop.wasted), noWaste());
  return {
    loops: loops.sort((one, other) => one.place.start - other.place.start),
    earlier: { bursts: account.looped - counted.length, wasted: rest(account.wasted, wasted) },
  };
}

interface Drawn {
  /** Bursts of one streak. */
  group: readonly LoopAccount[];
  bursts: readonly LoopBurst[];
}

function burstOf(
  loop: LoopAccount,
  places: ReadonlyMap<string, number>,
  length: number,
): LoopBurst {
  const { start, firedAt, end, count, wasted } = loop;
  const placeOf = (step: number, otherwise: number): number =>
    places.get(withinRange(loop, String(step))) ?? otherwise;
  // A missing step, as when the run ends before it, is shown with the previous moment.
  const last = placeOf(end, Math.max(0, length - 1));
  const place = {
    start: Math.min(last, placeOf(start, 0)),
    noticed: Math.min(last, placeOf(firedAt, last)),
    end: last,
  };
  return { since: start, firedAt, last: end, count, wasted, place };
}

function shown(
  group: readonly LoopAccount[],
  bursts: readonly LoopBurst[],
  moments: readonly Moment[],
  acts: LoopAct[],
  hasEnded: boolean,
): SessionLoop {
  const [first, last] = [group[0]!, bursts.at(-1)!];
  const surest = group.reduce((one, other) => (other.count >= one.count ? other : one));
  const { agent, streak, detector, variant, count, rung, text } = surest;
  const inside = bursts.flatMap(({ place }) =>
    moments
      .slice(place.start, place.end + 1)
      .filter((moment) => moment.agent === agent && moment.step !== undefined),
  );
  const seenAt = inside.filter((moment) =>
    moment.signals.some((signal) => signal.streak === streak),
  );
  const same = alike(inside, seenAt);
  return {
    id: withinRange(first, String(first.stretches[0])).replace('\u0000', '/'),
    streak,
    ...present({ agent }),
    detector,
    variant,
    also: [...new Set(group.flatMap(({ also }) => also))].filter((name) => name !== detector),
    since: bursts[0]!.since,
    firedAt: bursts[0]!.firedAt,
    last: last.last,
    count,
    rung,
    text,
    strength: Math.max(...group.map(({ strength }) => strength)),
    place: { ...bursts[0]!.place, end: last.place.end },
    bursts: [...bursts],
    wasted: group.reduce((all, { wasted }) => sum(all, wasted), noWaste()),
    repeats: firstAndLast(same),
    repeated: same.length,
    acts,
    picture: loopPicture(
      moments,
      agent,
      bursts.map(({ place }) => place),
    ),
    isOpen: group.some(({ open }) => open) && !hasEnded,
  };
}

/**
 * Unrut's actions, grouped by loop. A plan belongs to the loop of its streak or, if that is part of
 * another loop, to the enclosing one.
 */
function actsOf(drawn: readonly Drawn[], moments: readonly Moment[]): LoopAct[][] {
  const byStreak = new Map(
    drawn.map(({ group: [loop] }, i) => [withinRange(loop!, loop!.streak), i]),
  );
  const acts = drawn.map(() => new Map<string, LoopAct>());
  for (const [index, moment] of moments.entries())
    for (const plan of moment.plans) {
      const at = byStreak.get(withinRange(moment, plan.streak)) ?? loopAt(drawn, moment, index);
      if (at >= 0) addAct(acts[at]!, plan, moment.step ?? 0);
    }
  return acts.map((each) => [...each.values()]);
}

const loopAt = (drawn: readonly Drawn[], { agent }: Moment, index: number): number =>
  drawn.findIndex(
    ({ group, bursts }) =>
      group[0]!.agent === agent &&
      bursts.some(({ place }) => place.start <= index && index <= place.end),
  );

function addAct(acts: Map<string, LoopAct>, plan: PlanShown, step: number): void {
  const { rung, recovery, shadow, performed, outcome, toModel, toHuman } = plan;
  const key = `${rung} ${recovery} ${shadow}`;
  const act = acts.get(key) ?? {
    rung,
    recovery,
    shadow,
    times: 0,
    first: step,
    last: step,
    notPerformed: 0,
    outcomes: noOutcomes(),
    toModel,
    toHuman,
  };
  acts.set(key, act);
  act.times++;
  Object.assign(act, { last: step, toModel, toHuman });
  if (performed && (performed.failed || performed.rung !== rung)) act.notPerformed++;
  if (outcome && !shadow) act.outcomes[outcome]++;
}

/**
 * Moments with the same calls as those at which the loop was seen or, if there are too few, with
 * the same tools.
 */
function alike(inside: readonly Moment[], seenAt: readonly Moment[]): Moment[] {
  const names = new Set(seenAt.map(({ what }) => what));
  const same = inside.filter(({ what }) => names.has(what));
  if (same.length > seenAt.length) return same;
  const tools = new Set(seenAt.map(({ tool }) => tool));
  return inside.filter(({ tool }) => tools.has(tool));
}

const firstAndLast = (moments: readonly Moment[]): Moment[] =>
  (moments.length <= MAX_REPEATS
    ? [...moments]
    : [...moments.slice(0, MAX_REPEATS / 2), ...moments.slice(-MAX_REPEATS / 2)]
  ).map((moment) => ({ ...moment, signals: [], plans: [], outcomes: [], faults: [] }));

/** The remainder of a sum. Sums of money are inexact in binary. */
const rest = (all: Waste, part: Waste): Waste => ({
  steps: all.steps - part.steps,
  tokens: Math.max(0, Math.round(all.tokens - part.tokens)),
  usd: Math.max(0, Math.round((all.usd - part.usd) * 1e6) / 1e6),
});
