import { finish } from '../hash.ts';
import {
  classifyCharacter,
  DIGIT,
  IDEOGRAPH,
  LOWER,
  lowerCase,
  NAMER,
  UPPER,
} from './character.ts';
import { keepSmallest } from './sketch.ts';
import type { GramState } from './text-grams.ts';

/** The smallest hashes of a text; see `Paragraph`. */
export interface TextSketches {
  trigrams: number[];
  vocabulary: number[];
  references: number[];
}

/**
 * What is carried over on one channel: counts and hashes. Of the text itself, only the last three
 * characters.
 */
export interface ChannelState {
  grams: GramState;
  /** The last character. */
  last: number;
  flags: number;
  /**
   * The open token: its length, its hash, its hash with digits masked, and both hashes as they were
   * before a joiner.
   */
  tokenLength: number;
  token: number;
  masked: number;
  core: number;
  coreMasked: number;
  /** The open quotation: its closing character or 0, its number of words and their hash. */
  quote: number;
  quotedWords: number;
  quoted: number;
  /** The open paragraph: its characters, its words, the last two words, key and shape. */
  length: number;
  words: number;
  previous: [number, number];
  key: number;
  shape: number;
  paragraph: TextSketches;
  message: TextSketches & { words: number; key: number; shape: number };
}

export const MAX_TRIGRAMS = 24;
export const MAX_VOCABULARY = 32;
export const MAX_REFERENCES = 16;

export const BLANK_CODE = 32;
export const LINE_END = 10;
const DASH = 45;
const DOT = 46;
const ZERO = 48;
/** Replaces whatever is masked in a shape. */
const MASK = 1;

// Flags: the first two are about the line, the others about the open token.
export const LINE_ENDED = 1;
const LINE_HAS_TOKEN = 2;
const LETTERS = 4;
const DIGITS = 8;
const AFTER_DIGIT = 16;
const NAME = 32;
/** The token ends in a joiner, which belongs to it only if more follows. */
const JOINED = 64;
const JOINED_NAME = 128;
const OF_LINE = LINE_ENDED | LINE_HAS_TOKEN;
/** A token with any of these flags needs a closer look, as does the first character of a token. */
export const SPECIAL = LINE_ENDED | DIGITS | JOINED;

/** A text without blank lines is cut at the first line end after this many characters. */
export const LONG_PARAGRAPH = 400;
/** A longer quotation is a passage, not the name of a thing. */
const LONG_QUOTATION = 12;
/** Shorter tokens are abbreviations (`e.g`), not names. */
const SHORT_NAME = 4;

const STOP_WORDS =
  "a about after all also am an and any are as at be been before but by can could did do does don't for from had has have he her here his how " +
  "i i'll i'm i've if in into is it it's its just let let's may me might more must my no not now of on once only or our out over shall she should " +
  'so some such than that the their them then there these they this those to up us was we were what when where which while who why will with ' +
  'would yes you your';

let stopSeed = Number.NaN;
let stopHashes = new Set<number>();

export function stopWords(seed: number): Set<number> {
  if (seed !== stopSeed) {
    stopSeed = seed;
    stopHashes = new Set(
      STOP_WORDS.split(' ').map((word) =>
        [...word].reduce((hash, c) => mix(hash, c.charCodeAt(0)), tokenStart(seed)),
      ),
    );
  }
  return stopHashes;
}

const tokenStart = (seed: number): number => 0x811c9dc5 ^ seed;
export const mix = (hash: number, value: number): number => Math.imul(hash ^ value, 0x01000193);
export const chain = (hash: number, value: number): number => {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};
/** Six digits in JSON are enough to tell a few hundred words apart. */
const narrow = (hash: number): number => (finish(hash) >>> 2) % 1_000_000;

