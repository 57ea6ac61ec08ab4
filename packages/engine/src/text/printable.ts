/**
 * Makes text safe for a terminal: control characters, escapes and line separators become spaces.
 */
export const printable = (text: string): string =>
  text
    .replace(/\u001b\[[0-?]*[ -/]*[@-~]/g, '')
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ');

/** At most `width` columns, with a mark if something was cut. */
export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1)).trimEnd()}…`;

/**
 * Lines of at most `width` columns, each after `indent` spaces. A longer word gets a line of its
 * own.
 */
export function wrap(text: string, width: number, indent = 0): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines.map((each) => ' '.repeat(indent) + each);
}
