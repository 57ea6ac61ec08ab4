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
    {
      name: 'use-listed-tool',
      base: 0.85,
      risk: 'reversible',
      does: 'use only names from your list of tools',
      reason: '',
    },
  ],
});
