import { defineFailure } from '../failure.ts';

const THROWN = /^\W*(?:error\W+)?(?:uncaught )?(?:Reference|Type|Syntax|Range)Error\b/im;

export const scriptError = defineFailure({
  name: 'script-error',
  means: 'the script that was to run in the page has an error',
  recognises: ({ error, world, said }) => error && world === 'page' && THROWN.test(said),
  names: /\b((?:Reference|Type|Syntax|Range)Error: [^\n"'`]{1,70})/,
  moves: [
    {
      name: 'fix-script',
      base: 0.95,
      risk: 'reversible',
      does: 'correct the script where its error points',
      reason: '',
    },
    {
      name: 'look-afresh',
      base: 0.75,
      risk: 'read_only',
      by: ['page-look'],
      does: 'take a snapshot to see what the page really holds',
      reason: '',
    },
  ],
});
