import { noProgressDetector } from '../no-progress.ts';

export const stuck = noProgressDetector({
  name: 'stuck',
  calls: 8,
  errors: false,
  moves: [
    'stop and restate the goal, what was tried, and what each try showed',
    'go back to the last state that was better, and take another way from there',
    'ask for what is missing',
  ],
});
