import { isFull } from '@unrut/test/full-runs';
import { describe, expect, test } from 'vitest';
import { shareDifference } from './difference.ts';
import { type PersonShare, shareOf } from './shares.ts';

const unknown = (sessions: number, looped: number): PersonShare[] => [
  { person: null, sessions, looped },
];

describe('two releases', () => {
  test('of thousands of sessions differ by 12.4 points, between 10.8 and 14.1', () => {
    const difference = shareDifference(unknown(5132, 1517), unknown(4870, 835), 'v41 v42')!;
    expect(difference.verdict).toBe('fewer');
    expect(difference.value).toBeCloseTo(-0.124, 3);
    expect(Math.abs(difference.low + 0.141)).toBeLessThan(0.002);
    expect(Math.abs(difference.high + 0.108)).toBeLessThan(0.002);
    expect(shareDifference(unknown(4870, 835), unknown(5132, 1517), 'v42 v41')).toMatchObject({
      verdict: 'more',
    });
  });

  test('the same question has the same interval', () => {
    const ask = (seed: string) => shareDifference(unknown(500, 100), unknown(400, 60), seed);
    expect(ask('one')).toEqual(ask('one'));
    expect(ask('one')).not.toEqual(ask('other'));
  });

  test('of few sessions or few people are not compared in words, however far apart', () => {
    expect(shareDifference(unknown(60, 0), unknown(500, 400), 's')).toMatchObject({
      verdict: 'unclear',
      missing: { sessions: 40, people: 0 },
    });
    const people = (count: number, looped: number): PersonShare[] =>
      Array.from({ length: count }, (_, i) => ({ person: `p${i}`, sessions: 100, looped }));
    expect(shareDifference(people(3, 0), people(9, 90), 's')).toMatchObject({
      verdict: 'unclear',
      missing: { sessions: 0, people: 2 },
    });
    expect(shareDifference(people(9, 5), people(9, 90), 's')).toMatchObject({ verdict: 'more' });
  });

  test('that are nearly equal tell how many sessions would show such a difference', () => {
    const { verdict, missing, low, high } = shareDifference(
      unknown(400, 80),
      unknown(400, 84),
      's',
    )!;
    expect(verdict).toBe('unclear');
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
    expect(missing!.sessions).toBeGreaterThan(5000);
  });

  test('one of which has no session have no difference', () => {
    expect(shareDifference(unknown(0, 0), unknown(400, 84), 's')).toBeUndefined();
    expect(shareDifference([], unknown(400, 84), 's')).toBeUndefined();
  });
});

test('a share is less certain when one person has most of the sessions that loop', () => {
  const spread = Array.from({ length: 20 }, (_, i) => ({
    person: `p${i}`,
    sessions: 10,
    looped: 2,
  }));
  const one = spread.map((row, i) => ({ ...row, looped: i < 4 ? 10 : 0 }));
  const width = ({ low, high }: { low: number; high: number }): number => high - low;
  expect(shareOf(one).value).toBe(shareOf(spread).value);
  expect(width(shareOf(one))).toBeGreaterThan(1.5 * width(shareOf(spread)));
  expect(width(shareOf(spread))).toBeCloseTo(width(shareOf(unknown(200, 40))), 3);
});

/** Random numbers from 0 to 1, deterministic for a seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A person's share of looping sessions: about a fifth, varying by person. */
function ownShare(random: () => number): number {
  const gamma = (shape: number): number => {
    let sum = 0;
    for (let i = 0; i < shape; i++) sum -= Math.log(1 - random());
    return sum;
  };
  const part = gamma(4);
  return part / (part + gamma(16));
}

interface Simulated {
  people: number;
  /** The first has a third of all sessions. */
  isOneThird: boolean;
  isSamePeople: boolean;
}

/** Both sides of a comparison that differ only by chance and by people. */
function simulated({ people, isOneThird, isSamePeople }: Simulated, seed: number): PersonShare[][] {
  const random = randomOf(seed);
  const shares = (): number[] => Array.from({ length: people }, () => ownShare(random));
  const first = shares();
  const sessionsOf = (i: number): number => {
    const usual = isOneThird
      ? i === 0
        ? (40 * people) / 3
        : (80 * people) / 3 / (people - 1)
      : 40;
    return Math.max(1, Math.round(usual * (0.5 + random())));
  };
  return [first, isSamePeople ? first : shares()].map((own, side) =>
    own.map((share, i) => {
      const sessions = sessionsOf(i);
      let looped = 0;
      for (let n = 0; n < sessions; n++) if (random() < share) looped++;
      return { person: `${isSamePeople ? '' : side}p${i}`, sessions, looped };
    }),
  );
}

describe('without a difference, few comparisons claim one', () => {
  const cases: Simulated[] = [12, 30].flatMap((people) =>
    [false, true].flatMap((isOneThird) =>
      [true, false].map((isSamePeople) => ({ people, isOneThird, isSamePeople })),
    ),
  );
  const comparisons = isFull ? 1000 : 150;

  test.each(cases)('%o', (each) => {
    let claims = 0;
    for (let seed = 1; seed <= comparisons; seed++) {
      const [one, other] = simulated(each, seed) as [PersonShare[], PersonShare[]];
      if (shareDifference(one, other, String(seed))!.verdict !== 'unclear') claims++;
    }
    // With 150 comparisons, a true rate of 5 % can appear as up to 8 %.
    expect(claims / comparisons).toBeLessThanOrEqual(isFull ? 0.05 : 0.08);
  });

  test('a true difference of ten points is nearly always claimed', () => {
    let claims = 0;
    for (let seed = 1; seed <= 50; seed++) {
      const [one, other] = simulated(
        { people: 60, isOneThird: false, isSamePeople: true },
        seed,
      ) as [PersonShare[], PersonShare[]];
      const more = other.map((row) => ({
        ...row,
        looped: Math.min(row.sessions, row.looped + Math.round(row.sessions * 0.1)),
      }));
      if (shareDifference(one, more, String(seed))!.verdict === 'more') claims++;
    }
    expect(claims).toBeGreaterThan(47);
  });
});
