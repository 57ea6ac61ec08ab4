import { describe, expect, test } from 'vitest';
import { RUNGS, type Rung } from '../event.ts';
import type { Tried } from '../recoveries/recovery.ts';
import type { Evidence } from '../signal.ts';
import {
  climb,
  endAll,
  fade,
  findStreak,
  openStreak,
  raise,
  type Streak,
  type StreakSight,
} from './streak.ts';

const evidenceOf = (keys: string[], target?: string): Evidence => ({
  variant: 'consecutive',
  count: 3,
  since: 0,
  keys,
  strength: 1,
  facts: {},
  ...(target === undefined ? {} : { target }),
});
const sightOf = (keys: string[], target?: string): StreakSight => ({
  detector: 'd',
  evidence: evidenceOf(keys, target),
  text: 'it repeats',
});
const streakOf = (id: string, changes: Partial<Streak> = {}): Streak => ({
  ...openStreak([], id),
  ...changes,
});
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('a new streak', () => {
  test('has no rung, was never raised and is empty', () => {
    expect(openStreak([], 's1')).toEqual({
      id: 's1',
      keys: [],
      target: null,
      rung: -1,
      raised: -1,
      rose: -1,
      countAtRise: 0,
      roseIn: '',
      roseAt: '',
      all: { count: 0, tick: -1, batch: '', raises: 0 },
      equal: { count: 0, tick: -1, batch: '', raises: 0 },
      inVain: 0,
      refused: 0,
      renewed: 0,
      probation: -1,
      progress: 0,
      ended: false,
      advice: true,
      last: [],
      tried: [],
    });
  });

  test('is the 16th that is kept, and the 17th pushes out the oldest', () => {
    const streaks: Streak[] = [];
    for (let i = 1; i <= 16; i++) openStreak(streaks, `s${i}`);
    expect(streaks.map(({ id }) => id)).toEqual(times(16, (i) => `s${i + 1}`));
    openStreak(streaks, 's17');
    expect(streaks.map(({ id }) => id)).toEqual(times(16, (i) => `s${i + 2}`));
  });
});

describe('evidence belongs to the streak', () => {
  const streaks = [
    streakOf('low', { keys: ['a', 'b'], rung: 0 }),
    streakOf('file', { keys: ['c'], target: 'file:1', rung: 1 }),
  ];
  const rows: [string, Evidence, string | undefined][] = [
    ['that shares its only key', evidenceOf(['a']), 'low'],
    ['that shares one of its keys', evidenceOf(['x', 'b']), 'low'],
    ['that shares its target, though no key', evidenceOf(['x'], 'file:1'), 'file'],
    ['of nobody, when neither key nor target is shared', evidenceOf(['x'], 'file:2'), undefined],
    ['of nobody, when neither of the two has a target', evidenceOf(['x']), undefined],
  ];
  test.each(rows)('%s', (_, evidence, expected) => {
    expect(findStreak(streaks, evidence)?.id).toBe(expected);
  });

  test.each([
    ['last', [0, 1, 3], 's2'],
    ['first', [3, 1, 0], 's0'],
    ['in the middle', [0, 3, 1], 's1'],
  ])(
    'that has climbed highest of those that share something, if it comes %s',
    (_, rungs, expected) => {
      const sharing = rungs.map((rung, i) => streakOf(`s${i}`, { keys: ['a'], rung }));
      expect(findStreak(sharing, evidenceOf(['a']))?.id).toBe(expected);
    },
  );

  test('that is older, when both have climbed equally high', () => {
    const sharing = ['older', 'newer'].map((id) => streakOf(id, { keys: ['a'], rung: 2 }));
    expect(findStreak(sharing, evidenceOf(['a']))?.id).toBe('older');
  });

  test('that shares something, however high another has climbed', () => {
    const streaks = [
      streakOf('shares', { keys: ['a'], rung: 0 }),
      streakOf('other', { keys: ['b'], rung: 6 }),
    ];
    expect(findStreak(streaks, evidenceOf(['a']))?.id).toBe('shares');
  });
});

