import { defineFailure } from '../failure.ts';

const COVERED =
  /intercepts pointer events|click intercepted|is (?:obscured|covered)|would receive the click/i;

export const coveredElement = defineFailure({
  name: 'covered-element',
  means: 'something lies over the element',
  recognises: ({ error, world, said }) => error && world === 'page' && COVERED.test(said),
  names: /(<[a-z][^<>\n]{0,60}>)[^\n]{0,60}(?:intercepts pointer|would receive)/,
  moves: [
    {
      name: 'look-at-cover',
      base: 0.95,
      risk: 'read_only',
      by: ['page-look'],
      does: 'find the button that closes what covers the element',
      reason: '',
    },
    {
      name: 'close-cover',
      base: 0.9,
      risk: 'reversible',
      by: ['page-click'],
      does: 'click that button, then the element',
      reason: '',
    },
    {
      name: 'escape-cover',
      base: 0.75,
      risk: 'reversible',
      by: ['page-key'],
      needsTool: true,
      does: 'press Escape, which closes many overlays',
      reason: '',
      args: () => ({ key: 'Escape' }),
    },
  ],
});
