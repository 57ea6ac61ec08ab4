import { classify, LOWER, SPACE } from './character.ts';
import { finish } from './hash.ts';

/** What the grams carry over from one delta to the next. */
export interface GramState {
  /** The last three characters, runs of white space as one. */
  window: number;
  /** Whether the last one was white space. */
  blank: boolean;
}

/** The state at the beginning of a message: as if after a space. */
export const startGrams = (): GramState => ({ window: 0, blank: true });

const BLANK = 32;
const FOLDED = new Uint8Array(128).map((_, code) => (classify(code) === SPACE ? BLANK : code));
const LETTER = new Uint8Array(128).map((_, code) => (classify(code) >= LOWER ? 1 : 0));
const codes = new Uint16Array(4096);

/**
 * One code per character, in 0x0100..0x80FF: a keyed 14-bit hash of the four characters that end there, and a bit for a letter.
 * A run of white space is one character, so that wrapping lines anew changes nothing.
 */
export function readGrams(state: GramState, text: string, seed: number): string {
  const salt = finish(seed) | 0;
  let { window, blank } = state;
  let grams = '';
  let filled = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    let letter = 0;
    if (code < 128) {
      code = FOLDED[code]!;
      letter = LETTER[code]!;
    } else {
      const kind = classify(code);
      if (kind === SPACE) code = BLANK;
      else if (kind >= LOWER) letter = 1;
    }
    if (code === BLANK) {
      if (blank) continue;
      blank = true;
    } else blank = false;
    window = (window << 8) ^ code;
    const mixed = Math.imul(window ^ salt, 0x2c1b3c6d);
    const hash = Math.imul(mixed ^ (mixed >>> 15), 0x7feb352d) >>> 18;
    codes[filled++] = 0x100 + ((hash << 1) | letter);
    if (filled === codes.length) {
      grams += String.fromCharCode.apply(null, codes as unknown as number[]);
      filled = 0;
    }
  }
  // The next code shifts the oldest of the four out: three are enough to go on.
  state.window = window & 0xffffff;
  state.blank = blank;
  return grams + String.fromCharCode.apply(null, codes.subarray(0, filled) as unknown as number[]);
}
