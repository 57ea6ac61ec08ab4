import { anyOf, FINAL_STATES, STATE_FIELDS } from './lexicon.ts';

/** A longer answer holds content. */
const SHORT = 240;

const FIELD = `(?:${anyOf(STATE_FIELDS)}|health|progress|step|condition|readiness)`;
/** The value of a field that names a state, whatever the word is. */
const STATE_FIELD = new RegExp(String.raw`(?:^|[\s"',{(_])"?${FIELD}"?\s*[:=]\s*"?\S`, 'im');
const BOOLEAN = /^"?[\w.-]+"?\s*[:=]\s*(?:true|false|yes|no|null)\s*,?$/im;
const PART_OF = /\b(\d{1,7})\s*(?:\/|of|out of)\s*(\d{1,7})\b/i;
const COUNTED =
  /^\W*(?:\d{1,7}|no)\s+(?:\w+\s+){0,2}(?:queued|waiting|left|remaining|ready|open|unread|new|messages?|items?|jobs?|replies|results pending)\b/i;
/** One word, or a number: a state, a count. */
const ONE_WORD = /^\W*[\w-]{1,40}\W*$/;
const STILL = /\b(?:still|yet|so far|waiting|awaiting|not available)\b/i;

/**
 * The word of a field that says that something has ended. Asking again then brings nothing, so such
 * an answer is not one to wait for.
 */
export const FINAL = new RegExp(
  String.raw`\b(?:${anyOf(STATE_FIELDS)}|result|outcome|conclusion)\W{1,4}(?:is\W)?(?:succe\w+|fail\w*|${anyOf(FINAL_STATES)})\b|\b(?:done|ready|completed?|finished): true\b`,
  'i',
);

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

/** Whether a short text names a state as a field, and not one that has ended. */
export const hasStateField = (text: string): boolean => {
  const said = text.trim();
  return said.length <= SHORT && STATE_WORD.test(said) && !FINAL.test(said);
};
/** The same, if its value is a word or two on the same line. */
const STATE_WORD = new RegExp(
  String.raw`(?:^|[\s"',{(_])"?${FIELD}"?[ \t]*[:=][ \t]*"?[a-z][\w-]*(?: [\w-]+){0,3}"?\W*(?:$|,)`,
  'im',
);

/** Whether a short text counts nothing: `unread: 0`. */
export const countsNone = (text: string): boolean => text.length <= SHORT && NONE.test(text);
const NONE = /^\W*"?\w+"?\s*[:=]\s*0\W*$/m;

/** Whether a text says that something is not there yet, in words that mean nothing else. */
export const saysWaiting = (text: string): boolean => WAITING.test(text);
const WAITING =
  /\bplease wait\b|["'“]\w+ing(?: [\w./:-]+){0,4} ?(?:\.{3}|…)["'”]|\b(?:not|no|nothing|isn't|hasn't|haven't|aren't)\b[^.\n]{0,40}\byet\b|\bstill (?:\w+ing|queued|pending|not|in)\b|\b(?:a?waiting)[_ -](?:for[_ -])?\w+|\b\d+ (?:\w+ ){0,2}queued\b|\b(\d+)\s*(?:\/|of)\s*(?!\1\b)\d+ (?:\w+ ){0,2}(?:ready|updated|available|running|complete[d]?|done|finished|replicas?)\b/i;
