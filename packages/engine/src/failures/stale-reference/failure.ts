import { defineFailure } from '../failure.ts';

const STALE =
  /\bstale\b|\bref\b[^\n]{0,40}\bnot found\b|new snapshot|no longer (?:exists|attached|in the (?:dom|document|page))|element uid [^\n]{0,40}not found|(?:was|is) detached|not attached to the (?:dom|page)|fresh references|execution context was destroyed|detached frame/i;

export const staleReference = defineFailure({
  name: 'stale-reference',
  means: 'the page has changed, and the reference belongs to an earlier state of it',
  recognises: ({ error, world, said }) => error && world === 'page' && STALE.test(said),
  moves: [
    {
      name: 'look-afresh',
      base: 0.95,
      risk: 'read_only',
      by: ['page-look'],
      does: 'take a fresh snapshot',
      reason: 'references expire when the page changes',
    },
    {
      name: 'resolve-by-name',
      base: 0.85,
      risk: 'read_only',
      does: 'find the same element in it by role and name, and use its new reference',
      reason: '',
    },
    {
      name: 'find-on-page',
      base: 0.75,
      risk: 'read_only',
      by: ['page-find'],
      needsTool: true,
      does: 'search the page for the element',
      reason: '',
    },
    {
      name: 'act-on-new-reference',
      base: 0.7,
      risk: 'side_effect_possible',
      by: ['itself'],
      needsTool: true,
      onTarget: true,
      does: 'repeat the action with the new reference, never with the old one',
      reason: '',
    },
  ],
});
