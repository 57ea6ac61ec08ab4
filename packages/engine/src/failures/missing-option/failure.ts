import { defineFailure } from '../failure.ts';

const MISSING =
  /did not find some options|option[^\n]{0,40}\bnot found|no (?:such|matching) option|could not (?:find|select) (?:the )?option/i;
const UNKNOWN =
  /(?:unknown|unrecogni[sz]ed|unexpected|invalid|illegal|no such) (?:command.?line )?(?:option|flag|argument|switch)/i;

export const missingOption = defineFailure({
  name: 'missing-option',
  means: 'there is no such option',
  recognises: ({ error, world, shell, said }) =>
    error && ((world === 'page' && MISSING.test(said)) || (shell && UNKNOWN.test(said))),
  moves: [
    {
      name: 'read-options',
      base: 0.95,
      risk: 'read_only',
      by: ['page-look'],
      does: 'read which options there are (for a command, in its --help), and use one of them exactly as it is written',
      reason: '',
    },
    {
      name: 'ask-for-option',
      base: 0.75,
      risk: 'read_only',
      by: ['ask'],
      does: 'if none of them fits, ask the user which one is meant',
      reason: '',
    },
  ],
});
