import { defineFailure } from '../failure.ts';

const MISSING =
  /does not match any element|no (?:node|element)s?(?: was| were)? found|element[^\n]{0,40}\b(?:not (?:found|visible|enabled|editable|interactable|clickable|stable|displayed)|outside of the viewport)|could not find (?:the )?(?:element|locator|node)|unable to locate|no such element|did not become interactive|strict mode violation/i;

export const missingElement = defineFailure({
  name: 'missing-element',
  means: 'there is no such element, or it cannot be acted on now',
  recognises: ({ error, world, said }) => error && world === 'page' && MISSING.test(said),
  moves: [
    {
      name: 'look-afresh',
      base: 0.95,
      risk: 'read_only',
      by: ['page-look'],
      does: 'take a fresh snapshot: it shows what is there, what it is called and whether it is disabled',
      reason: '',
    },
    {
      name: 'locate-otherwise',
      base: 0.85,
      risk: 'read_only',
      does: 'use a reference from that snapshot; where it is disabled, first fill in what it waits for',
      reason: '',
    },
    {
      name: 'scroll-into-view',
      base: 0.75,
      risk: 'reversible',
      by: ['page-scroll'],
      does: 'scroll the element into view',
      reason: 'parts of a page exist only once they are shown',
    },
  ],
});
