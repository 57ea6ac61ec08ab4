/** A longer answer holds content. */
const SHORT = 240;

const FIELD = '(?:status|state|phase|stage|health|progress|step|condition|readiness)';
/** The value of a field that names a state, whatever the word is. */
const STATE_FIELD = new RegExp(String.raw`(?:^|[\s"',{(_])"?${FIELD}"?\s*[:=]\s*"?\S`, 'im');
const BOOLEAN = /^"?[\w.-]+"?\s*[:=]\s*(?:true|false|yes|no|null)\s*,?$/im;
const PART_OF = /\b(\d{1,7})\s*(?:\/|of|out of)\s*(\d{1,7})\b/i;
const COUNTED =
  /^\W*(?:\d{1,7}|no)\s+(?:\w+\s+){0,2}(?:queued|waiting|left|remaining|ready|open|unread|new|messages?|items?|jobs?|replies|results pending)\b/i;
/** One word, or a number: a state, a count. */
const ONE_WORD = /^\W*[\w-]{1,40}\W*$/;
const STILL = /\b(?:still|yet|so far|waiting|awaiting)\b/i;

/**
 * The word of a field that says that something has ended. Asking again then brings nothing, so such
 * an answer is not one to wait for.
 */
export const FINAL =
  /\b(?:status|state|phase|stage|result|outcome|conclusion)\W{1,4}(?:is\W)?(?:done|complete[d]?|succe\w+|fail\w*|errors?|cancell?ed|aborted|finished|rejected|closed|merged|stopped|terminated|expired|delivered|resolved)\b|\b(?:done|ready|completed?|finished): true\b/i;

/** The same, if the name of the tool says that it asks for a state. */
const SHORT_IF_NAMED = 400;

/**
 * Whether a text is a short answer that holds a state, a count or a boolean. If the tool `asks` for
 * a state, any short answer is one.
 */
export function holdsState(text: string, asks: boolean): boolean {
  const said = text.trim();
  if (said === '' || said.length > (asks ? SHORT_IF_NAMED : SHORT) || FINAL.test(said))
    return false;
  if (asks) return true;
  if (STATE_FIELD.test(said) || BOOLEAN.test(said) || STILL.test(said) || COUNTED.test(said))
    return true;
  const part = PART_OF.exec(said);
  if (part && Number(part[1]) < Number(part[2])) return true;
  return ONE_WORD.test(said);
}

/** Whether a text says that something is not there yet, in words that mean nothing else. */
export const saysWaiting = (text: string): boolean => WAITING.test(text);
const WAITING =
  /\b(?:not|no|nothing|isn't|hasn't|haven't|aren't)\b[^.\n]{0,40}\byet\b|\bstill (?:\w+ing|queued|pending|not|in)\b|\b(?:a?waiting)[_ -](?:for[_ -])?\w+|\b\d+ (?:\w+ ){0,2}queued\b|\b(\d+)\s*(?:\/|of)\s*(?!\1\b)\d+ (?:\w+ ){0,2}(?:ready|updated|available|running|complete[d]?|done|finished|replicas?)\b/i;
