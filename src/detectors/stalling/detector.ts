import { noProgressDetector } from '../no-progress.ts';

export const stalling = noProgressDetector({
  name: 'stalling',
  calls: 5,
  errors: true,
  moves: [
    'read the present state once, then say in one sentence what is known and what is missing',
    'try a tool or a route that has not been used yet',
    'take a smaller step whose result can be checked',
  ],
});
