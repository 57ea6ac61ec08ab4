// What blocks a task, and what a task does, in its own words: whether another attempt can help, and
// whether a way around could do harm.

const LACKS = `(?:no|missing|lack(?:s|ing)?|without|needs?|needed|require[sd]?|(?:wait(?:s|ing)?|block(?:s|ed)?) (?:for|on)|await(?:s|ing)?|do(?:es)? not have|don't have|expired|invalid|wrong)`;
const CREDENTIAL = `(?:credentials?|passwords?|passphrase|api[- _]?keys?|(?:auth(?:entication|entification)?|access|bearer|api|deploy|refresh|github|npm)[- _]tokens?|(?:ssh|private|licen[cs]e|signing) keys?|one-time code|2fa(?: code)?|otp)`;
/** The name of a variable that holds one. Capitals matter: a "token" may be one of a parser. */
const VARIABLE = String.raw`\b(?:(?:[A-Z0-9]+_)*(?:API|ACCESS|SECRET|PRIVATE)_KEY|(?:[A-Z0-9]+_)+(?:TOKEN|PASSWORD|SECRET))`;
const APPROVAL = `(?:approvals?|sign-?offs?|consent|go-ahead|(?:a )?human (?:decision|approval|review)|budget (?:decision|approval))`;
/** What somebody else has to open: a network, a system, an account. */
const ACCESS = `(?:vpn|(?:vpn|production|prod|admin|administrator|root|write|push|billing|vendor|cloud|account) (?:access|rights|privileges|permissions?))`;
const PERSON = `(?:user|owner|client|customer|person|somebody|someone|human|admin|administrator|maintainer|manager|you)`;
const MUST = `(?:must|has to|have to|needs? to)`;
const ABSENT = `(?:is |are |was |were |has |have )?(?:not (?:set|given|provided|configured|available)|unset|missing|required|needed|expired|revoked)`;

/**
 * The noun ends here. "An API key for the mail service" is a credential; "an API key header", "the
 * approval endpoint" and "a missing password in login.ts" are things that an agent can make.
 */
const ENDS = String.raw`(?= *(?:$|[.,;:!?()\]–—])| - | in (?!\S+\.\w)| (?:for|to|of|from|by|with|on|at|and|or|yet|here|left|before|because|until|since|so|but)\b)`;

/** What no further attempt can provide: credentials, logins, approvals and money. */
const ONLY_A_PERSON: readonly RegExp[] = [
  new RegExp(String.raw`\b${LACKS}\b(?: [\w'-]+){0,3}? ${CREDENTIAL}${ENDS}`, 'i'),
  new RegExp(`${CREDENTIAL} ${ABSENT}${ENDS}`, 'i'),
  new RegExp(`${VARIABLE} ${ABSENT}${ENDS}`),
  new RegExp(
    String.raw`\b(?:[Nn]o|[Mm]issing|[Nn]eeds?|[Ww]ithout)(?: [\w'-]+){0,3}? ${VARIABLE}${ENDS}`,
  ),
  new RegExp(String.raw`\b${LACKS}\b(?: [\w'-]+){0,3}? ${APPROVAL}${ENDS}`, 'i'),
  new RegExp(
    String.raw`\b${APPROVAL} (?:is |are )?(?:not given|missing|required|needed|pending|outstanding)${ENDS}|\bnot (?:yet )?approved${ENDS}`,
    'i',
  ),
  /^(?:[\w.'-]+ ){0,4}(?:log-?in|sign-?in|logging in|signing in) (?:is )?(?:required|needed)(?: (?:at|for|on|to see) .*)?\.?$/i,
  new RegExp(String.raw`\b${LACKS}\b(?: (?:the|an?|our|any)\b)? ${ACCESS}${ENDS}`, 'i'),
  new RegExp(`^(?:the |our )?${ACCESS} (?:connection )?${ABSENT}${ENDS}`, 'i'),
  // What an agent may not write in its own folder or machine, it can do elsewhere.
  /\b(?:no|missing|lack(?:s|ing)?|without|needs?|insufficient) (?:[\w'-]+ )?permissions? to (?:push|force-push|merge|deploy|publish|release)\b/i,
  new RegExp(
    String.raw`^(?:the |an? |our )?${PERSON} ${MUST} (?:first )?(?:(?:log|sign) in(?: (?:again|first))?${ENDS}|(?:approve|sign off|confirm|authori[sz]e) (?:on )?(?:the |this |it\b|our )(?:[\w-]+ ?){0,2}$)`,
    'i',
  ),
  /\bno access to (?:the |our |an? )?(?:[\w'-]+ ){0,2}accounts?\b/i,
  /\b(?:user|owner|person|somebody|you) (?:must|has to|needs? to) (?:accept|agree to|sign) the (?:terms|licen[cs]e|agreement|contract)\b/i,
  /\b(?:needs?|requires?) (?:an? )?paid\b/i,
  new RegExp(
    String.raw`\b(?:insufficient (?:funds|credits?|balance)|out of (?:credits?|funds|money)|no (?:credits?|funds|budget|payment method)(?: left)?|(?:payment|credit card) (?:is )?required|billing (?:is )?(?:not enabled|disabled|required)|(?:needs?|requires?) (?:an? )?(?:payment|purchase|subscription|credit card)|subscription (?:has )?expired|(?:must |to |needs? to )?upgrade (?:the|your|our|its) (?:plan|subscription|tier))${ENDS}`,
    'i',
  ),
];

/** Whether only a person can remove a blocker: trying again cannot. */
export const needsPerson = (blocker: string): boolean => {
  const words = blocker.replace(/[`"$]/g, '');
  return ONLY_A_PERSON.some((pattern) => pattern.test(words));
};

const GRAVE = `(?:deploy|release|publish|roll ?out|ship|delete|drop|purge|wipe|destroy|pay(?! attention)|refund|charge|buy|purchase|transfer)`;
/** The word only names a thing that is built: a publish button, a drop-down menu, release notes. */
const NAMES_A_THING = String.raw`[- ](?:downs?|shadows?|zone|target|caps?|notes|(?:button|icon|link|menu|form|page|dialog|modal|toast|banner|label|tab|view|screen|endpoint|route|handler|hook|action|event|flow|script|workflow|template|component|widget|animation|styling|styles|logic|test|tests)(?! (?:to|on) ))\b`;
/** What git brings back: code that nothing uses. In a place that is no source it is something else. */
const DEAD_CODE = String.raw` (?:all |the |any |some )?(?:unused|dead|unreachable|commented-out|leftover|redundant|duplicated?) (?:code|imports?|exports?|variables?|functions?|methods?|class(?:es)?|types?|comments?|parameters?|arguments?|props|styles|selectors|helpers)(?= *(?:$|[.,;:!?()\n]|(?:and|or|then)\b|(?:in|from|across|of) (?:\S+\.\w|\S*\/|src\b|(?:the |all |this )(?:code|source|file|module|component|package|repo|test))))`;
const DOES_GRAVE = new RegExp(
  String.raw`(?:^|[.;:!\n]\s*(?:[-*] |\d+[.)] )?|\b(?:then|and|please)\s+)${GRAVE}\b(?!${NAMES_A_THING}|${DEAD_CODE})`,
  'i',
);

/**
 * Whether a task, by its id, title or prompt, deploys, deletes or pays: a way around a blocker can
 * do harm there. "Write the delete endpoint" and "Delete unused imports" do not.
 */
export const isRisky = (texts: readonly (string | undefined)[]): boolean =>
  texts.some((text) => text !== undefined && DOES_GRAVE.test(text.trim()));