export function addToToken(
  state: ChannelState,
  code: number,
  kind: number,
  last: number,
  seed: number,
): void {
  let { flags } = state;
  if (state.tokenLength === 0) {
    state.token = tokenStart(seed);
    flags = (flags & OF_LINE) | (last === 47 ? NAME : 0);
  } else if (kind === UPPER && classifyCharacter(last) === LOWER) flags |= NAME;
  if (flags & JOINED_NAME) flags |= NAME;
  if (flags & JOINED) flags &= ~(JOINED | JOINED_NAME | AFTER_DIGIT);
  const folded = kind === UPPER ? lowerCase(code) : code;
  if (kind === DIGIT) {
    if (!(flags & DIGITS)) state.masked = state.token;
    if (!(flags & AFTER_DIGIT)) state.masked = mix(state.masked, ZERO);
    flags |= DIGITS | AFTER_DIGIT;
  } else {
    if (flags & DIGITS) state.masked = mix(state.masked, folded);
    flags = (flags & ~AFTER_DIGIT) | LETTERS;
  }
  state.token = mix(state.token, folded);
  state.tokenLength++;
  state.flags = flags;
}

export function join(
  state: ChannelState,
  code: number,
  kind: number,
  last: number,
  stops: Set<number>,
): void {
  if (!(state.flags & JOINED)) {
    state.core = state.token;
    state.coreMasked = state.masked;
  } else if (code === last && (code === DOT || code === DASH)) {
    // `...` and `--` separate words; `://` and `::` do not.
    endToken(state, stops);
    return;
  }
  state.flags |= kind === NAMER ? JOINED | JOINED_NAME : JOINED;
  if (state.flags & DIGITS) state.masked = mix(state.masked, code);
  state.token = mix(state.token, code);
  state.tokenLength++;
}

export function endToken(state: ChannelState, stops: Set<number>): void {
  const { flags, paragraph } = state;
  const token = flags & JOINED ? state.core : state.token;
  const masked = !(flags & DIGITS) ? token : flags & JOINED ? state.coreMasked : state.masked;
  // A plain number at the beginning of a line is the number of a list item and names nothing.
  const names =
    flags & NAME
      ? state.tokenLength >= SHORT_NAME + (flags & JOINED ? 1 : 0)
      : (flags & DIGITS) !== 0 && (flags & (LINE_HAS_TOKEN | LETTERS)) !== 0;
  if (names) keepSmallest(paragraph.references, narrow(token), MAX_REFERENCES);
  if (flags & LETTERS && !stops.has(masked))
    keepSmallest(paragraph.vocabulary, narrow(masked), MAX_VOCABULARY);
  addWord(state, token, masked, names || !(flags & LETTERS) ? MASK : masked);
  state.tokenLength = 0;
  state.flags = LINE_HAS_TOKEN;
}

export function addIdeograph(state: ChannelState, code: number, last: number, seed: number): void {
  // Pairs of ideographs are closer to words than single ones.
  const word = mix(mix(tokenStart(seed), classifyCharacter(last) === IDEOGRAPH ? last : 0), code);
  keepSmallest(state.paragraph.vocabulary, narrow(word), MAX_VOCABULARY);
  addWord(state, word, word, word);
  state.flags |= LINE_HAS_TOKEN;
}

function addWord(state: ChannelState, word: number, masked: number, shape: number): void {
  const { previous } = state;
  state.words++;
  state.key = chain(state.key, word);
  state.shape = chain(state.shape, shape);
  if (state.words >= 3)
    keepSmallest(
      state.paragraph.trigrams,
      (chain(chain(previous[1], previous[0]), masked) >>> 2) % 1_000_000,
      MAX_TRIGRAMS,
    );
  previous[1] = previous[0];
  previous[0] = masked;
  if (state.quote !== 0) {
    state.quoted = chain(state.quoted, word);
    if (++state.quotedWords > LONG_QUOTATION) state.quote = 0;
  }
}

export function quote(state: ChannelState, code: number, seed: number): void {
  if (state.quote === 0) {
    state.quote = code === 0x201c ? 0x201d : code;
    state.quotedWords = 0;
    state.quoted = tokenStart(seed);
  } else if (code === state.quote) {
    if (state.quotedWords > 0)
      keepSmallest(state.paragraph.references, narrow(state.quoted), MAX_REFERENCES);
    state.quote = 0;
  }
}
