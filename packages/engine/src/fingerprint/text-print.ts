import { finish } from '../hash.ts';
import {
  APOSTROPHE,
  classifyCharacter,
  DIGIT,
  IDEOGRAPH,
  LOWER,
  lowerCase,
  NAMER,
  OTHER,
  QUOTE,
  SPACE,
  UPPER,
} from './character.ts';
import { LOOKED_AT, quotedOpening } from './passage.ts';
import { keepSmallest, mergeSmallest } from './sketch.ts';
import { type GramState, startGrams } from './text-grams.ts';

/** What is compared of a paragraph or of a whole message. */
export interface Paragraph {
  /** Number of words. An ideograph is a word. */
  words: number;
  /** Equal keys mean the same words in the same order, apart from case, layout and punctuation. */
  key: number;
  /** Like `key`, with the things that the text is about masked: numbers, paths, identifiers. */
  shape: number;
  /** The smallest hashes of its word trigrams, sorted, at most 24. Numbers are masked. */
  trigrams: number[];
  /** The smallest hashes of its words, sorted, at most 32, without the most common words. */
  vocabulary: number[];
  /**
   * Hashes of the concrete things it names: paths, identifiers, numbers, quotations; at most 16.
   */
  references: number[];
}

interface Sketches {
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
  paragraph: Sketches;
  message: Sketches & { words: number; key: number; shape: number };
}

const TRIGRAMS = 24;
const VOCABULARY = 32;
const REFERENCES = 16;

const BLANK = 32;
const LINE_END = 10;
const DASH = 45;
const DOT = 46;
const ZERO = 48;
/** Replaces whatever is masked in a shape. */
const MASK = 1;

// Flags: the first two are about the line, the others about the open token.
const LINE_ENDED = 1;
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
const SPECIAL = LINE_ENDED | DIGITS | JOINED;

/** A text without blank lines is cut at the first line end after this many characters. */
const LONG_PARAGRAPH = 400;
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

function stopWords(seed: number): Set<number> {
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
const mix = (hash: number, value: number): number => Math.imul(hash ^ value, 0x01000193);
const chain = (hash: number, value: number): number => {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};
/** Six digits in JSON are enough to tell a few hundred words apart. */
const narrow = (hash: number): number => (finish(hash) >>> 2) % 1_000_000;

const noSketches = (): Sketches => ({ trigrams: [], vocabulary: [], references: [] });

/** The state at the beginning of a message. */
export function startChannel(): ChannelState {
  return {
    grams: startGrams(),
    last: BLANK,
    flags: 0,
    tokenLength: 0,
    token: 0,
    masked: 0,
    core: 0,
    coreMasked: 0,
    quote: 0,
    quotedWords: 0,
    quoted: 0,
    length: 0,
    words: 0,
    previous: [0, 0],
    key: 0,
    shape: 0,
    paragraph: noSketches(),
    message: { words: 0, key: 0, shape: 0, ...noSketches() },
  };
}

export const isEmptyMessage = ({ length, message }: ChannelState): boolean =>
  length === 0 && message.words === 0;

/**
 * The beginning of a paragraph or message and the text before it, if both are in the event that
 * ended it. No text is kept of what came in several pieces.
 */
const BEGINNINGS = new WeakMap<Paragraph, { opening: string; before: string }>();

/**
 * The first words of a paragraph or message, in quotation marks; empty if they are not known or
 * must not be shown.
 */
export function beginningOf(paragraph: Paragraph): string {
  const { opening, before } = BEGINNINGS.get(paragraph) ?? { opening: '', before: '' };
  return quotedOpening(opening, before);
}

/**
 * Reads each character once and adds the paragraphs that end to `completed`. Returns where the open
 * paragraph begins in `text`, or -1 if it, or the text before it, began in an earlier event.
 */
export function readWords(
  state: ChannelState,
  text: string,
  seed: number,
  completed: Paragraph[],
): number {
  const stops = stopWords(seed);
  let last = state.last;
  let counted = 0;
  const isNew = isEmptyMessage(state);
  let begun = isNew ? 0 : -1;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    let kind = classifyCharacter(code);
    if (kind === LOWER && state.tokenLength > 0 && (state.flags & SPECIAL) === 0) {
      // By far the most common case: a word continues.
      const start = i;
      let token = state.token;
      while (kind === LOWER) {
        token = mix(token, code);
        last = code;
        if (++i === text.length) break;
        code = text.charCodeAt(i);
        kind = classifyCharacter(code);
      }
      state.token = token;
      state.tokenLength += i - start;
      if (i === text.length) break;
    }
    if (kind === SPACE) {
      if (state.tokenLength > 0) endToken(state, stops);
      if (code === LINE_END) {
        state.length += i - counted;
        counted = i;
        const before = completed.length;
        endLine(state, completed);
        if (completed.length > before) {
          noteBeginning(completed.at(-1)!, text, begun);
          begun = isNew || i >= LOOKED_AT ? i : -1;
        }
      }
    } else addVisible(state, code, kind, last, seed, stops);
    last = code;
  }
  state.length += text.length - counted;
  state.last = last;
  return begun;
}

