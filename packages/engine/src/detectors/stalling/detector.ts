import { noProgressDetector } from '../no-progress.ts';

export const stalling = noProgressDetector({
  name: 'stalling',
  calls: 5,
  errors: true,
  moves: [
    'read the current state once, then say in one sentence what you know and what is missing',
    'try a tool or a way that you have not used yet',
    'take a smaller step whose result can be checked',
  ],
});
