// What blocks a task, and what a task does, in its own words: whether another attempt can help, and
// whether a way around could do harm.

const LACKS = `(?:no|missing|lack(?:s|ing)?|without|needs?|needed|require[sd]?|(?:wait(?:s|ing)?|block(?:s|ed)?) (?:for|on)|await(?:s|ing)?|do(?:es)? not have|don't have|expired|invalid|wrong)`;
const CREDENTIAL = String.raw`(?:credentials?|passwords?|passphrase|api[- _]?keys?|(?:auth(?:entication|entification)?|access|bearer|api|deploy|refresh|github|npm)[- _]tokens?|(?:ssh|private|licen[cs]e|signing) keys?|one-time code|2fa(?: code)?|otp)(?! (?:fields?|inputs?|resets?|hash(?:es)?|forms?|polic(?:y|ies)|columns?|tests?|validation)\b)`;
const APPROVAL = `(?:approvals?|sign-?offs?|consent|go-ahead|(?:a )?human (?:decision|approval|review)|budget (?:decision|approval))`;

/** What no further attempt can provide: credentials, logins, approvals and money. */
const ONLY_A_PERSON: readonly RegExp[] = [
  new RegExp(String.raw`\b${LACKS}\b(?: [\w'-]+){0,3}? ${CREDENTIAL}\b`, 'i'),
  new RegExp(
    String.raw`(?:${CREDENTIAL}|[A-Z_]*(?:API_KEY|TOKEN|PASSWORD|SECRET)) (?:is |are |was |were |has |have )?(?:not (?:set|given|provided|configured|available|defined)|unset|missing|required|needed|expired|revoked)\b`,
    'i',
  ),
  new RegExp(String.raw`\b${LACKS}\b(?: [\w'-]+){0,3}? ${APPROVAL}\b`, 'i'),
  new RegExp(
    String.raw`\b${APPROVAL} (?:is |are )?(?:not given|missing|required|needed|pending|outstanding)\b|\bnot (?:yet )?approved\b`,
    'i',
  ),
  /^(?:[\w.'-]+ ){0,4}(?:log-?in|sign-?in|logging in|signing in) (?:is )?(?:required|needed)(?: (?:at|for|on|to see) .*)?\.?$/i,
  /\bno access to (?:the |our |an? )?(?:[\w'-]+ ){0,2}accounts?\b/i,
  /\b(?:user|owner|person|somebody|you) (?:must|has to|needs? to) (?:accept|agree to|sign) the (?:terms|licen[cs]e|agreement|contract)\b/i,
  /\b(?:insufficient (?:funds|credits?|balance)|out of (?:credits?|funds|money)|no (?:credits?|funds|budget|payment method)(?: left)?|payment (?:is )?required|402 payment|billing (?:is )?(?:not enabled|disabled|required)|(?:needs?|requires?) (?:an? )?(?:paid|payment|purchase|subscription|credit card)|subscription (?:has )?expired|(?:must |to |needs? to )?upgrade (?:the|your|our|its) (?:plan|subscription|tier))\b/i,
];

/** Whether only a person can remove a blocker: trying again cannot. */
export const needsPerson = (blocker: string): boolean =>
  ONLY_A_PERSON.some((pattern) => pattern.test(blocker));

const GRAVE = `(?:deploy|release|publish|roll ?out|ship|delete|drop|purge|wipe|destroy|pay(?! attention)|refund|charge|buy|purchase|transfer)`;
const DOES_GRAVE = new RegExp(
  String.raw`(?:^|[.;:!\n]\s*(?:[-*] |\d+[.)] )?|\b(?:then|and|please)\s+)${GRAVE}\b`,
  'i',
);

/**
 * Whether a task, by its id, title or prompt, deploys, deletes or pays: a way around a blocker can
 * do harm there. "Write the delete endpoint" does not.
 */
export const isRisky = (texts: readonly (string | undefined)[]): boolean =>
  texts.some((text) => text !== undefined && DOES_GRAVE.test(text.trim()));
