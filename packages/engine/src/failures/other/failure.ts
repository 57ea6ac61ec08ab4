import { defineFailure } from '../failure.ts';

export const other = defineFailure({
  name: 'other',
  means: 'nothing tells why it does not work',
  recognises: ({ error }) => error,
  moves: [
    {
      name: 'reread-state',
      base: 0.45,
      risk: 'read_only',
      by: ['page-look', 'file-read'],
      does: 'look once at what is there now: the page, the file, the status',
      reason: '',
    },
    {
      name: 'restate-goal',
      base: 0.4,
      risk: 'read_only',
      does: 'say in two sentences what the goal is, what you know and what is missing',
      reason: '',
    },
    {
      name: 'try-unused-tool',
      base: 0.35,
      risk: 'read_only',
      by: ['page-find', 'page-list', 'file-find', 'file-list', 'file-read', 'shell'],
      unused: true,
      does: 'look with a tool that you have not used yet',
      reason: '',
    },
  ],
});
