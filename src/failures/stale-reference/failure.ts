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
      does: 'take a fresh snapshot of the page',
      reason: 'a reference is good only until the page changes',
    },
    {
      name: 'resolve-by-name',
      base: 0.85,
      risk: 'read_only',
      does: 'find the same element by its role and name',
      reason: 'role and name outlive a reference',
    },
    {
      name: 'find-on-page',
      base: 0.75,
      risk: 'read_only',
      by: ['page-find'],
      needsTool: true,
      does: 'search the page for the element',
      reason: 'it may have moved to another part of the page',
    },
    {
      name: 'act-on-new-reference',
      base: 0.7,
      risk: 'side_effect_possible',
      by: ['itself'],
      needsTool: true,
      onTarget: true,
      does: 'repeat the action with the new reference',
      reason: 'only with a reference from the new snapshot, never with the old one',
    },
  ],
});
