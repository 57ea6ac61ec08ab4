import { lazily } from '../lazily.ts';

/**
 * How the text reader classifies characters. Classes from `DIGIT` on form words; those from `LOWER`
 * on are letters.
 */
export const OTHER = 0;
export const SPACE = 1;
/** Occurs inside a word: well-known, 10:30. */
const JOINER = 2;
/** Like a joiner, and the result is a name: a/b, a.b, a_b, a@b. */
export const NAMER = 3;
export const APOSTROPHE = 4;
export const QUOTE = 5;
export const DIGIT = 6;
export const LOWER = 7;
export const UPPER = 8;
/** A word of its own, in scripts without spaces between words. */
export const IDEOGRAPH = 9;

const ASCII = new Uint8Array(128).map((_, code) => {
  const character = String.fromCharCode(code);
  if (code === 32 || (code >= 9 && code <= 13)) return SPACE;
  if (character >= '0' && character <= '9') return DIGIT;
  if (character >= 'a' && character <= 'z') return LOWER;
  if (character >= 'A' && character <= 'Z') return UPPER;
  if ('-:'.includes(character)) return JOINER;
  if ('./\\@_'.includes(character)) return NAMER;
  if (character === "'") return APOSTROPHE;
  return '"`'.includes(character) ? QUOTE : OTHER;
});

/** The codes beyond ASCII at which each range of one class begins. Coarse, because texts are only compared with each other. */
const STRETCHES = `80 other, a0 space, a1 other, aa lower, ab other, b5 lower, b6 other, ba lower, bb other, c0 upper, d7 other, d8 upper,
  df lower, f7 other, f8 lower, 391 upper, 3aa lower, 400 upper, 430 lower, 2000 space, 200b other, 2019 apostrophe, 201a other, 201c quote,
  201e other, 2028 space, 202a other, 202f space, 2030 other, 2c00 lower, 2e00 other, 3000 space, 3001 other, 3005 ideograph, 3008 other,
  3041 ideograph, 3200 other, 3400 ideograph, a000 lower, d800 other, f900 ideograph, fb00 lower, fe00 other, fe70 lower, feff space,
  ff00 other, ff10 digit, ff1a other, ff21 upper, ff3b other, ff41 lower, ff5b other, ff66 ideograph, ffa0 other`;
const KINDS: Record<string, number> = {
  other: OTHER,
  space: SPACE,
  apostrophe: APOSTROPHE,
  quote: QUOTE,
  digit: DIGIT,
  lower: LOWER,
  upper: UPPER,
  ideograph: IDEOGRAPH,
};
const BEYOND = lazily(() => {
  const stretches = STRETCHES.split(/,\s+/).map(
    (stretch) => stretch.split(' ') as [string, string],
  );
  return {
    starts: stretches.map(([start]) => Number.parseInt(start, 16)),
    classes: stretches.map(([, kind]) => KINDS[kind]!),
  };
});

/** The class of one UTF-16 unit. */
export function classifyCharacter(code: number): number {
  return code < 128 ? ASCII[code]! : classifyBeyond(code);
}

function classifyBeyond(code: number): number {
  const { starts, classes } = BEYOND();
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= code) low = middle;
    else high = middle;
  }
  return classes[low]!;
}

/** The lower case of a code of class `UPPER`. */
export const lowerCase = (code: number): number => code + (code >= 0x400 && code < 0x410 ? 80 : 32);
