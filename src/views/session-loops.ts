import { isAdvice } from '../detectors/index.ts';
import { RUNGS, type Rung } from '../event.ts';
import type { Signal } from '../signal.ts';
import { noWaste, type Waste } from './hour-figures.ts';
import { within } from './session-summary.ts';
import type { Moment, PlanShown } from './timeline.ts';

/** One stretch of a session that goes in circles. Advice on edits or on waiting is none. */
export interface SessionLoop {
  streak: string;
  agent?: string;
  /** The detector that was surest, and others that saw it too. */
  detector: string;
  variant: string;
  also: string[];
  /** Steps: where the repetition began, where it was first noticed, where it was last seen. */
  since: number;
  firedAt: number;
  last: number;
  /** The same as indices of moments; nested agents count steps of their own. */
  place: { start: number; noticed: number; end: number };
  /** How often it has repeated. */
  count: number;
  strength: number;
  /** The highest rung that it came to. */
  rung: Rung;
  text: string;
  /** Moments that repeat each other, oldest first: the first three and the last three. */
  repeats: Moment[];
  /** What was done about it, oldest first; at most twelve. */
  plans: (PlanShown & { step: number; at: number })[];
  wasted: Waste;
  /** One of the last two steps was part of it. */
  isOpen: boolean;
}

const MOST_REPEATS = 6;
const MOST_PLANS = 12;
const FRESH = 2;

/** A streak, and the moments at which it was seen. */
interface Seen {
  streak: string;
  agent: string | undefined;
  at: { index: number; signals: Signal[] }[];
}

/** The loops of a session in order of their start, from all its moments. In one that has ended none is open. */
export function sessionLoops(moments: readonly Moment[], hasEnded: boolean): SessionLoop[] {
  const streaks = new Map<string, Seen>();
  const plans = new Map<string, SessionLoop['plans']>();
  const places = new Map<string, number>();
  const latest = new Map<string, number>();
  for (const [index, moment] of moments.entries()) {
    const { agent, step, at } = moment;
    if (step !== undefined) {
      places.set(within(moment, String(step)), index);
      latest.set(agent ?? '', Math.max(latest.get(agent ?? '') ?? 0, step));
    }
    const own = moment.signals.filter((signal) => signal.agent === undefined && !isAdvice(signal));
    for (const streak of new Set(own.map((signal) => signal.streak))) {
      const key = within(moment, streak);
      const seen = streaks.get(key) ?? { streak, agent, at: [] };
      seen.at.push({ index, signals: own.filter((signal) => signal.streak === streak) });
      streaks.set(key, seen);
    }
    for (const plan of moment.plans) {
      const key = within(moment, plan.streak);
      plans.set(key, [...(plans.get(key) ?? []), { ...plan, step: step ?? 0, at }]);
    }
  }
  const loops = [...streaks].map(([key, seen]) => {
    const started = Math.min(...seen.at.flatMap(({ signals }) => signals.map(({ since }) => since)));
    const start = places.get(within(seen.agent === undefined ? {} : { agent: seen.agent }, String(started))) ?? seen.at[0]!.index;
    const isOpen = !hasEnded && seen.at.at(-1)!.signals[0]!.step >= (latest.get(seen.agent ?? '') ?? 0) - FRESH + 1;
    return loopOf(seen, { moments, start: Math.min(start, seen.at[0]!.index), isOpen, plans: (plans.get(key) ?? []).slice(0, MOST_PLANS) });
  });
  return loops.sort((one, other) => one.place.start - other.place.start);
}

interface About {
  moments: readonly Moment[];
  start: number;
  isOpen: boolean;
  plans: SessionLoop['plans'];
}

function loopOf({ streak, agent, at }: Seen, { moments, start, isOpen, plans }: About): SessionLoop {
  const signals = at.flatMap((each) => each.signals);
  const surest = signals.reduce((one, other) => (other.strength >= one.strength ? other : one));
  const [noticed, end] = [at[0]!.index, at.at(-1)!.index];
  const inside = moments.slice(start, end + 1).filter((moment) => moment.agent === agent && moment.step !== undefined);
  const count = Math.max(...signals.map((signal) => signal.count));
  const lap = Math.max(1, Math.round(inside.length / Math.max(1, count)));
  return {
    streak,
    ...(agent === undefined ? {} : { agent }),
    ...{ detector: surest.detector, variant: surest.variant, text: surest.text, strength: surest.strength },
    also: [...new Set(signals.map(({ detector }) => detector))].filter((detector) => detector !== surest.detector),
    since: Math.min(...signals.map(({ since }) => since)),
    firedAt: signals[0]!.step,
    last: signals.at(-1)!.step,
    place: { start, noticed, end },
    count,
    rung: RUNGS[Math.max(...signals.map(({ rung }) => RUNGS.indexOf(rung)))]!,
    repeats: firstAndLast(
      alike(
        inside,
        at.map(({ index }) => moments[index]!),
      ),
    ),
    plans,
    wasted: wasteOf(inside.slice(lap)),
    isOpen,
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
  moments.length <= MOST_REPEATS ? [...moments] : [...moments.slice(0, MOST_REPEATS / 2), ...moments.slice(-MOST_REPEATS / 2)];

function wasteOf(moments: readonly Moment[]): Waste {
  const waste = noWaste();
  for (const { tokens = 0, usd = 0 } of moments) {
    waste.steps++;
    waste.tokens += tokens;
    waste.usd += usd;
  }
  return waste;
}
