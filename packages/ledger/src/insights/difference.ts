import { hash32 } from '@unrut/engine/hash';
import { roundRate } from '../report/rate.ts';
import type { ShareDifference } from './insights.ts';
import { type PersonShare, peopleIn, sumIn, widening, worthOf } from './shares.ts';

/** With fewer sessions or people, no difference is claimed. */
const LEAST = { sessions: 100, people: 5 } as const;

const DRAWS = 1000;

/**
 * Compares two shares of sessions by a bootstrap that resamples people; people on both sides are
 * drawn for both. The same seed gives the same interval.
 */
export function shareDifference(
  one: readonly PersonShare[],
  other: readonly PersonShare[],
  seed: string,
): ShareDifference | undefined {
  if (sumIn(one, 'sessions') === 0 || sumIn(other, 'sessions') === 0) return undefined;
  const value =
    ratio(sumIn(other, 'looped'), sumIn(other, 'sessions')) -
    ratio(sumIn(one, 'looped'), sumIn(one, 'sessions'));
  const drawn = drawnDifferences(one, other, seed);
  const wider = widening(Math.min(worthOf(one), worthOf(other)));
  const bound = (at: number): number => {
    const drawnBound = drawn[Math.round(at * (drawn.length - 1))] ?? value;
    return Math.min(1, Math.max(-1, value + (drawnBound - value) * wider));
  };
  const [low, high] = [bound(0.025), bound(0.975)];
  return {
    value: roundRate(value),
    low: roundRate(low),
    high: roundRate(high),
    ...verdictOn({ value, low, high }, one, other),
  };
}

function verdictOn(
  { value, low, high }: Pick<ShareDifference, 'value' | 'low' | 'high'>,
  ...sides: (readonly PersonShare[])[]
): Pick<ShareDifference, 'verdict' | 'missing'> {
  const sessions = Math.min(...sides.map((side) => sumIn(side, 'sessions')));
  const people = Math.min(...sides.map(peopleIn));
  const missing = {
    sessions: Math.max(0, LEAST.sessions - sessions),
    people: Math.max(0, LEAST.people - people),
  };
  if (missing.sessions > 0 || missing.people > 0) return { verdict: 'unclear', missing };
  if (high < 0) return { verdict: 'fewer' };
  if (low > 0) return { verdict: 'more' };
  // The interval narrows with the square root of the sample size.
  const needed = sessions * ((high - low) / 2 / value) ** 2;
  const more = Math.ceil(needed - sessions);
  return {
    verdict: 'unclear',
    ...(Number.isFinite(more) ? { missing: { sessions: Math.max(1, more), people: 0 } } : {}),
  };
}

/** In order. */
function drawnDifferences(
  one: readonly PersonShare[],
  other: readonly PersonShare[],
  seed: string,
): Float64Array {
  const pairs = paired(one, other);
  const random = randomFrom(seed);
  const drawn = new Float64Array(DRAWS);
  for (let i = 0; i < DRAWS; i++) drawn[i] = drawOnce(pairs, random);
  return drawn.filter(Number.isFinite).sort();
}

type Side = readonly [sessions: number, looped: number];
interface Pair {
  isKnown: boolean;
  sides: readonly [Side, Side];
}

/** The sessions of each person on both sides. */
function paired(...sides: readonly [readonly PersonShare[], readonly PersonShare[]]): Pair[] {
  const known = new Map<string, [Side, Side]>();
  const unknown: Pair[] = [];
  for (const [i, shares] of sides.entries())
    for (const { person, sessions, looped } of shares) {
      const pair: [Side, Side] = known.get(person ?? '') ?? [NONE, NONE];
      const place: [Side, Side] = person === null ? [NONE, NONE] : pair;
      place[i] = [sessions, looped];
      if (person === null) unknown.push({ isKnown: false, sides: place });
      else known.set(person, place);
    }
  return [...[...known.values()].map((each) => ({ isKnown: true, sides: each })), ...unknown];
}

const NONE: Side = [0, 0];

/** Draws each person a random number of times, once on average. */
function drawOnce(pairs: readonly Pair[], random: () => number): number {
  const sums = [0, 0, 0, 0];
  for (const { isKnown, sides } of pairs) {
    const times = isKnown ? poisson(1, random) : 0;
    for (const [i, [sessions, looped]] of sides.entries()) {
      if (sessions === 0) continue;
      const hits = isKnown ? times * looped : poisson(looped, random);
      const others = isKnown ? times * (sessions - looped) : poisson(sessions - looped, random);
      sums[2 * i]! += hits + others;
      sums[2 * i + 1]! += hits;
    }
  }
  return ratio(sums[3]!, sums[2]!) - ratio(sums[1]!, sums[0]!);
}

const ratio = (part: number, all: number): number => (all === 0 ? Number.NaN : part / all);

/** From this number on as good as normal. */
const MANY = 30;

function poisson(mean: number, random: () => number): number {
  if (mean === 0) return 0;
  if (mean > MANY) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  const end = Math.exp(-mean);
  let count = 0;
  for (let left = random(); left > end; left *= random()) count++;
  return count;
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Random numbers from 0 to 1, deterministic for a seed (SplitMix32). */
function randomFrom(seed: string): () => number {
  let state = hash32(seed);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state ^ (state >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}
