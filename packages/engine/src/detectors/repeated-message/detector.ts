import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { overlap } from '../../fingerprint/sketch.ts';
import { ENDS_MESSAGE } from '../../fingerprint/text.ts';
import { beginningOf, type Paragraph } from '../../fingerprint/text-print.ts';

import type { ValuesOf } from '../../option.ts';
import * as option from '../../option-kinds.ts';
import type { ResultPrint } from '../../prints.ts';
import { push } from '../../recent.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';
import { type Habits, learnHabit, particularOf } from '../particular.ts';

interface Said {
  key: number;
  words: number;
  vocabulary: number[];
  speaker: string;
  step: number;
  /**
   * Calls made before this message, how many of them told something, the sum of their novelty, and
   * how many were looks, each at another part of a file.
   */
  tried: number;
  told: number;
  brought: number;
  looks: number;
}

interface State {
  said: Said[];
  habits: Habits;
  tried: number;
  told: number;
  brought: number;
  looks: number;
  /** The parts of files that were looked at last. */
  parts: string[];
  /** Short messages in a row whose words have mostly been said already, with no call in between. */
  agreed: number;
}

const VOCABULARY = 32;
/** Messages kept, of all speakers together. */
const MAX_SAID = 12;
const MAX_PARTS = 8;
/** As many more messages are needed if the agent did what each of them announced. */
const ANNOUNCED = 1;
const SHORTEST = 6;
/** With fewer particular words, two messages are similar only if they are equal. */
const FEW = 4;

/**
 * Progress that changed something. Unlike new content it counts fully, even if the result says
 * little.
 */
const CHANGES = new Set<Fingerprint['progress']>(['write', 'moved', 'falling', 'screen']);

const OPTIONS = {
  messages: option.integer(
    3,
    { from: 2 },
    'Similar messages, including the latest, that make a loop.',
  ),
  window: option.integer(
    8,
    { from: 2 },
    'Recent messages of the speaker among which the similar ones must be.',
  ),
  alike: option.share(
    0.45,
    'Share of particular words that similar messages have in common if something was tried between them.',
  ),
  alikeBlind: option.share(0.7, 'The same, if nothing that was tried between them told anything.'),
  alikeInTalk: option.share(0.6, 'The same, if nothing was tried between them.'),
  littleNew: option.share(
    0.35,
    'Maximum average novelty of the results between them that told something.',
  ),
  tells: option.integer(
    40,
    { from: 0 },
    'Length in characters from which a result tells something.',
  ),
  agreeing: option.integer(
    5,
    { from: 2 },
    'Short messages of several speakers in a row, in words that have been used, that make a loop.',
  ),
  words: option.integer(
    12,
    { from: 0 },
    'Words below which messages are similar only if nearly all their words are equal.',
  ),
};
type Options = ValuesOf<typeof OPTIONS>;
const NEARLY_ALL = 0.9;
/** A longer message contributes something, even if only an argument. */
const MAX_ASSENT_WORDS = 40;
const ASSENT = 0.5;

export const repeatedMessage = defineDetector({
  name: 'repeated-message',
  status: 'stable',
  watches: ['text-added', ...ENDS_MESSAGE],
  alsoNeutral: ['wait', 'poll'],
  rungs: { first: 'note', highest: 'hint' },
  options: OPTIONS,
  start: (): State => ({
    said: [],
    habits: [],
    tried: 0,
    told: 0,
    brought: 0,
    looks: 0,
    parts: [],
    agreed: 0,
  }),

  step(state, seen, options) {
    // An agent that waits may say so each time.
    if (seen.neutral || seen.rest?.waiting) {
      state.said = [];
      return null;
    }
    const message = seen.text?.channel === 'answer' ? seen.text.message : null;
    const alike = message ? alikeBefore(state, message, seen, options) : [];
    if (seen.result || seen.type === 'user-spoke') state.agreed = 0;
    // A call may end a message. The message came before the call's result, so the result is counted
    // after it.
    if (seen.result) noteResult(state, seen, seen.result, options.tells);
    if (!message) return null;
    if (alike.length + 1 < options.messages)
      return state.agreed >= options.agreeing ? assent(state) : null;
    const first = alike[0]!;
    const tried = state.tried - first.tried;
    if (isAnnounced(state, first, tried) && alike.length + 1 < options.messages + ANNOUNCED)
      return null;
    return {
      variant: tried > 0 ? 'in-vain' : 'only-talk',
      count: alike.length + 1,
      since: first.step,
      keys: [
        ...alike.map(({ key }) => `message:${key.toString(36)}`),
        `message:${message.key.toString(36)}`,
      ],
      strength: 0.6,
      facts: { tried, passage: beginningOf(message) },
    };
  },

  explain({ variant, count, facts }) {
    if (variant === 'assent') return `${count} messages in a row only confirm one another`;
    const between =
      variant === 'only-talk'
        ? 'with nothing tried in between'
        : `and the ${facts.tried} calls in between returned little new`;
    return `${count} messages say much the same${facts.passage ? ` (the last: ${facts.passage})` : ''}, ${between}`;
  },

  moves: ({ variant }) => [
    ...(variant === 'only-talk'
      ? [
          'do now what the messages announce, without announcing it again',
          'if something is missing that only the user can give, ask for it in one question',
        ]
      : [
          'say in one sentence what you know by now, and what exactly is still missing',
          'try a source or a tool that you have not used yet',
        ]),
    'if it cannot be found or done from here, report that and finish',
  ],
});

