import { defineFailure } from '../failure.ts';

export const other = defineFailure({
  name: 'other',
  means: 'it brings nothing',
  recognises: ({ error }) => error,
  moves: [
    {
      name: 'reread-state',
      base: 0.9,
      risk: 'read_only',
      by: ['page-look', 'file-read'],
      does: 'read the present state once',
      reason: 'what is known of it may be out of date',
    },
    {
      name: 'restate-goal',
      base: 0.8,
      risk: 'read_only',
      does: 'say in two sentences what the goal is, what is known and what is missing',
      reason: 'it shows which step would bring something',
    },
    {
      name: 'try-unused-tool',
      base: 0.7,
      risk: 'read_only',
      by: ['page-find', 'page-list', 'file-find', 'file-list', 'file-read', 'shell'],
      unused: true,
      does: 'look with a tool that has not been used yet',
      reason: 'another view can show what this one hides',
    },
  ],
});
