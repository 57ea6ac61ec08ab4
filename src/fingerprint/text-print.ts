import { APOSTROPHE, classify, DIGIT, IDEOGRAPH, LOWER, lowerCase, NAMER, OTHER, QUOTE, SPACE, UPPER } from './character.ts';
import { finish } from './hash.ts';
import { keepSmallest } from './sketch.ts';
import type { Paragraph } from './text.ts';

interface Sketches {
  trigrams: number[];
  vocabulary: number[];
  references: number[];
}

/** What reading carries over on one channel: counts and hashes, and of the text itself only the last three characters. */
export interface ChannelState {
  /** The last three characters, runs of white space as one. */
  last: [number, number, number];
  /** Characters of the open paragraph. */
  length: number;
  /** The open token: its length, its hash, the same with digits masked, and both as they were before a joiner. */
  tokenLength: number;
  token: number;
  masked: number;
  core: number;
  coreMasked: number;
  flags: number;
  /** The open quotation: its closing character or 0, its length and hash. */
  quote: number;
  quoteLength: number;
  quoted: number;
  /** The open paragraph: its words, the last two of them, key and shape. */
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

// Flags: two of the line, the others of the open token.
const LINE_ENDED = 1;
const LINE_HAS_TOKEN = 2;
const LETTERS = 4;
const DIGITS = 8;
const AFTER_DIGIT = 16;
const NAME = 32;
/** It ends in a joiner, which belongs to it only if more follows. */
const JOINED = 64;
const JOINED_NAME = 128;
const OF_LINE = LINE_ENDED | LINE_HAS_TOKEN;

/** A text without blank lines is cut at the first line end after so many characters. */
const LONG_PARAGRAPH = 400;
/** A longer quotation is a passage, not a thing that is named. */
const LONG_QUOTATION = 80;
/** Shorter ones are abbreviations (`e.g`), not names. */
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
    stopHashes = new Set(STOP_WORDS.split(' ').map((word) => [...word].reduce((hash, c) => mix(hash, c.charCodeAt(0)), tokenStart(seed))));
  }
  return stopHashes;
}

const tokenStart = (seed: number): number => 0x811c9dc5 ^ seed;
const mix = (hash: number, value: number): number => Math.imul(hash ^ value, 0x01000193);
const chain = (hash: number, value: number): number => {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};
/** Six digits of JSON, and still enough to tell a few hundred words apart. */
const narrow = (hash: number): number => finish(hash) % 1_000_000;

const noSketches = (): Sketches => ({ trigrams: [], vocabulary: [], references: [] });

/** The state at the beginning of a message: as if after a space. */
export function startChannel(): ChannelState {
  return {
    last: [BLANK, BLANK, BLANK],
    length: 0,
    tokenLength: 0,
    token: 0,
    masked: 0,
    core: 0,
    coreMasked: 0,
    flags: 0,
    quote: 0,
    quoteLength: 0,
    quoted: 0,
    words: 0,
    previous: [0, 0],
    key: 0,
    shape: 0,
    paragraph: noSketches(),
    message: { words: 0, key: 0, shape: 0, ...noSketches() },
  };
}

const codes = new Uint16Array(4096);

/** Reads on, each character once. Completed paragraphs are added to `completed`; the grams are returned. */
export function scan(state: ChannelState, text: string, seed: number, completed: Paragraph[]): string {
  const salt = finish(seed) | 0;
  let [last1, last2, last3] = state.last;
  let grams = '';
  let filled = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    const kind = classify(code);
    if (kind === SPACE) {
      if (state.tokenLength > 0) endToken(state, seed);
      if (code === LINE_END) endLine(state, completed);
      if (last1 === BLANK) continue;
      code = BLANK;
    } else {
      state.flags &= ~LINE_ENDED;
      if (kind === IDEOGRAPH) {
        if (state.tokenLength > 0) endToken(state, seed);
        addIdeograph(state, code, last1, seed);
      } else if (kind >= DIGIT) addToToken(state, code, kind, last1, seed);
      else if (kind === OTHER || kind === QUOTE || (kind === APOSTROPHE && (state.tokenLength === 0 || state.quote === code))) {
        if (state.tokenLength > 0) endToken(state, seed);
      } else if (state.tokenLength > 0) joinToken(state, code, kind, last1, seed);
    }
    if (state.quote !== 0 || kind === QUOTE || kind === APOSTROPHE) readQuotation(state, code, kind, seed);
    state.length++;
    let gram =
      Math.imul(code, 0x2c1b3c6d) + Math.imul(last1, 0x297a2d39) + Math.imul(last2, 0x165667b1) + Math.imul(last3, 0x27d4eb2f) + salt | 0;
    gram = Math.imul(gram ^ (gram >>> 15), 0x7feb352d);
    codes[filled++] = 0x100 + (((gram >>> 18) << 1) | (kind >= LOWER ? 1 : 0));
    if (filled === codes.length) {
      grams += String.fromCharCode.apply(null, codes as unknown as number[]);
      filled = 0;
    }
    last3 = last2;
    last2 = last1;
    last1 = code;
  }
  state.last = [last1, last2, last3];
  return grams + String.fromCharCode.apply(null, codes.subarray(0, filled) as unknown as number[]);
}

