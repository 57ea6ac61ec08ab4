const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Markup, controls, and the marks that turn the direction of text around and so can make it read as something else. */
const UNSAFE = /[&<>"']|[\0-\x08\x0b-\x1f\x7f-\x9f]|[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** Any text as text of a page, in an element or in a quoted attribute. Controls are shown as their pictures. */
export function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(UNSAFE, (found) => NAMED[found] ?? pictureOf(found.charCodeAt(0)));
}

const pictureOf = (code: number): string => String.fromCharCode(code < 0x20 ? 0x2400 + code : 0xfffd);

/** A piece of a page. Nothing else gets into one unescaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlPiece = Html | string | number | false | null | undefined | readonly HtmlPiece[];

/** Writes a piece of a page. What stands in `${}` is escaped, unless it is such a piece itself; `false` and nothing are left out. */
export function html(strings: TemplateStringsArray, ...values: HtmlPiece[]): Html {
  let text = strings[0] ?? '';
  for (const [i, value] of values.entries()) text += written(value) + strings[i + 1];
  return new Html(text);
}

function written(value: HtmlPiece): string {
  if (value instanceof Html) return value.text;
  if (value === false || value === null || value === undefined) return '';
  if (typeof value === 'object') return value.map(written).join('');
  return escapeText(String(value));
}

/** A text of the page's own making that is no HTML: a style or a script. Never one of a report. */
export const verbatim = (text: string): Html => new Html(text);
