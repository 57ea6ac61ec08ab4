import { expect, test } from 'vitest';
import { HINT, withMoves } from './wording.ts';

test.each([
  [['look again'], 'It failed. Try next: Look again.'],
  [['Look again.'], 'It failed. Try next: Look again.'],
  [['look again', 'Say why.'], 'It failed. Try next: 1. Look again. 2. Say why.'],
])('the moves %j end in one full stop each', (moves, text) => {
  expect(withMoves('It failed.', moves, HINT)).toBe(text);
});