/** Earlier messages of this speaker with the same content as this one. Stores this message. */
function alikeBefore(
  state: State,
  { key, words, vocabulary }: Paragraph,
  { speaker, step }: Fingerprint,
  options: Options,
): Said[] {
  if (words < SHORTEST) return [];
  const { said, habits, tried, told, looks } = state;
  const brought = Math.round(state.brought * 100) / 100;
  const now: Said = { key, words, vocabulary, speaker, step, tried, told, brought, looks };
  const particular = particularOf(habits, speaker);
  const mine = particular(vocabulary);
  const alike = said
    .filter((each) => each.speaker === speaker)
    .slice(1 - options.window)
    .filter((each) => isAlike(now, each, mine, () => particular(each.vocabulary), options));
  // Words that recur because of a loop must not be learned as a habit.
  if (alike.length + 1 < options.messages) learnHabit(habits, speaker, vocabulary);
  state.agreed = isAssent(now, said) ? state.agreed + 1 : 0;
  push(said, now, MAX_SAID);
  return alike;
}

/**
 * "Let me look at the imports", "let me look at the tests": announcements that the agent acts on
 * resemble each other.
 */
function isAnnounced({ said }: State, first: Said, tried: number): boolean {
  const now = said.at(-1)!;
  return tried > 0 && now.looks - first.looks === now.tried - first.tried;
}

/** Counts what a call brought. */
function noteResult(state: State, seen: Fingerprint, result: ResultPrint, tells: number): void {
  const changed = CHANGES.has(seen.progress);
  state.tried++;
  if (isAnotherLook(state, seen)) state.looks++;
  if (!changed && !(result.known && result.size >= tells)) return;
  state.told++;
  state.brought += changed ? 1 : result.novelty;
}

/** Whether it is a look at a part of a file that was not among the last looks. */
function isAnotherLook({ parts }: State, { call, result }: Fingerprint): boolean {
  if (call?.verb !== 'read' || !call.target?.startsWith('file:') || result?.error) return false;
  if (parts.includes(call.key)) return false;
  push(parts, call.key, MAX_PARTS);
  return true;
}

/** Whether a short message mostly uses words that were said since the last call. */
function isAssent(now: Said, said: readonly Said[]): boolean {
  if (now.words > MAX_ASSENT_WORDS) return false;
  const before = said.filter(({ tried }) => tried === now.tried);
  const known = now.vocabulary.filter((word) =>
    before.some(({ vocabulary }) => vocabulary.includes(word)),
  );
  return known.length >= now.vocabulary.length * ASSENT;
}

function assent({ said, agreed }: State): Evidence | null {
  const latest = said.slice(-agreed);
  if (new Set(latest.map(({ speaker }) => speaker)).size < 2) return null;
  const keys = latest.map(({ key }) => `message:${key.toString(36)}`);
  return {
    variant: 'assent',
    count: agreed,
    since: latest[0]!.step,
    keys,
    strength: 0.6,
    facts: { tried: 0 },
  };
}

/**
 * Whether two messages have the same particular content, and the calls between them brought little.
 */
function isAlike(
  now: Said,
  said: Said,
  mine: readonly number[],
  particular: () => readonly number[],
  options: Options,
): boolean {
  const [tried, told] = [now.tried - said.tried, now.told - said.told];
  if (told > 0 && (now.brought - said.brought) / told > options.littleNew) return false;
  const theirs = particular();
  if (Math.min(mine.length, theirs.length) < FEW)
    return now.key === said.key && (tried === 0 || told > 0);
  const short = Math.min(now.words, said.words) < options.words;
  const needed = short
    ? NEARLY_ALL
    : tried === 0
      ? options.alikeInTalk
      : told === 0
        ? options.alikeBlind
        : options.alike;
  return overlap(mine, theirs, VOCABULARY) >= needed;
}
