import { describe, expect, it } from 'vitest';
import { type Habits, learnHabit, particularOf } from './particular.ts';

const after = (...texts: number[][]): Habits => {
  const habits: Habits = [];
  for (const words of texts) learnHabit(habits, 'ann', words);
  return habits;
};

describe('particular words', () => {
  it('are all words before four texts are known', () => {
    expect(particularOf(after([1, 2], [1, 3], [1, 4]), 'ann')([1, 5])).toEqual([1, 5]);
  });

  it('are those that at most half of the texts had', () => {
    expect(particularOf(after([1, 2], [1, 2], [1, 3], [1, 4]), 'ann')([1, 2, 5])).toEqual([2, 5]);
  });

  it('are counted for each speaker apart', () => {
    expect(particularOf(after([1], [1], [1], [1]), 'bob')([1])).toEqual([1]);
  });

  it('stay bounded, and forget rare words first', () => {
    const texts = Array.from({ length: 100 }, (_, i) => [1, 1000 + 2 * i, 1001 + 2 * i]);
    const habits = after(...texts);
    for (let i = 0; i < 9; i++) learnHabit(habits, `speaker ${i}`, [7]);
    expect(JSON.stringify(habits).length).toBeLessThan(1000);
    expect(particularOf(after(...texts), 'ann')([1, 5])).toEqual([5]);
  });
});
