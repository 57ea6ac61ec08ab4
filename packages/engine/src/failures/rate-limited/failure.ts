import { defineFailure } from '../failure.ts';

const LIMITED = /\b429\b|rate.?limit|too many requests|overloaded|quota|throttl|slow down/i;

export const rateLimited = defineFailure({
  name: 'rate-limited',
  means: 'the other side asks for fewer calls',
  recognises: ({ error, transient, said }) => error && transient && LIMITED.test(said),
  moves: [
    {
      name: 'back-off',
      base: 0.95,
      risk: 'read_only',
      by: ['wait', 'page-wait'],
      does: 'wait, twice as long each time',
      reason: 'calls that come too early count against the limit',
    },
    {
      name: 'do-something-else',
      base: 0.9,
      risk: 'read_only',
      does: 'do something else meanwhile',
      reason: '',
    },
  ],
});
