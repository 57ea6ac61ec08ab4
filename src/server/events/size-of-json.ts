const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPENING: ReadonlySet<number> = new Set([91, 123]);
/** A value takes two characters at least. */
const SHORTEST_VALUE = 2;

/** Whether a JSON text has more values than so many, without reading it: millions of them take few bytes, and much time and memory. */
export function hasMoreValues(text: string, most: number): boolean {
  if (text.length < most * SHORTEST_VALUE) return false;
  let values = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length && values <= most; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) i += code === BACKSLASH ? 1 : 0;
    else if (code === COMMA || OPENING.has(code)) values++;
  }
  return values > most;
}

/** Whether there are values within each other more than so many times: what looks at them level by level inside itself would not come back. */
export function isNestedDeeper(value: object, most: number): boolean {
  if (most === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    if (typeof inner === 'object' && inner !== null && isNestedDeeper(inner, most - 1)) return true;
  return false;
}
