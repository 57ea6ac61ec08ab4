import { type Candidate, movesOf, shownCandidates } from '@unrut/engine/candidates/candidate';
import { expect, test } from 'vitest';

const candidate = (name: string, score: number, more: Partial<Candidate> = {}): Candidate => ({
  name,
  score,
  description: name,
  reason: 'it helps',
  risk: 'read_only',
  ...more,
});

test.each([
  [
    'those for which nothing speaks',
    [candidate('a', 0.9), candidate('b', 0), candidate('c', -0.2)],
    ['a'],
  ],
  ['the fourth', ['a', 'b', 'c', 'd'].map((name) => candidate(name, 0.5)), ['a', 'b', 'c']],
  [
    'what a gate excludes',
    [candidate('a', 0.9, { blockedReason: 'not here' }), candidate('b', 0.1)],
    ['b'],
  ],
  ['not the best, whatever its score', [candidate('a', -0.5)], ['a']],
])('of the candidates the model is not shown %s', (_, given, names) => {
  expect(shownCandidates(given).map(({ name }) => name)).toEqual(names);
  expect(movesOf(given, [], false)).toEqual(names.map((name) => `${name}; it helps`));
});
