import { noProgressDetector } from '../no-progress.ts';

export const stuck = noProgressDetector({
  name: 'stuck',
  calls: 8,
  errors: false,
  moves: [
    'restate the goal, what you tried, and what each try showed',
    'return to the last better state, and take another way from there',
    'ask for what is missing',
  ],
});
