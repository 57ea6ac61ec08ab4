import { BLANK, RETURN, TAB } from './word.ts';

/**
 * Where the text of a here-document ends that begins at `start`, and where the line with its
 * delimiter ends.
 */
export function heredocEnd(
  text: string,
  start: number,
  delimiter: string,
  indented: boolean,
): [end: number, next: number] {
  let line = start;
  while (line < text.length) {
    const found = text.indexOf('\n', line);
    const stop = found < 0 ? text.length : found;
    const first = indented ? afterIndent(text, line) : line;
    const length = stop - first - (text.charCodeAt(stop - 1) === RETURN && stop > first ? 1 : 0);
    if (length === delimiter.length && text.startsWith(delimiter, first)) return [line, stop];
    line = stop + 1;
  }
  return [text.length, text.length];
}

function afterIndent(text: string, line: number): number {
  let first = line;
  while (text.charCodeAt(first) === TAB || text.charCodeAt(first) === BLANK) first++;
  return first;
}
