import { overlap } from '../../fingerprint/sketch.ts';
import { ENDS_MESSAGE } from '../../fingerprint/text.ts';
import { beginningOf, type Paragraph } from '../../fingerprint/text-print.ts';

import type { ValuesOf } from '../../option.ts';
import * as option from '../../option-kinds.ts';
import { defineDetector } from '../detector.ts';

/** What is kept of a message. */
type Said = Omit<Paragraph, 'words'> & { step: number };

interface State {
  /** The last messages, at most two. */
  said: Said[];
  /**
   * How many messages in a row are similar, how many are equal, the step of the first and its key.
   */
  count: number;
  equal: number;
  since: number;
  first: number;
  speaker: string;
  /** Whether anything but the first message has happened. */
  begun: boolean;
}

const TRIGRAMS = 24;
const VOCABULARY = 32;
/** With fewer words, chance and stock phrases determine the share. */
const ENOUGH_WORDS = 8;

const start = (begun = false): State => ({
  said: [],
  count: 0,
  equal: 0,
  since: 0,
  first: 0,
  speaker: '',
  begun,
});

const OPTIONS = {
  messages: option.integer(3, { from: 2 }, 'Similar messages in a row that make a loop.'),
  vocabulary: option.share(
    0.55,
    'Share of words, except the most common, that similar messages have in common.',
  ),
  trigrams: option.share(
    0.5,
    'Share of common word trigrams that makes messages similar, whatever their words.',
  ),
  fresh: option.share(
    0.34,
    'Maximum share of new names among the things that a similar message names.',
  ),
  words: option.integer(
    8,
    { from: 0 },
    'Words below which messages are similar only if they are equal.',
  ),
  fewWords: option.integer(
    5,
    { from: 0 },
    'Words below which one more message is needed, as for a banner or an opening fence.',
  ),
};
type Options = ValuesOf<typeof OPTIONS>;

export const monologue = defineDetector({
  name: 'monologue',
  status: 'stable',
  watches: ['text-added', ...ENDS_MESSAGE],
  alsoNeutral: ['wait', 'poll', 'transient-error', 'batch', 'own', 'reread'],
  rungs: { first: 'note', highest: 'stop' },
  options: OPTIONS,
  start: () => start(),

  step(state, seen, options) {
    // An agent that waits for what runs in the background may say so each time.
    if (seen.call || seen.type === 'user-spoke' || seen.rest?.waiting) {
      if (state.count > 0 || !state.begun) Object.assign(state, start(true));
      return null;
    }
    const message = seen.text?.channel === 'answer' ? seen.text.message : null;
    if (!message) return null;
    // A message from another speaker is an answer, so the streak starts over.
    if (state.speaker !== seen.speaker) Object.assign(state, start(state.begun));
    state.speaker = seen.speaker;
    count(state, message, seen.step, options);
    const { words } = message;
    if (state.count < options.messages + (words < options.fewWords ? 1 : 0)) return null;
    // A few equal words before anything else happened are start-up lines of a harness.
    if (words < options.fewWords && !state.begun) return null;
    const equal = state.equal >= options.messages;
    return {
      variant: equal ? 'equal' : 'alike',
      count: state.count,
      since: state.since,
      keys: [state.first.toString(36)],
      equal,
      strength: equal ? 0.95 : 0.8,
      facts: { messages: state.count, words, passage: beginningOf(message) },
    };
  },

  explain({ variant, count, facts }) {
    const passage = facts.passage ? ` (${facts.passage})` : '';
    return `${count} messages in a row say ${variant === 'equal' ? 'the same thing' : 'much the same thing'}${passage}, with no action between them`;
  },

  moves: [
    'call a tool now: the first step of what the messages announce',
    'if something is missing that only the user can give, ask for it in one question',
    'if the work is done, say so once and end the turn',
  ],
});

/** Compares a message with the last ones, and keeps it. */
function count(state: State, message: Paragraph, step: number, options: Options): void {
  const { words: _, ...print } = message;
  const close = state.said.map((said) => alike(message, said, options));
  const last = state.said.at(-1);
  if (!last || !close.at(-1)) Object.assign(state, { count: 1, since: step, first: message.key });
  else if (close.every(Boolean)) state.count++;
  else Object.assign(state, { count: 2, since: last.step, first: last.key });
  state.equal = last?.key === message.key ? state.equal + 1 : 1;
  if (last && last.key !== message.key) state.begun = true;
  state.said = state.count === 1 ? [{ ...print, step }] : [last!, { ...print, step }];
}

function alike(message: Paragraph, said: Said, options: Options): boolean {
  if (message.key === said.key) return true;
  if (message.words < options.words) return false;
  const fresh = message.references.filter(
    (reference) => !said.references.includes(reference),
  ).length;
  // The same sentences about something else are a report that moves on.
  if (fresh > message.references.length * (message.shape === said.shape ? 0 : options.fresh))
    return false;
  const vocabulary =
    Math.min(message.vocabulary.length, said.vocabulary.length) < ENOUGH_WORDS
      ? 0
      : overlap(message.vocabulary, said.vocabulary, VOCABULARY);
  return (
    vocabulary >= options.vocabulary ||
    overlap(message.trigrams, said.trigrams, TRIGRAMS) >= options.trigrams
  );
}
