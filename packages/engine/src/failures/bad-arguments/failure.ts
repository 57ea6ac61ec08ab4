import { defineFailure } from '../failure.ts';

export const badArguments = defineFailure({
  name: 'bad-arguments',
  means: 'the arguments do not fit the tool',
  recognises: ({ refusal }) => refusal === 'arguments',
  names:
    /(?:→ at|received \w+ at|missing required arguments?:?) ([A-Za-z_]\w{0,39})\b|(?:parameter|argument|property|field|key)s?:? ["'`]([A-Za-z_]\w{0,39})["'`]|["'`]([A-Za-z_]\w{0,39})["'`] is (?:a )?(?:required|missing)/i,
  moves: [
    {
      name: 'fix-argument',
      base: 0.95,
      risk: 'reversible',
      does: 'call it again, and add or correct the argument that the error names',
      reason: 'none of these calls has run',
    },
    {
      name: 'read-description',
      base: 0.75,
      risk: 'read_only',
      does: "build the call again from the tool's description",
      reason: '',
    },
  ],
});
