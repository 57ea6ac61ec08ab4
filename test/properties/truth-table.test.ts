import { expect, test } from 'vitest';
import { playWorld } from '../../bench/acts/play-world.ts';
import { isFull } from '../full-runs.ts';

// `npm run bench:acts -- --worlds` plays a hundred times as many.
const WORLDS = isFull ? 1000 : 100;

test('in invented worlds nothing is refused that could be known to have changed, nobody is stopped who gets on, every certain loop is, and all that is said is true', () => {
  const played = Array.from({ length: WORLDS }, (_, i) => playWorld(1 + i));
  expect(played.flatMap(({ broken }) => broken)).toEqual([]);
  const sum = (what: 'refused' | 'stopped' | 'steps'): number =>
    played.reduce((total, each) => total + each[what], 0);
  // Worlds in which nothing happens would prove nothing.
  expect(Math.min(sum('refused'), sum('stopped'))).toBeGreaterThan(WORLDS / 30);
  expect(sum('steps')).toBeGreaterThan(10 * WORLDS);
});

// Among 100,000 worlds, the promise was broken in these: the first search in vain taught nothing.
test.each([1_008_231, 1_034_845, 1_060_831, 1_061_486])(
  'an agent that leaves a loop to search for something that is not there is not stopped: world %i',
  (seed) => expect(playWorld(seed).broken).toEqual([]),
);
