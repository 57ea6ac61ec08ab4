import { defineFailure } from '../failure.ts';

export const outsideFolder = defineFailure({
  name: 'outside-folder',
  means: 'the path is outside the folders that the tool may use',
  recognises: ({ error, said }) =>
    error && /outside (?:of )?(?:the )?(?:allowed|permitted|workspace|working|project)/i.test(said),
  moves: [
    {
      name: 'list-allowed',
      base: 0.95,
      risk: 'read_only',
      by: ['file-scope'],
      does: 'see which folders may be used, and work there',
      reason: '',
    },
    {
      name: 'ask-for-rights',
      base: 0.9,
      risk: 'read_only',
      by: ['ask'],
      does: 'if it must be this path, ask the user for access',
      reason: 'only they can give it',
    },
  ],
});
