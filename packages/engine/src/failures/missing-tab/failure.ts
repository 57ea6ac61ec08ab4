import { defineFailure } from '../failure.ts';

const MISSING =
  /\b(?:tab|page|window)(?: (?:id|index))?:? ?\d* (?:was )?not found|no (?:such )?(?:tab|page|window) (?:with|found|exists)|no open pages?/i;

export const missingTab = defineFailure({
  name: 'missing-tab',
  means: 'there is no such tab',
  recognises: ({ error, world, said }) => error && world === 'page' && MISSING.test(said),
  moves: [
    {
      name: 'list-tabs',
      base: 0.95,
      risk: 'read_only',
      by: ['page-list'],
      isOther: true,
      does: 'list the open tabs and use one of their numbers',
      reason: '',
      args: (_, __, tool) => (tool.includes('tabs') ? { action: 'list' } : null),
    },
  ],
});
