import { RUNGS, type Rung } from '../event.ts';
import type { Outcome } from '../outcome/outcome.ts';

/** What loops have cost: steps after the first lap of a loop, and what was spent on them. */
export interface Waste {
  steps: number;
  tokens: number;
  usd: number;
}

export const noWaste = (): Waste => ({ steps: 0, tokens: 0, usd: 0 });

/** A plan that was made about a loop. Its words are in the record, under its id. */
export interface LoopPlan {
  id: string;
  step: number;
  at: number;
  rung: Rung;
  recovery: string;
  /** It was only recorded. */
  shadow: boolean;
  /**
   * What the host reports: the rung that was reached, or that nothing was done. Missing where it
   * reports nothing.
   */
  performed?: { rung: Rung; failed: boolean };
  /**
   * Its final outcome, once that is known. What follows a plan that was only recorded is not its
   * effect.
   */
  outcome?: Outcome['outcome'];
}

/**
 * How a loop ended: by itself, after the last plan on it, by a user message, or never, because the
 * run ended in it.
 */
export const LOOP_ENDINGS = ['itself', ...RUNGS, 'human', 'never'] as const;

export type LoopEnding = (typeof LOOP_ENDINGS)[number];

/** The last thing that was really done about a loop. */
export interface LastTry {
  plan: string;
  rung: Rung;
  recovery: string;
  step: number;
}

/** A run of steps that repeats without bringing anything new, as one detector or several saw it. */
export interface LoopAccount {
  /** The nested agent whose loop it is. */
  agent?: string;
  /** The stretches that it was put together of, the main one first; see `stretchesAt`. */
  stretches: number[];
  streak: string;
  /** The detector that was surest, and others that saw it too. */
  detector: string;
  variant: string;
  also: string[];
  /** No more than advice on edits or on waiting longer: no loop, and nothing is wasted on it. */
  advice: boolean;
  /** Steps: the start of the repetition, when it was noticed, and its last sighting. */
  start: number;
  firedAt: number;
  end: number;
  /** When it was noticed, in epoch milliseconds. */
  at: number;
  /** The highest rung that it reached. */
  rung: Rung;
  /** How often it has repeated. */
  count: number;
  /** How often a further repeat was refused before it ran. */
  refused: number;
  strength: number;
  /** What was seen, in the detector's words. */
  text: string;
  /**
   * No step is wasted on two loops, so that what all loops have wasted adds up to what the run has.
   */
  wasted: Waste;
  /** The plans on it, oldest first; at most twelve. */
  plans: LoopPlan[];
  /** The last thing that was really done about it, and whether a human has spoken since. */
  tried: LastTry | null;
  heard: boolean;
  /** One of the last two steps was part of it, and the run continues. */
  open: boolean;
  /** Null while it is open. Advice has none. */
  ending: LoopEnding | null;
}

/** All that was spent before a step. */
export interface LoopMark {
  step: number;
  tokens: number;
  usd: number;
}

/** A stretch while it grows: one streak as one detector sees it, without a long pause. */
export interface Stretch
  extends Omit<LoopAccount, 'agent' | 'stretches' | 'also' | 'open' | 'ending' | 'wasted'> {
  id: number;
  /**
   * The wasted part: from the first step after its first lap, which does not count, to before the
   * first step after it.
   */
  from: LoopMark;
  to: LoopMark;
}

type Found = LoopAccount & Pick<Stretch, 'from' | 'to'>;

export const MAX_PLANS = 12;

export const higher = (one: Rung, other: Rung): Rung =>
  RUNGS.indexOf(one) >= RUNGS.indexOf(other) ? one : other;

/**
 * Merges stretches that overlap by half of the shorter one. Sorted by start. Waste before `wasted`
 * is already counted.
 */
export function loopsOf(stretches: readonly Stretch[], wasted: LoopMark): LoopAccount[] {
  const loops: Found[] = [];
  for (const { id, ...stretch } of stretches.toSorted(
    (one, other) => one.start - other.start || other.end - one.end,
  )) {
    const loop: Found = {
      ...stretch,
      stretches: [id],
      also: [],
      open: false,
      ending: null,
      wasted: noWaste(),
    };
    const at = loops.findLastIndex((each) => isOneWith(each, loop));
    if (at < 0) loops.push(loop);
    else loops[at] = together(loops[at]!, loop);
  }
  let counted = wasted;
  return loops.map(({ from, to, ...loop }) => {
    if (loop.advice) return loop;
    const begun = later(from, counted);
    counted = later(to, counted);
    return to.step > begun.step ? { ...loop, wasted: between(begun, to) } : loop;
  });
}

export const later = (one: LoopMark, other: LoopMark): LoopMark =>
  one.step >= other.step ? one : other;

const between = (from: LoopMark, to: LoopMark): Waste => ({
  steps: to.step - from.step,
  tokens: to.tokens - from.tokens,
  usd: to.usd - from.usd,
});

function isOneWith(one: Found, other: Found): boolean {
  const shared = Math.min(one.end, other.end) - Math.max(one.start, other.start) + 1;
  return shared * 2 >= Math.min(one.end - one.start, other.end - other.start) + 1;
}

function together(one: Found, other: Found): Found {
  const [main, second] = isSurer(one, other) ? [one, other] : [other, one];
  const first = one.firedAt <= other.firedAt ? one : other;
  // The more certain stretch determines the start, unless another one had fired before it began.
  const begun = first.firedAt < main.start && second.start < main.start ? second : main;
  return {
    ...main,
    stretches: [...main.stretches, ...second.stretches],
    also: [...new Set([one.detector, other.detector, ...one.also, ...other.also])].filter(
      (name) => name !== main.detector,
    ),
    advice: one.advice && other.advice,
    start: begun.start,
    from: begun.from,
    to: later(one.to, other.to),
    firedAt: first.firedAt,
    at: first.at,
    end: Math.max(one.end, other.end),
    rung: higher(one.rung, other.rung),
    refused: Math.max(one.refused, other.refused),
    tried: (one.tried?.step ?? -1) > (other.tried?.step ?? -1) ? one.tried : other.tried,
    heard: one.end >= other.end ? one.heard : other.heard,
    plans: [...one.plans, ...other.plans]
      .sort((a, b) => a.at - b.at || a.step - b.step)
      .slice(0, MAX_PLANS),
  };
}

/** A real loop before advice, then the surer one, then the one that was noticed first. */
function isSurer(one: Found, other: Found): boolean {
  if (one.advice !== other.advice) return other.advice;
  return one.strength !== other.strength
    ? one.strength > other.strength
    : one.firedAt <= other.firedAt;
}

export const sum = (one: Waste, other: Waste): Waste => ({
  steps: one.steps + other.steps,
  tokens: one.tokens + other.tokens,
  usd: one.usd + other.usd,
});

/** Sums of money are not exact in binary: a millionth is more than anybody asks for. */
export const rounded = (amount: number): number => Math.round(amount * 1e6) / 1e6;

export const roundedWaste = ({ steps, tokens, usd }: Waste): Waste => ({
  steps,
  tokens: rounded(tokens),
  usd: rounded(usd),
});
