import { defineFailure } from '../failure.ts';

export const noSuchTool = defineFailure({
  name: 'no-such-tool',
  means: 'there is no tool of this name',
  recognises: ({ refusal }) => refusal === 'tool',
  moves: [
    {
      name: 'use-nearest-tool',
      base: 0.95,
      risk: 'reversible',
      by: ['nearest'],
      needsTool: true,
      does: 'use this tool, whose name is nearest',
      reason: '',
    },
  ],
});