describe('raising a streak', () => {
  test('puts it behind the others, so that it is the last to be dropped', () => {
    const streaks = ['s1', 's2', 's3'].map((id) => streakOf(id));
    raise(streaks, streaks[1]!, sightOf(['a']), 4, false);
    expect(streaks.map(({ id }) => id)).toEqual(['s1', 's3', 's2']);
  });

  test('revives it: its progress is zero again, and it has not ended', () => {
    const streak = streakOf('s1', { progress: 2, ended: true, raised: 1 });
    raise([streak], streak, sightOf(['a']), 7, false);
    expect(streak).toMatchObject({ progress: 0, ended: false, raised: 7 });
  });

  test('adds each key once, the newest last', () => {
    const streak = streakOf('s1', { keys: ['a', 'b'] });
    raise([streak], streak, sightOf(['b', 'c', 'a']), 0, false);
    expect(streak.keys).toEqual(['a', 'b', 'c']);
  });

  test('keeps twelve keys, and the 13th pushes out the oldest', () => {
    const streak = streakOf('s1');
    const keys = times(12, (i) => `k${i + 1}`);
    raise([streak], streak, sightOf(keys), 0, false);
    expect(streak.keys).toEqual(keys);
    raise([streak], streak, sightOf(['k13']), 1, false);
    expect(streak.keys).toEqual([...keys.slice(1), 'k13']);
  });

  test('gives it the first target that is known, for good', () => {
    const streak = streakOf('s1');
    for (const target of [undefined, 'file:1', 'file:2'])
      raise([streak], streak, sightOf(['a'], target), 0, false);
    expect(streak.target).toBe('file:1');
  });

  test('without a target leaves it without one', () => {
    const streak = streakOf('s1');
    raise([streak], streak, sightOf(['a']), 0, false);
    expect(streak.target).toBeNull();
  });

  test('keeps up to three sightings of one step, and none of an earlier step', () => {
    const streak = streakOf('s1');
    const sights = times(4, (i) => ({ ...sightOf(['a']), detector: `d${i}` }));
    for (const sight of sights) raise([streak], streak, sight, 5, false);
    expect(streak.last).toEqual(sights.slice(0, 3));
    raise([streak], streak, sights[3]!, 6, false);
    expect(streak.last).toEqual([sights[3]]);
  });

  test('with evidence above a note makes it more than advice for good', () => {
    const streak = streakOf('s1');
    raise([streak], streak, sightOf(['a']), 0, true);
    expect(streak.advice).toBe(true);
    raise([streak], streak, sightOf(['a']), 1, false);
    raise([streak], streak, sightOf(['a']), 2, true);
    expect(streak.advice).toBe(false);
  });
});

describe('climbing', () => {
  const triedAt = (step: number): Tried => ({ recovery: 'r', rung: 'note', step });

  test('notes the rung, the step, the count and the response', () => {
    const streak = streakOf('s1');
    climb(streak, 1, triedAt(4), { key: 'k', batch: 'b', tick: 4 }, 3);
    expect(streak).toMatchObject({
      rung: 1,
      rose: 4,
      countAtRise: 3,
      roseIn: 'b',
      tried: [triedAt(4)],
    });
  });

  test('never lowers the rung', () => {
    const streak = streakOf('s1', { rung: 5 });
    climb(streak, 3, triedAt(4), { key: 'k', batch: '', tick: 4 }, 3);
    expect(streak.rung).toBe(5);
  });

  test('is remembered six times, and the seventh pushes out the oldest', () => {
    const streak = streakOf('s1');
    for (let step = 1; step <= 6; step++)
      climb(streak, 1, triedAt(step), { key: 'k', batch: '', tick: step }, 3);
    expect(streak.tried.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6]);
    climb(streak, 1, triedAt(7), { key: 'k', batch: '', tick: 7 }, 3);
    expect(streak.tried.map(({ step }) => step)).toEqual([2, 3, 4, 5, 6, 7]);
  });
});

