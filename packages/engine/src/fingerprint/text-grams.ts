import { finish } from '../hash.ts';
import { classifyCharacter, LOWER, SPACE } from './character.ts';

/** What is carried over from one delta to the next. */
export interface GramState {
  /** The last three characters, with runs of white space as one. */
  window: number;
  /** The class of the last character: 1 for a letter, 2 for white space. */
  last: number;
}

const BLANK = 32;
const IS_LETTER = 1;
const IS_BLANK = 2;
const IS_BEYOND_ASCII = 4;
const traitOf = (kind: number): number =>
  kind >= LOWER ? IS_LETTER : kind === SPACE ? IS_BLANK : 0;
const TRAITS = new Uint8Array(128).map((_, code) => traitOf(classifyCharacter(code)));
const codes = new Uint16Array(4096);

/** The state at the beginning of a message, which is as if after a space. */
export const startGrams = (): GramState => ({ window: BLANK, last: IS_BLANK });

/**
 * One code per character, in 0x0100..0x80FF: a keyed hash of the four characters that end there.
 * The lowest bit is set for a letter; otherwise the second is set for white space. The third is set
 * beyond ASCII. A run of white space is one character, so that rewrapping lines changes nothing.
 */
export function readGrams(state: GramState, text: string, seed: number): string {
  const salt = finish(seed) | 0;
  let { window, last } = state;
  let grams = '';
  let filled = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    const trait = code < 128 ? TRAITS[code]! : traitOf(classifyCharacter(code));
    if ((trait & last) === IS_BLANK) continue;
    last = trait;
    if (trait === IS_BLANK) code = BLANK;
    window = (window << 8) ^ code;
    const mixed = Math.imul(window ^ salt, 0x2c1b3c6d);
    const hash = Math.imul(mixed ^ (mixed >>> 15), 0x7feb352d) >>> 17;
    const beyond = code < 128 ? 0 : IS_BEYOND_ASCII;
    codes[filled++] = 0x100 + ((hash & (0x7ff8 | ((trait & IS_LETTER) << 1))) | trait | beyond);
    if (filled === codes.length) {
      grams += String.fromCharCode.apply(null, codes as unknown as number[]);
      filled = 0;
    }
  }
  // The next code drops the oldest of the four characters, so three are enough to continue.
  state.window = window & 0xffffff;
  state.last = last;
  return grams + String.fromCharCode.apply(null, codes.subarray(0, filled) as unknown as number[]);
}
