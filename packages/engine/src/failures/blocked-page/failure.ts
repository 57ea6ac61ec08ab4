import { defineFailure } from '../failure.ts';

const BLIND = 'the page is a wall: nobody gets past it by clicking, typing or asking again';

export const blockedPage = defineFailure({
  name: 'blocked-page',
  means: 'the page asks for a login or for a proof of being human, or it refuses access',
  recognises: ({ isWalled }) => isWalled,
  moves: [
    {
      name: 'hand-over',
      base: 0.95,
      risk: 'read_only',
      by: ['ask'],
      does: 'ask the user to get past this page',
      reason: '',
    },
    {
      name: 'open-headed',
      base: 0.9,
      risk: 'read_only',
      headed: true,
      needsTool: true,
      does: 'open the page in a visible browser, or with a profile that is logged in, and have the user get past it there',
      reason: 'a person can do what you cannot',
    },
    {
      name: 'stop-retrying',
      base: 0.85,
      risk: 'read_only',
      does: 'leave this page, say what blocks it, and go on with what does not need it',
      reason: 'further tries can lock it for longer',
    },
    {
      name: 'retry-blindly',
      base: 0.1,
      risk: 'side_effect_possible',
      by: ['itself'],
      needsTool: true,
      onTarget: true,
      does: 'try the same again',
      reason: 'this is what does not help',
      gate: BLIND,
    },
    {
      name: 'click-blindly',
      base: 0.1,
      risk: 'side_effect_possible',
      by: ['page-click'],
      needsTool: true,
      does: 'click something on it',
      reason: 'this is what does not help',
      gate: BLIND,
    },
  ],
});