describe('a step with progress', () => {
  const heavy = (changes: Partial<Streak> = {}): Streak =>
    streakOf('s1', { advice: false, raised: 3, ...changes });

  test.each([
    ['does not end a streak the first time', 1, false],
    ['does not end a streak the second time', 2, false],
    ['ends a streak the third time', 3, true],
    ['leaves an ended streak ended', 4, true],
  ])('%s', (_, steps, ended) => {
    const streak = heavy();
    for (let i = 1; i <= steps; i++) fade([streak], 3 + i);
    expect(streak.ended).toBe(ended);
  });

  test('does not count for a streak that is raised in between', () => {
    const streak = heavy();
    for (const step of [4, 5]) fade([streak], step);
    raise([streak], streak, sightOf(['a']), 6, false);
    for (const step of [7, 8]) fade([streak], step);
    expect(streak).toMatchObject({ progress: 2, ended: false });
    fade([streak], 9);
    expect(streak.ended).toBe(true);
  });

  test.each([
    ['does not count for a streak that was raised at the same step', 4, 0],
    ['does not count for a streak that was raised at a later step', 5, 0],
    ['counts for a streak that was raised at the step before', 3, 1],
  ])('%s', (_, raised, progress) => {
    const streak = heavy({ raised });
    fade([streak], 4);
    expect(streak.progress).toBe(progress);
  });

  test('is no longer counted for a streak that is over', () => {
    const streak = heavy({ ended: true, progress: 3 });
    fade([streak], 9);
    expect(streak.progress).toBe(3);
  });

  test('removes streaks that never had more than a note, and keeps the others in order', () => {
    const streaks = [
      heavy({ id: 'a' }),
      heavy({ id: 'b', advice: true }),
      heavy({ id: 'c', advice: true }),
      heavy({ id: 'd' }),
    ];
    fade(streaks, 4);
    expect(streaks.map(({ id, progress }) => [id, progress])).toEqual([
      ['a', 1],
      ['d', 1],
    ]);
  });

  test('keeps a streak that never had more than a note if it was raised at this step', () => {
    const streaks = [heavy({ advice: true })];
    fade(streaks, 3);
    expect(streaks).toHaveLength(1);
  });
});

test('when a person speaks, all streaks end, and those that never had more than a note are dropped', () => {
  const streaks = ['a', 'b', 'c', 'd'].map((id) =>
    streakOf(id, { advice: id === 'b' || id === 'c', rung: 2 }),
  );
  endAll(streaks);
  expect(streaks.map(({ id, ended, rung }) => [id, ended, rung])).toEqual([
    ['a', true, 2],
    ['d', true, 2],
  ]);
});

test.each<[Rung[], Rung]>([
  [['note', 'hint', 'block', 'escalate', 'stop'], 'block'],
  [['note', 'hint', 'block', 'escalate'], 'hint'],
  [['note', 'hint', 'escalate', 'stop'], 'hint'],
  [['note', 'escalate'], 'note'],
  [['escalate'], 'note'],
  // Stopped twice: only the last six are kept.
  [['block', 'escalate', 'stop', 'block', 'escalate', 'stop'], 'block'],
])('a streak that climbed %j resumes with %s after a person has spoken', (rungs, begins) => {
  const streak = streakOf('a', { advice: false });
  for (const rung of rungs)
    climb(
      streak,
      RUNGS.indexOf(rung),
      { recovery: 'r', rung, step: 0 },
      { tick: 0, batch: '', key: 'k' },
      3,
    );
  endAll([streak]);
  expect(streak.rung + 1).toBe(RUNGS.indexOf(begins));
  expect(streak.tried.every(({ heard }) => heard)).toBe(true);
});
