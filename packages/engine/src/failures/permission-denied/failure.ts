import { quoted } from '../../text/shell-word.ts';
import { defineFailure } from '../failure.ts';

const DENIED =
  /permission denied|permissions? to [^\n]{1,160}(?:has been denied|haven't granted)|\ba password is required|\beacces\b|\beperm\b|operation not permitted|access (?:is )?denied|not (?:authori[sz]ed|permitted|allowed)\b|unauthori[sz]ed|forbidden|\b40[137]\b|requires? (?:(?:user )?(?:approval|confirmation)|root|administrator|elevated)|must be root|read-only file system|authentication (?:failed|required)|requires authentication/i;

export const permissionDenied = defineFailure({
  name: 'permission-denied',
  means: 'the rights that it needs are missing',
  recognises: ({ error, said }) => error && DENIED.test(said),
  moves: [
    {
      name: 'ask-for-rights',
      base: 0.95,
      risk: 'read_only',
      by: ['ask'],
      does: 'say which permission is missing and what for, and ask the user',
      reason: '',
    },
    {
      name: 'look-who-may',
      base: 0.85,
      risk: 'read_only',
      by: ['shell', 'file-list'],
      does: 'see who owns it and who may do this',
      reason: '',
      args: ({ path }, role) =>
        path === '' ? null : role === 'shell' ? { command: `ls -ld -- ${quoted(path)}` } : null,
    },
    {
      name: 'take-rights',
      base: 0.1,
      risk: 'side_effect_possible',
      by: ['shell'],
      needsTool: true,
      does: 'change the rights, or run it as another user',
      reason: 'this is what nobody has allowed',
      gate: 'rights are never changed without a person who says so',
    },
  ],
});
