import { defineFailure } from '../failure.ts';

export const nameTaken = defineFailure({
  name: 'name-taken',
  means: 'something of this name is already there',
  recognises: ({ error, world, said }) =>
    error && world !== 'page' && /\beexist\b|already exists|: file exists/i.test(said),
  moves: [
    {
      name: 'use-another-name',
      base: 0.95,
      risk: 'read_only',
      does: 'use another name, or ask the user whether the one that is there may be replaced',
      reason: '',
    },
    {
      name: 'read-existing',
      base: 0.85,
      risk: 'read_only',
      by: ['file-read', 'shell'],
      does: 'read what is there: it may be what is needed',
      reason: '',
    },
  ],
});
