import { isFull } from '@unrut/test/full-runs';
import { describe, expect, test } from 'vitest';
import { compareArms } from './compare-arms.ts';
import { LEAST_SESSIONS, type TrialRow } from './trial.ts';

const session = (given: Partial<TrialRow>): TrialRow => ({
  ...{ arm: 'guarded', place: 'shop', steps: 100, tokens: 1000, usd: 1, wasted: 0 },
  ...{ failed: 0, messages: 1, acted: 0, falseAlarms: 0, long: false, ended: true },
  ...given,
});
const many = (count: number, given: Partial<TrialRow>): TrialRow[] =>
  Array.from({ length: count }, () => session(given));

/** Random numbers from 0 to 1, deterministic for a seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let z = Math.imul(state ^ (state >>> 15), 1 | state);
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z;
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface World {
  benefit: number;
  sessions: number;
  places: number;
}

/**
 * Sessions that loop more in some places than in others; most loops are short and a few are long.
 */
function play({ benefit, sessions, places }: World, seed: number): TrialRow[] {
  const random = randomFrom(seed);
  const about = (mean: number): number => -mean * Math.log(1 - random());
  const often = Array.from({ length: places }, () => 0.1 + 0.4 * random());
  return Array.from({ length: sessions }, () => {
    const arm = random() < 0.5 ? 'guarded' : 'recorded';
    const place = Math.floor(random() * places);
    const loop = random() < often[place]! ? 3 + about(15) : 0;
    const wasted = Math.round(loop * (arm === 'guarded' ? 1 - benefit : 1));
    return session({
      ...{ arm, place: String(place), wasted, steps: Math.round(20 + about(40)) + wasted },
      ...{ failed: Math.round(about(3)), long: wasted >= 8, usd: about(2) },
    });
  });
}

/** How often the interval covers the true value, and how often a difference is claimed. */
function repeat(world: World, times: number): { covered: number; claimed: number } {
  const truth = compareArms(play({ ...world, sessions: 100_000, places: 5000 }, 7)).measures[0]!;
  const expected = truth.guarded - truth.recorded;
  const told = Array.from({ length: times }, (_, i) => compareArms(play(world, 1000 + i)));
  const covered = told.filter(({ measures: [first] }) => {
    const { low, high } = first!.difference!;
    return low <= expected && expected <= high;
  });
  const claimed = told.filter(({ verdict }) => verdict === 'less' || verdict === 'more');
  return { covered: covered.length / times, claimed: claimed.length / times };
}

describe('the arms of a trial', () => {
  const worlds: [string, Omit<World, 'benefit'>][] = [
    ['a few sessions in one place', { sessions: 120, places: 1 }],
    ['sessions in a few places', { sessions: 300, places: 4 }],
    ['sessions in many places', { sessions: 600, places: 40 }],
  ];
  const [times, reach] = isFull ? [1000, 0.02] : [200, 0.04];
  test.each(worlds)('have intervals that are right for %s', (_, world) => {
    for (const benefit of [0, 0.05, 0.2]) {
      const { covered, claimed } = repeat({ ...world, benefit }, times);
      expect(Math.abs(covered - 0.95)).toBeLessThanOrEqual(reach);
      if (benefit === 0) expect(claimed).toBeLessThanOrEqual(0.05);
    }
  });

  test('differ where they do', () => {
    const rows = [
      ...many(60, { arm: 'guarded', wasted: 1 }),
      ...many(30, { arm: 'recorded', wasted: 9 }),
      ...many(30, { arm: 'recorded', wasted: 11 }),
    ];
    const { verdict, measures } = compareArms(rows);
    expect(verdict).toBe('less');
    expect(measures[0]).toMatchObject({
      ...{ name: 'wasted', guarded: 1, recorded: 10, difference: { value: -9 } },
    });
  });

  test('are not compared before there are enough sessions of each', () => {
    const rows = [
      ...many(200, { arm: 'guarded' }),
      ...many(LEAST_SESSIONS - 1, { arm: 'recorded', wasted: 50 }),
    ];
    const { verdict, missing, measures } = compareArms(rows);
    expect({ verdict, missing }).toEqual({ verdict: 'too-few', missing: 1 });
    expect(measures.every(({ difference }) => difference === undefined)).toBe(true);
  });

  test('are equal where nothing is ever lost', () => {
    const rows = [...many(40, { arm: 'guarded' }), ...many(40, { arm: 'recorded' })];
    expect(compareArms(rows)).toMatchObject({ verdict: 'unclear', missing: 0 });
  });

  test('say how many more sessions would show a difference of 5 %', () => {
    const of = (sessions: number) => compareArms(play({ benefit: 0, sessions, places: 1 }, 3));
    const { missing } = of(200);
    expect(missing).toBeGreaterThan(1000);
    const { low, high, value } = of(2 * (100 + missing)).measures[0]!.difference!;
    const { recorded } = of(2 * (100 + missing)).measures[0]!;
    expect((high - value) / recorded).toBeGreaterThan(0.04);
    expect((value - low) / recorded).toBeLessThan(0.06);
  });
});
