/** A piece of a text that can be found again: whole lines between two marks. */
export interface MarkedBlock {
  first: string;
  last: string;
}

/** The text with these lines as its marked block: where it already is, or else at the end. */
export function withBlock(
  text: string,
  { first, last }: MarkedBlock,
  lines: readonly string[],
): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const block = [first, ...lines, last].join(eol);
  const found = spanOf(text, { first, last });
  if (found) return text.slice(0, found.from) + block + text.slice(found.to);
  if (text === '') return block + eol;
  return `${text}${text.endsWith('\n') ? eol : eol + eol}${block}${text.endsWith('\n') ? eol : ''}`;
}

/** The text without its marked block, as it was before. */
export function withoutBlock(text: string, marks: MarkedBlock): string {
  const found = spanOf(text, marks);
  if (!found) return text;
  const before = text.slice(0, found.from);
  const after = text.slice(found.to);
  // The blank line above was put there with the block; the end of the line above only if the text
  // had none.
  const kept = before.replace(/\r?\n$/, '');
  return after === '' ? kept.replace(/\r?\n$/, '') : kept + after.replace(/^\r?\n/, '');
}

function spanOf(
  text: string,
  { first, last }: MarkedBlock,
): { from: number; to: number } | undefined {
  const from = text.indexOf(first);
  const end = from < 0 ? -1 : text.indexOf(last, from);
  return end < 0 ? undefined : { from, to: end + last.length };
}
