import { hash64 } from '../hash.ts';
import { isObject } from '../json.ts';
import { quotedUnit } from './passage.ts';

/** A sentence that fills an argument of a call. */
export interface ChantPrint {
  key: string;
  /** Length of the sentence, how many times it stands there, and the characters that it fills. */
  unit: number;
  repeats: number;
  characters: number;
  /** The sentence, in quotation marks; empty if it must not be shown. */
  passage: string;
}

/** Shorter texts are written out on purpose: a banner, a fixture. */
const LEAST = 8000;
const MAX_UNIT = 400;
const LEAST_UNIT = 16;
const LEAST_REPEATS = 20;
/** Share of the argument that the sentence fills. */
const MOST = 0.8;
/** The end of the text that must recur. */
const NEEDLE = 64;
/** The last sentence may be cut off, or followed by what ends a heredoc. */
const MAX_AFTER = 200;
/** Only words: rows of data, markup and code have other signs, or digits. */
const SENTENCE = /^[\p{L} .,!?'’…-]+$/u;
const LEAST_WORDS = 4;
/** One to three words, again and again, may be padding on purpose if they fill less than this. */
const LEAST_OF_FEW = 12_000;

/** The sentence that an argument of the call consists of; undefined for nearly every call. */
export function readChant(args: unknown, seed: number): ChantPrint | undefined {
  const values = isObject(args) ? Object.values(args) : [args];
  for (const value of values) {
    if (typeof value !== 'string' || value.length < LEAST) continue;
    const found = chantIn(value.replace(/\s+/g, ' ').trim(), seed);
    if (found) return found;
  }
  return undefined;
}

function chantIn(text: string, seed: number): ChantPrint | undefined {
  for (const end of [text.length, text.length - MAX_AFTER]) {
    const needle = text.slice(end - NEEDLE, end);
    const at = text.lastIndexOf(needle, end - NEEDLE - LEAST_UNIT);
    const unit = end - NEEDLE - at;
    if (at < 0 || unit > MAX_UNIT) continue;
    let start = end - NEEDLE;
    while (start > unit && text.charCodeAt(start - 1) === text.charCodeAt(start - 1 - unit))
      start--;
    const characters = end - start + unit;
    const repeats = Math.floor(characters / unit);
    if (characters < LEAST || characters < MOST * text.length || repeats < LEAST_REPEATS) continue;
    const sentence = text.slice(start, start + unit);
    const words = new Set(sentence.toLowerCase().match(/\p{L}{2,}/gu));
    const least = words.size < LEAST_WORDS ? LEAST_OF_FEW : LEAST;
    if (!SENTENCE.test(sentence) || words.size === 0 || characters < least) continue;
    const key = hash64([...words].sort().join(' '), seed);
    return { key, unit, repeats, characters, passage: quotedUnit(sentence) };
  }
  return undefined;
}
