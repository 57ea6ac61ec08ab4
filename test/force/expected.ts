import { expect } from 'vitest';
import { force, type Play, play } from './play.ts';

/** Nothing is blocked, asked or stopped, attended or not. */
export const quiet = (given: Play): void => {
  for (const attended of [true, false]) expect(force(play({ ...given, attended }))).toEqual([]);
};

/** A human is asked, and the run ends if there is none. */
export const ends = (given: Play): void => {
  expect(force(play(given)).some((act) => act.endsWith('escalate'))).toBe(true);
  expect(play({ ...given, attended: false }).stoppedAt).not.toBeNull();
};
