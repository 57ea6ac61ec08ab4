import { Refusal } from './problem.ts';
import { createSlices } from './slices.ts';

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPENING: ReadonlySet<number> = new Set([91, 123]);
const CLOSING: ReadonlySet<number> = new Set([93, 125]);

/**
 * In all of a body: what a tool gave back may be large. Millions of values take few bytes, and much
 * time and memory.
 */
export const MAX_VALUES = 500_000;
/** Within each other. */
const MAX_DEPTH = 100_000;
/** What a value takes in memory when it is read. */
export const VALUE_BYTES = 64;
/** Characters that are looked at before others get a turn. */
const SLICE = 1 << 20;
/** A text as short as this is within all limits. */
const HARMLESS = MAX_DEPTH;

/**
 * Counts the values of a JSON text without reading it, and takes room for them. Throws a refusal
 * where there are too many.
 */
export async function checkJsonSize(text: string, take: (bytes: number) => void): Promise<void> {
  if (text.length < HARMLESS) return;
  const slices = createSlices();
  let [values, depth, counted, i] = [0, 0, 0, 0];
  let isQuoted = false;
  while (i < text.length) {
    for (const end = Math.min(text.length, i + SLICE); i < end; i++) {
      const code = text.charCodeAt(i);
      if (code === QUOTE) isQuoted = !isQuoted;
      else if (isQuoted) i += code === BACKSLASH ? 1 : 0;
      else if (code === COMMA) values++;
      else if (OPENING.has(code)) {
        values++;
        if (++depth > MAX_DEPTH) throw tooMany(`values nested at most ${MAX_DEPTH} levels deep`);
      } else if (CLOSING.has(code)) depth--;
    }
    if (values > MAX_VALUES) throw tooMany(`at most ${MAX_VALUES} values`);
    take((values - counted) * VALUE_BYTES);
    counted = values;
    await slices();
  }
}

/** Too much of something within the bytes that are allowed. */
export const tooMany = (expected: string): Refusal =>
  new Refusal(
    413,
    'too-many',
    `Expected ${expected}, got more. Nothing was processed: send smaller requests.`,
  );

/**
 * Whether the value is nested deeper than `most` levels; recursive readers would overflow the stack.
 */
export function isNestedDeeper(value: object, most: number): boolean {
  if (most === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    if (typeof inner === 'object' && inner !== null && isNestedDeeper(inner, most - 1)) return true;
  return false;
}
