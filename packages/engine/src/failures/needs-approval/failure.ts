import { defineFailure } from '../failure.ts';

/** What hosts say in place of a result if a rule, or nobody, has allowed the call. */
const UNAPPROVED =
  /^(?:<tool_use_error>|error: )?(?:.{0,80}\brequires? (?:user |human |your )?(?:approval|confirmation)\b|claude requested permissions to |permission to use .{1,200} has been denied|tool execution denied by policy|the user has specified a rule which prevents|.{0,200}\b(?:approval policy is (?:never|unlesstrusted)|(?:rejected|forbidden) by (?:approval|exec ?policy)))/is;

export const needsApproval = defineFailure({
  name: 'needs-approval',
  means: 'the host runs it only if a person allows it',
  recognises: ({ error, said }) => error && UNAPPROVED.test(said.trimStart()),
  moves: [
    {
      name: 'do-without',
      base: 0.95,
      risk: 'read_only',
      does: 'go on without it: only a human can give this permission',
      reason: '',
    },
    {
      name: 'report-unallowed',
      base: 0.85,
      risk: 'read_only',
      does: 'report that it is missing, and what you need it for',
      reason: '',
    },
  ],
});
