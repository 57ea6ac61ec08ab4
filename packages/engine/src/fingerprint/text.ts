import type { EventType, TextAdded } from '../event.ts';
import { reportsLoop } from './own-record.ts';
import { quotedUnit } from './passage.ts';
import { readGrams } from './text-grams.ts';
import {
  endWords,
  isEmptyMessage,
  noteBeginning,
  type Paragraph,
  readWords,
  startChannel,
} from './text-print.ts';
import type { ChannelState } from './token-print.ts';

export type Channel = TextAdded['channel'];

/** What is known about the text that one event added. */
export interface TextPrint {
  channel: Channel;
  /**
   * One code per character, with runs of white space as one: a hash of the four characters that end
   * there. Periodic where the text is. The lowest bit is set for a letter; otherwise the second is
   * set for white space. The third is set beyond ASCII.
   */
  grams: string;
  /** Paragraphs that this event completed. */
  paragraphs: Paragraph[];
  /** The whole message, on the event that completes it. */
  message: Paragraph | null;
  /**
   * Whether the agent's own record of its progress reports a loop; null if this event holds no such
   * record.
   */
  reportsLoop: boolean | null;
}

/** What is carried from one delta to the next: numbers only, under 3 KB of JSON. */
export interface TextState {
  answer: ChannelState;
  thinking: ChannelState;
}

/** Events that end a message that is still open. */
export const ENDS_MESSAGE: readonly EventType[] = [
  'call-proposed',
  'call-finished',
  'action-proposed',
  'action-finished',
  'iteration-started',
  'output-finished',
  'user-spoke',
];

/** Descriptions of a screen are shorter. */
const LONG_TEXT = 8000;

/** The state before the first text of a session. */
export function startText(): TextState {
  return { answer: startChannel(), thinking: startChannel() };
}

/**
 * The smallest hashes of a text's words, as for a message of just this text. Only the beginning of
 * a long text counts.
 */
export function vocabularyOf(text: string, seed: number): number[] {
  const channel = startChannel();
  readWords(channel, text.slice(0, LONG_TEXT), seed, []);
  return endWords(channel, seed, [])?.vocabulary ?? [];
}

/**
 * Reads one delta and changes `state` in place. The prints add up to the same result however a text
 * is cut into deltas.
 */
export function readText(state: TextState, event: TextAdded, seed: number): TextPrint {
  const { channel, text } = event;
  const paragraphs: Paragraph[] = [];
  const grams = readGrams(state[channel].grams, text, seed);
  const isNew = isEmptyMessage(state[channel]);
  const begun = readWords(state[channel], text, seed, paragraphs);
  const before = paragraphs.length;
  const message = event.done ? endWords(state[channel], seed, paragraphs) : null;
  if (paragraphs.length > before) noteBeginning(paragraphs.at(-1)!, text, begun);
  if (message && isNew) noteBeginning(message, text, 0);
  const print = { channel, grams, paragraphs, message, reportsLoop: reportsLoop(text) };
  TEXTS.set(print, text);
  return print;
}

/** The text of an event, available as long as its print is. */
const TEXTS = new WeakMap<TextPrint, string>();

/**
 * Quotes the unit of `length` codes that ends at code `end` of the event; empty if the event does
 * not contain all of it.
 */
export function unitAt(print: TextPrint, end: number, length: number): string {
  const text = (TEXTS.get(print) ?? '').replace(/\s+/g, ' ');
  // If the event begins with white space and the one before ended in white space, the text has one
  // character more than there are codes.
  const surplus = text.length - print.grams.length;
  if (end < length || (surplus !== 0 && surplus !== 1)) return '';
  return quotedUnit(text.slice(end - length + surplus, end + surplus));
}

/**
 * Ends what is still open when a call or a user's message ends it without `done`, on one channel
 * or, without `channel`, on both. The paragraphs of both then come in one print, and `message` is
 * the answer's if there is one. Null if nothing was open.
 */
export function endMessage(state: TextState, channel?: Channel, seed = 0): TextPrint | null {
  if (channel === undefined) {
    const thinking = endMessage(state, 'thinking', seed);
    const answer = endMessage(state, 'answer', seed);
    return answer && thinking
      ? { ...answer, paragraphs: [...thinking.paragraphs, ...answer.paragraphs] }
      : (answer ?? thinking);
  }
  const paragraphs: Paragraph[] = [];
  const message = endWords(state[channel], seed, paragraphs);
  return message && { channel, grams: '', paragraphs, message, reportsLoop: null };
}
