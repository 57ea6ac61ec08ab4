import { describe, expect, test } from 'vitest';
import { learnedFrom, type OutcomeEntry, type RecoveryRow, recoveryRows } from './learned-from.ts';
import type { Offer } from './offer.ts';

interface Told extends Partial<Offer> {
  session?: string;
  plan?: string;
  kind?: string;
  outcome?: string;
}

let plans = 0;
const entryOf = ({
  session = 's',
  plan,
  kind = 'outcome',
  outcome = 'recovered',
  ...offer
}: Told = {}): OutcomeEntry => ({
  session,
  kind,
  data: {
    plan: plan ?? `p${plans++}`,
    outcome,
    offer: {
      failure: 'f',
      world: 'page',
      target: null,
      offered: ['look'],
      did: 'x',
      followed: 'look',
      reward: 1,
      ...offer,
    },
  },
});
const rewarded = (...rewards: number[]): OutcomeEntry[] =>
  rewards.map((reward) => entryOf({ reward }));
const namesOf = (rows: RecoveryRow[]): string[] =>
  rows.map(({ failure, world, move }) => `${failure}/${world}/${move}`);

describe('a share of success', () => {
  test.each([
    [2, {}],
    [3, { 'f/page/look': 0.8 }],
    [4, { 'f/page/look': 0.833 }],
  ])('is known from three cases on: %d', (count, expected) => {
    expect(learnedFrom(rewarded(...Array.from({ length: count }, () => 1)))).toEqual(expected);
  });

  test.each([
    [[-1, -1, -1], 0.2],
    [[0, 0, 0], 0.5],
    [[1, 0, -1], 0.5],
    [[1, 1, 0], 0.7],
  ])(
    'of the rewards %j is %d, as if two more cases had been neither good nor bad',
    (rewards, share) => {
      expect(learnedFrom(rewarded(...rewards))).toEqual({ 'f/page/look': share });
    },
  );

  test('counts each failure, world and move by itself', () => {
    const entries = (['f', 'g'] as const).flatMap((failure) =>
      (['page', 'file'] as const).flatMap((world) =>
        Array.from({ length: 3 }, () => entryOf({ failure, world })),
      ),
    );
    expect(Object.keys(learnedFrom(entries))).toEqual([
      'f/file/look',
      'f/page/look',
      'g/file/look',
      'g/page/look',
    ]);
  });
});

describe('a row', () => {
  test('counts what was offered, followed and recovered', () => {
    const offered = ['look', 'wait'];
    const rows = recoveryRows([
      entryOf({ offered, reward: 0.5 }),
      entryOf({ offered, reward: 0, outcome: 'persisted' }),
      entryOf({ offered, reward: -1, followed: null }),
    ]);
    const row = { failure: 'f', world: 'page', offered: 3, share: null };
    expect(rows).toEqual([
      { ...row, move: 'look', followed: 2, recovered: 1, reward: 0.25 },
      { ...row, move: 'wait', followed: 0, recovered: 0, reward: null },
    ]);
  });

  test('has its mean reward in three decimals, and no negative zero', () => {
    expect(recoveryRows(rewarded(1, 0, 0))[0]!.reward).toBe(0.333);
    expect(recoveryRows(rewarded(-0.0001))[0]!.reward).toBe(0);
  });

  test('comes by failure, then world, then offers, then cases, then name', () => {
    const entries = [
      entryOf({ failure: 'g', world: 'page', offered: ['a'], followed: null }),
      entryOf({ failure: 'f', world: 'page', offered: ['c', 'b', 'd', 'rare'], followed: 'd' }),
      entryOf({ failure: 'f', world: 'page', offered: ['d', 'b', 'c'], followed: null }),
      entryOf({ failure: 'f', world: 'file', offered: ['z'], followed: null }),
    ];
    const expected = ['f/file/z', 'f/page/d', 'f/page/b', 'f/page/c', 'f/page/rare', 'g/page/a'];
    expect(namesOf(recoveryRows(entries))).toEqual(expected);
    expect(namesOf(recoveryRows(entries.reverse()))).toEqual(expected);
  });
});

describe('of each plan', () => {
  test('the last word counts: a relapse takes a recovery back', () => {
    const [row] = recoveryRows([
      entryOf({ plan: 'p', reward: 1 }),
      entryOf({ plan: 'p', reward: -0.5, outcome: 'relapsed' }),
    ]);
    expect(row).toMatchObject({ offered: 1, followed: 1, recovered: 0, reward: -0.5 });
  });

  test.each([
    ['session', { session: 'a', plan: 'p' }, { session: 'b', plan: 'p' }],
    ['plan', { session: 'a', plan: 'p' }, { session: 'a', plan: 'q' }],
  ])('of another %s the word counts too', (_, one, another) => {
    expect(recoveryRows([entryOf(one), entryOf(another)])[0]!.offered).toBe(2);
  });

  const strange: [string, OutcomeEntry][] = [
    ['of another kind', entryOf({ kind: 'plan' })],
    [
      'without an offer',
      { session: 's', kind: 'outcome', data: { plan: 'p', outcome: 'recovered' } },
    ],
    ['whose offer is null', { session: 's', kind: 'outcome', data: { plan: 'p', offer: null } }],
    [
      'whose offer is a text',
      { session: 's', kind: 'outcome', data: { plan: 'p', offer: 'look' } },
    ],
    ['whose moves are no list', entryOf({ offered: 'look' as never })],
    ['whose reward is no number', entryOf({ reward: 'much' as never })],
    ['without a reward', entryOf({ reward: undefined })],
  ];
  test.each(strange)('an entry %s is ignored', (_, entry) => {
    expect(recoveryRows([entry])).toEqual([]);
  });
});
