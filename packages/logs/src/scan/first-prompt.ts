import { excerpt } from './excerpt.ts';

/** What hosts put before or around the words of a user; OpenCode also quotes what `run` is given. */
const WRAPPERS = /<([a-z][\w-]*)(?:\s[^>]*)?>[\s\S]*?<\/\1>/gi;
const HEADINGS = /^(?:#+ (?:AGENTS\.md|Context)[^\n]*|Caveat: The messages below[^\n]*)\n?/gim;
const MAX_LENGTH = 80;
const LOOKED_AT = 20_000;

/**
 * The beginning of a prompt on one line, redacted, without what the host added to it. Undefined if
 * nothing is left.
 */
export function firstPrompt(text: string | undefined): string | undefined {
  const own = (text ?? '')
    .slice(0, LOOKED_AT)
    .replace(WRAPPERS, ' ')
    .replace(HEADINGS, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^"([^"]*)"$/, '$1');
  return own === '' ? undefined : excerpt(own, MAX_LENGTH);
}
