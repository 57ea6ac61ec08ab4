import type { Account } from '../account/account.ts';
import type { LoopAccount } from '../account/loop.ts';
import { withinRange } from './session-summary.ts';
import type { Moment, PlanShown } from './timeline.ts';

/** A loop of a session, with the moments that repeat. */
export interface SessionLoop
  extends Pick<
    LoopAccount,
    'agent' | 'streak' | 'detector' | 'variant' | 'also' | 'firedAt' | 'count' | 'strength' | 'rung' | 'text' | 'wasted'
  > {
  /** Its name among the loops of the session. */
  id: string;
  /** Steps: where the repetition began, and where it was last seen. */
  since: number;
  last: number;
  /** Indices of the moments at which it began, was noticed and was last seen; nested agents count steps of their own. */
  place: { start: number; noticed: number; end: number };
  /** Moments that repeat each other, oldest first: the first three and the last three. */
  repeats: Moment[];
  /** What was done about it, oldest first; at most twelve. */
  plans: (PlanShown & { step: number; at: number })[];
  /** One of the last two steps was part of it. */
  isOpen: boolean;
}

const MAX_REPEATS = 6;

/** The loops of an account with the moments that show them; advice is none. In a session that has ended none is open. */
export function sessionLoops({ loops }: Account, moments: readonly Moment[], hasEnded: boolean): SessionLoop[] {
  const places = new Map<string, number>();
  const plans = new Map<string, PlanShown>();
  for (const [index, moment] of moments.entries()) {
    if (moment.step !== undefined) places.set(withinRange(moment, String(moment.step)), index);
    for (const plan of moment.plans) plans.set(withinRange(moment, plan.id), plan);
  }
  const found = loops.filter(({ light }) => !light).map((loop) => shown(loop, { moments, places, plans, hasEnded }));
  return found.sort((one, other) => one.place.start - other.place.start);
}

interface Shown {
  moments: readonly Moment[];
  /** Of steps, by agent. */
  places: ReadonlyMap<string, number>;
  plans: ReadonlyMap<string, PlanShown>;
  hasEnded: boolean;
}

function shown(loop: LoopAccount, { moments, places, plans, hasEnded }: Shown): SessionLoop {
  const { agent, streak, detector, variant, also, start, firedAt, end, count, strength, rung, text, wasted } = loop;
  const placeOf = (step: number, otherwise: number): number => places.get(withinRange(loop, String(step))) ?? otherwise;
  // A step that never came, as when the run ends before it, is told with the moment before.
  const last = placeOf(end, Math.max(0, moments.length - 1));
  const place = { start: Math.min(last, placeOf(start, 0)), noticed: Math.min(last, placeOf(firedAt, last)), end: last };
  const inside = moments.slice(place.start, place.end + 1).filter((moment) => moment.agent === agent && moment.step !== undefined);
  const seenAt = inside.filter((moment) => moment.signals.some((signal) => signal.streak === streak));
  return {
    ...{ id: withinRange(loop, String(loop.stretches[0])).replace('\u0000', '/'), streak, ...(agent === undefined ? {} : { agent }) },
    ...{ detector, variant, also, since: start, firedAt, last: end, place, count, strength, rung, text },
    repeats: firstAndLast(alike(inside, seenAt)),
    plans: loop.plans.flatMap(({ id, step, at }) => {
      const plan = plans.get(withinRange(loop, id));
      return plan ? [{ ...plan, step, at }] : [];
    }),
    wasted,
    isOpen: loop.open && !hasEnded,
  };
}

/** Those that are called like the ones at which it was seen or, where too few are, that use the same tools. */
function alike(inside: readonly Moment[], seenAt: readonly Moment[]): Moment[] {
  const names = new Set(seenAt.map(({ what }) => what));
  const same = inside.filter(({ what }) => names.has(what));
  if (same.length > seenAt.length) return same;
  const tools = new Set(seenAt.map(({ tool }) => tool));
  return inside.filter(({ tool }) => tools.has(tool));
}

const firstAndLast = (moments: readonly Moment[]): Moment[] =>
  moments.length <= MAX_REPEATS ? [...moments] : [...moments.slice(0, MAX_REPEATS / 2), ...moments.slice(-MAX_REPEATS / 2)];
