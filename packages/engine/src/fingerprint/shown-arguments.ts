import { isObject } from '../json.ts';

/** More would not fit into a label. */
const MAX_ARGUMENTS = 2;
/** Longer than a label: what is cut off may be what shows that the rest is a secret. */
const MAX_LENGTH = 288;
/** What somebody asks for, and not what somebody writes or types, which may be personal. */
const ASKED =
  /^(?:q|query|queries|question|search|search_?(?:query|term|text)s?|keywords?|topic|term)$/i;

/**
 * What a tool was asked whose target nobody knows, for people who have to judge a call by its
 * label: `refund policy`. Secrets are masked by whoever shows it.
 */
export function shownArguments(args: unknown): string {
  if (!isObject(args)) return '';
  return Object.entries(args)
    .filter(([name, value]) => ASKED.test(name) && typeof value === 'string')
    .slice(0, MAX_ARGUMENTS)
    .map(([, value]) => (value as string).slice(0, MAX_LENGTH).replace(/\s+/g, ' ').trim())
    .join(', ');
}
