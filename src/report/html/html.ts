const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Controls, and the marks that turn the direction of text around and so can make it read as something else. */
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f]|[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** Any text as a page shows it: controls are shown as their pictures. */
export const visibleText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(UNSEEN, (found) => pictureOf(found.charCodeAt(0)));

const pictureOf = (code: number): string => String.fromCharCode(code < 0x20 ? 0x2400 + code : 0xfffd);

/** Any text as text of a page, in an element or in a quoted attribute. */
export const escapeText = (text: string): string => visibleText(text).replace(/[&<>"']/g, (found) => NAMED[found]!);
