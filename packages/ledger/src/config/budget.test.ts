import { makePlace } from '@unrut/test/config/place';
import { describe, expect, test } from 'vitest';

const USER = 'user/unrut.config.json';
const PROJECT = 'project/unrut.config.json';

describe('a budget in the settings', () => {
  test('comes from a file and from variables, the variables last', () => {
    const place = makePlace({ [USER]: { budget: { usd: 5, day: { usd: 50 } } } });
    const { settings, sources, problems } = place.load({
      UNRUT_BUDGET_USD: '7.5',
      UNRUT_BUDGET_MINUTES: '90',
      UNRUT_BUDGET_STEPS: '400',
      UNRUT_BUDGET_SUBAGENTS: '40',
      UNRUT_BUDGET_DAY_STEPS: '4000',
    });
    expect(problems).toEqual([]);
    expect(settings.guard.budget).toEqual({
      usd: 7.5,
      minutes: 90,
      steps: 400,
      subagents: 40,
      day: { usd: 50, steps: 4000 },
    });
    expect(sources['budget.usd']).toBe('UNRUT_BUDGET_USD');
  });

  test('is off unless it is set', () => {
    expect(makePlace().load().settings.guard).not.toHaveProperty('budget');
    const empty = makePlace({ [USER]: { budget: { day: {} } } });
    expect(empty.load().settings.guard).not.toHaveProperty('budget');
  });

  test.each<[string, object, object | undefined, RegExp]>([
    ['text', { usd: 'five', steps: 4 }, { steps: 4 }, /`budget\.usd`.*"five"/],
    ['a negative number', { minutes: -1, usd: 5 }, { usd: 5 }, /`budget\.minutes`.*-1/],
    ['a part of a step', { steps: 1.5, usd: 5 }, { usd: 5 }, /`budget\.steps`.*1\.5/],
    ['an unknown limit', { dollars: 5, usd: 5 }, { usd: 5 }, /budget\.dollars/],
    ['a wrong day', { day: 50, usd: 5 }, { usd: 5 }, /`budget\.day`/],
    ['nothing sound', { usd: 0 }, undefined, /`budget\.usd`/],
  ])('with %s is reported, and its sound part applies', (_, budget, sound, line) => {
    const { settings, problems } = makePlace({ [USER]: { budget } }).load();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(line);
    expect(settings.guard.budget).toEqual(sound);
    expect(settings.shadow).toBe(false);
  });

  test('of a project can lower the limits of the user, and cannot raise them', () => {
    const place = makePlace({
      [USER]: { budget: { usd: 5, steps: 100, day: { usd: 20 } } },
      [PROJECT]: { budget: { usd: 50, steps: 10, minutes: 9, day: { usd: 21 } } },
    });
    const { settings, problems } = place.load();
    expect(settings.guard.budget).toEqual({ usd: 5, steps: 10, minutes: 9, day: { usd: 20 } });
    expect(problems.map((line) => line.replace(/^.*json: /, ''))).toEqual([
      'budget.usd: ignored, because 50 is more than the 5 of your own settings. A project can only lower it.',
      'budget.day.usd: ignored, because 21 is more than the 20 of your own settings. A project can only lower it.',
    ]);
  });

  test('prices come from the user, and from a project only if it is trusted', () => {
    const prices = { 'claude-sonnet': { input: 3, output: 15 } };
    expect(makePlace({ [USER]: { prices } }).load().settings.prices).toEqual(prices);
    const { settings, problems } = makePlace({ [PROJECT]: { prices } }).load();
    expect(settings.prices).toBeUndefined();
    expect(problems[0]).toContain('prices: ignored unless you trust the project');
  });
});
