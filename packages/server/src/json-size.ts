import { Refusal } from './problem.ts';
import { createSlices } from './slices.ts';

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPENING: ReadonlySet<number> = new Set([91, 123]);
const CLOSING: ReadonlySet<number> = new Set([93, 125]);

/**
 * Max number of values in a body. Tool results may be large, but millions of small values need few
 * bytes and much memory and time.
 */
export const MAX_VALUES = 500_000;
/** Within each other. */
const MAX_DEPTH = 100_000;
/** Approximate bytes of memory per parsed value. */
export const VALUE_BYTES = 64;
/** Characters to scan before yielding to other work. */
const SLICE = 1 << 20;
/** A text this short cannot exceed a limit. */
const HARMLESS = MAX_DEPTH;

/**
 * Counts the values of a JSON text without parsing it, and reserves memory for them. Throws a
 * refusal if there are too many.
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

/** The error for a body within the byte limit that has too many parts. */
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
