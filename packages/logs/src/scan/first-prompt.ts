import { excerpt } from './excerpt.ts';

/** Wrappers that hosts put around a user's words; OpenCode also quotes the input of `run`. */
const WRAPPERS = /<([a-z][\w-]*)(?:\s[^>]*)?>[\s\S]*?<\/\1>/gi;
const HEADINGS = /^(?:#+ (?:AGENTS\.md|Context)[^\n]*|Caveat: The messages below[^\n]*)\n?/gim;
const MAX_LENGTH = 80;
const LOOKED_AT = 20_000;

/**
 * The beginning of a prompt on one line, redacted, without the host's additions. Undefined if
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