/** Ends what is open. Null when the message had no word. */
export function endOfMessage(state: ChannelState, seed: number, completed: Paragraph[]): Paragraph | null {
  if (state.tokenLength > 0) endToken(state, seed);
  endParagraph(state, completed);
  const { message } = state;
  Object.assign(state, startChannel());
  return message.words > 0 ? message : null;
}

function addToToken(state: ChannelState, code: number, kind: number, last1: number, seed: number): void {
  if (state.tokenLength === 0) {
    state.token = state.masked = tokenStart(seed);
    state.flags = (state.flags & OF_LINE) | (last1 === 47 ? NAME : 0);
  } else if (kind === UPPER && classify(last1) === LOWER) state.flags |= NAME;
  if (state.flags & JOINED) {
    if (state.flags & JOINED_NAME) state.flags |= NAME;
    state.flags &= ~(JOINED | JOINED_NAME | AFTER_DIGIT);
  }
  const folded = kind === UPPER ? lowerCase(code) : code;
  state.token = mix(state.token, folded);
  state.tokenLength++;
  if (kind === DIGIT) {
    if (!(state.flags & AFTER_DIGIT)) state.masked = mix(state.masked, 48);
    state.flags |= DIGITS | AFTER_DIGIT;
  } else {
    state.masked = mix(state.masked, folded);
    state.flags = (state.flags & ~AFTER_DIGIT) | LETTERS;
  }
}

function joinToken(state: ChannelState, code: number, kind: number, last1: number, seed: number): void {
  if (state.flags & JOINED) {
    // `...` and `--` part what they stand between; `://` and `::` do not.
    if (code === last1 && (code === 46 || code === 45)) {
      endToken(state, seed);
      return;
    }
  } else {
    state.core = state.token;
    state.coreMasked = state.masked;
  }
  state.flags |= kind === NAMER ? JOINED | JOINED_NAME : JOINED;
  state.token = mix(state.token, code);
  state.masked = mix(state.masked, code);
  state.tokenLength++;
}

function endToken(state: ChannelState, seed: number): void {
  const { flags } = state;
  const token = flags & JOINED ? state.core : state.token;
  const masked = flags & JOINED ? state.coreMasked : state.masked;
  // A number that opens a line is the ordinal of a list, and says nothing.
  const names = flags & NAME ? state.tokenLength >= SHORT_NAME : (flags & DIGITS) !== 0 && (flags & (LINE_HAS_TOKEN | LETTERS)) !== 0;
  if (names) keepSmallest(state.paragraph.references, narrow(token), REFERENCES);
  if (flags & LETTERS && !(state.tokenLength < 9 && stopWords(seed).has(masked)))
    keepSmallest(state.paragraph.vocabulary, narrow(masked), VOCABULARY);
  addWord(state, token, masked, names || !(flags & LETTERS) ? 0 : masked);
  state.tokenLength = 0;
  state.flags = LINE_HAS_TOKEN;
}

function addIdeograph(state: ChannelState, code: number, last1: number, seed: number): void {
  // Pairs of ideographs are nearer to words than single ones.
  const word = mix(mix(tokenStart(seed), classify(last1) === IDEOGRAPH ? last1 : 0), code);
  keepSmallest(state.paragraph.vocabulary, narrow(word), VOCABULARY);
  addWord(state, word, word, word);
  state.flags |= LINE_HAS_TOKEN;
}

function addWord(state: ChannelState, word: number, masked: number, shape: number): void {
  const { previous } = state;
  state.words++;
  state.key = chain(state.key, word);
  state.shape = chain(state.shape, shape);
  if (state.words >= 3) keepSmallest(state.paragraph.trigrams, narrow(chain(chain(previous[1], previous[0]), masked)), TRIGRAMS);
  previous[1] = previous[0];
  previous[0] = masked;
}

function readQuotation(state: ChannelState, code: number, kind: number, seed: number): void {
  if (state.quote === 0) {
    if (kind === QUOTE || (code === 39 && state.tokenLength === 0)) {
      state.quote = code === 0x201c ? 0x201d : code;
      state.quoteLength = 0;
      state.quoted = tokenStart(seed);
    }
  } else if (code === state.quote) {
    if (state.quoteLength > 0) keepSmallest(state.paragraph.references, narrow(~state.quoted), REFERENCES);
    state.quote = 0;
  } else {
    state.quoted = mix(state.quoted, code);
    if (++state.quoteLength > LONG_QUOTATION) state.quote = 0;
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
  state.quote = 0;
  if (words > 0) completed.push({ words, key: key >>> 0, shape: shape >>> 0, ...paragraph });
  message.words += words;
  message.key = chain(message.key, key) >>> 0;
  message.shape = chain(message.shape, shape) >>> 0;
  for (const hash of paragraph.trigrams) keepSmallest(message.trigrams, hash, TRIGRAMS);
  for (const hash of paragraph.vocabulary) keepSmallest(message.vocabulary, hash, VOCABULARY);
  for (const hash of paragraph.references) keepSmallest(message.references, hash, REFERENCES);
  state.words = state.key = state.shape = 0;
  state.previous = [0, 0];
  state.paragraph = noSketches();
}