/** Reads a character that is not a space. */
function addVisible(
  state: ChannelState,
  code: number,
  kind: number,
  last: number,
  seed: number,
  stops: Set<number>,
): void {
  state.flags &= ~LINE_ENDED;
  const isOpen = state.tokenLength > 0;
  if (kind >= DIGIT && kind !== IDEOGRAPH) addToToken(state, code, kind, last, seed);
  else if (kind === IDEOGRAPH) {
    if (isOpen) endToken(state, stops);
    addIdeograph(state, code, last, seed);
  } else if (kind === OTHER) {
    if (isOpen) endToken(state, stops);
  } else if (kind === QUOTE || (kind === APOSTROPHE && (!isOpen || state.quote === code))) {
    if (isOpen) endToken(state, stops);
    quote(state, code, seed);
  } else if (isOpen) join(state, code, kind, last, stops);
}

/** Keeps the beginning of a paragraph that began in this text. */
export function noteBeginning(paragraph: Paragraph, text: string, begun: number): void {
  if (begun < 0) return;
  const before = text.slice(Math.max(0, begun - LOOKED_AT), begun);
  BEGINNINGS.set(paragraph, { opening: text.slice(begun, begun + LOOKED_AT), before });
}

/** Ends whatever is open. Returns null if the message had no words. */
export function endWords(
  state: ChannelState,
  seed: number,
  completed: Paragraph[],
): Paragraph | null {
  if (isEmptyMessage(state)) return null;
  if (state.tokenLength > 0) endToken(state, stopWords(seed));
  endParagraph(state, completed);
  const { message } = state;
  Object.assign(state, startChannel());
  return message.words > 0 ? message : null;
}

function addToToken(
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

function join(
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

function endToken(state: ChannelState, stops: Set<number>): void {
  const { flags, paragraph } = state;
  const token = flags & JOINED ? state.core : state.token;
  const masked = !(flags & DIGITS) ? token : flags & JOINED ? state.coreMasked : state.masked;
  // A plain number at the beginning of a line is the number of a list item and names nothing.
  const names =
    flags & NAME
      ? state.tokenLength >= SHORT_NAME + (flags & JOINED ? 1 : 0)
      : (flags & DIGITS) !== 0 && (flags & (LINE_HAS_TOKEN | LETTERS)) !== 0;
  if (names) keepSmallest(paragraph.references, narrow(token), REFERENCES);
  if (flags & LETTERS && !stops.has(masked))
    keepSmallest(paragraph.vocabulary, narrow(masked), VOCABULARY);
  addWord(state, token, masked, names || !(flags & LETTERS) ? MASK : masked);
  state.tokenLength = 0;
  state.flags = LINE_HAS_TOKEN;
}

function addIdeograph(state: ChannelState, code: number, last: number, seed: number): void {
  // Pairs of ideographs are closer to words than single ones.
  const word = mix(mix(tokenStart(seed), classifyCharacter(last) === IDEOGRAPH ? last : 0), code);
  keepSmallest(state.paragraph.vocabulary, narrow(word), VOCABULARY);
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
      TRIGRAMS,
    );
  previous[1] = previous[0];
  previous[0] = masked;
  if (state.quote !== 0) {
    state.quoted = chain(state.quoted, word);
    if (++state.quotedWords > LONG_QUOTATION) state.quote = 0;
  }
}

function quote(state: ChannelState, code: number, seed: number): void {
  if (state.quote === 0) {
    state.quote = code === 0x201c ? 0x201d : code;
    state.quotedWords = 0;
    state.quoted = tokenStart(seed);
  } else if (code === state.quote) {
    if (state.quotedWords > 0)
      keepSmallest(state.paragraph.references, narrow(state.quoted), REFERENCES);
    state.quote = 0;
  }
}

function endLine(state: ChannelState, completed: Paragraph[]): void {
  if (state.flags & LINE_ENDED || state.length >= LONG_PARAGRAPH) endParagraph(state, completed);
  state.flags = LINE_ENDED;
  state.quote = 0;
}

function endParagraph(state: ChannelState, completed: Paragraph[]): void {
  const { words, key, shape, paragraph, message } = state;
  state.length = 0;
  if (words === 0) return;
  completed.push({ words, key: key >>> 0, shape: shape >>> 0, ...paragraph });
  message.words += words;
  message.key = chain(message.key, key) >>> 0;
  message.shape = chain(message.shape, shape) >>> 0;
  mergeSmallest(message.trigrams, paragraph.trigrams, TRIGRAMS);
  mergeSmallest(message.vocabulary, paragraph.vocabulary, VOCABULARY);
  mergeSmallest(message.references, paragraph.references, REFERENCES);
  state.words = state.key = state.shape = 0;
  state.previous = [0, 0];
  state.paragraph = noSketches();
}
