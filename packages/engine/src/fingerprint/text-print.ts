import {
  APOSTROPHE,
  classifyCharacter,
  DIGIT,
  IDEOGRAPH,
  LOWER,
  OTHER,
  QUOTE,
  SPACE,
} from './character.ts';
import { LOOKED_AT, quotedOpening } from './passage.ts';
import { mergeSmallest } from './sketch.ts';
import { startGrams } from './text-grams.ts';
import {
  addIdeograph,
  addToToken,
  BLANK_CODE,
  type ChannelState,
  chain,
  endToken,
  join,
  LINE_END,
  LINE_ENDED,
  LONG_PARAGRAPH,
  MAX_REFERENCES,
  MAX_TRIGRAMS,
  MAX_VOCABULARY,
  mix,
  quote,
  SPECIAL,
  stopWords,
  type TextSketches,
} from './token-print.ts';

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

const noSketches = (): TextSketches => ({ trigrams: [], vocabulary: [], references: [] });

/** The state at the beginning of a message. */
export function startChannel(): ChannelState {
  return {
    grams: startGrams(),
    last: BLANK_CODE,
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
  mergeSmallest(message.trigrams, paragraph.trigrams, MAX_TRIGRAMS);
  mergeSmallest(message.vocabulary, paragraph.vocabulary, MAX_VOCABULARY);
  mergeSmallest(message.references, paragraph.references, MAX_REFERENCES);
  state.words = state.key = state.shape = 0;
  state.previous = [0, 0];
  state.paragraph = noSketches();
}
