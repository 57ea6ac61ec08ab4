/** Whole lines between two marks, which can be found again. */
export interface MarkedBlock {
  first: string;
  last: string;
}

/** Adds or replaces the marked block; a new one goes to the end. */
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

/** Removes the marked block and restores the text. */
export function withoutBlock(text: string, marks: MarkedBlock): string {
  const found = spanOf(text, marks);
  if (!found) return text;
  const before = text.slice(0, found.from);
  const after = text.slice(found.to);
  // The blank line above belongs to the block; so does the preceding line's end if the text had
  // none.
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
