import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { isRequested } from '../../fingerprint/requested.ts';
import { mergeSmallest, overlap } from '../../fingerprint/sketch.ts';
import { type Channel, ENDS_MESSAGE } from '../../fingerprint/text.ts';
import { beginningOf, type Paragraph } from '../../fingerprint/text-print.ts';

import type { ValuesOf } from '../../option.ts';
import * as option from '../../option-kinds.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';

/** One of the last few paragraphs. */
interface Thought {
  key: number;
  shape: number;
  trigrams: number[];
  /** The things that it names, and the words of the short lines above it. */
  references: number[];
  /** Whether it named something that the paragraphs before it did not name. */
  fresh: boolean;
  /**
   * The key of the first paragraph that it repeats, that paragraph's step, and the position of this
   * one in the series.
   */
  first: number;
  since: number;
  ordinal: number;
  speaker: string;
}

interface State {
  thoughts: Thought[];
  /** What short lines since the last paragraph said. */
  above: number[];
  /**
   * The last line of reasoning that was too short to compare, and how many times in a row it came.
   */
  short: { key: number; count: number; since: number };
}

type Likeness = 'exact' | 'templated' | 'overlap';

const TRIGRAMS = 24;
const REFERENCES = 24;
/** A shorter paragraph may be one sentence for each of many things, and that is work. */
const MIN_RESHUFFLED_WORDS = 24;
const STRENGTH: Record<Likeness, number> = { exact: 0.9, templated: 0.8, overlap: 0.7 };
const MANNER: Record<string, string> = {
  exact: 'word for word',
  short: 'word for word',
  templated: 'in the same sentences',
  overlap: 'in nearly the same words',
  reshuffled: 'in nearly the same words',
};

const OPTIONS = {
  paragraphs: option.integer(
    4,
    { from: 2 },
    'Similar paragraphs, including the latest, that make a loop.',
  ),
  window: option.integer(
    16,
    { from: 2 },
    'Recent paragraphs among which the similar ones must be.',
  ),
  overlap: option.share(0.8, 'Share of word trigrams that similar paragraphs have in common.'),
  words: option.integer(8, { from: 0 }, 'Minimum number of words in a paragraph that counts.'),
  short: option.integer(6, { from: 2 }, 'Equal thoughts of fewer words in a row that make a loop.'),
  reshuffled: option.integer(
    12,
    { from: 2 },
    'Similar paragraphs of reasoning that make a loop even if each names something new, such as a number.',
  ),
};
type Options = ValuesOf<typeof OPTIONS>;

export const repeatedThought = defineDetector({
  name: 'repeated-thought',
  status: 'stable',
  // Thoughts in nearly the same words lead to a plan as often as they loop.
  variants: { overlap: 'witness' },
  watches: ['text-added', ...ENDS_MESSAGE],
  alsoNeutral: ['wait', 'poll', 'transient-error', 'batch', 'own', 'reread'],
  rungs: { first: 'note', highest: 'stop' },
  options: OPTIONS,
  start: (): State => ({ thoughts: [], above: [], short: { key: 0, count: 0, since: 0 } }),

  step(state, seen, options) {
    let evidence: Evidence | null = null;
    // The event that ends a paragraph carries it. The paragraph came before that event's progress,
    // so it is handled first.
    const isWaiting = seen.rest?.waiting === true;
    if (seen.text && seen.type !== 'user-spoke' && !isWaiting) {
      for (const paragraph of seen.text.paragraphs)
        evidence = take(state, paragraph, seen.text.channel, seen, options) ?? evidence;
    }
    // An agent that waits may say so each time.
    if (
      seen.type === 'user-spoke' ||
      seen.progress !== null ||
      seen.neutral === 'wait' ||
      seen.neutral === 'poll' ||
      isWaiting
    ) {
      state.thoughts = [];
      state.above = [];
      state.short.count = 0;
    }
    const { count = 0 } = evidence ?? {};
    return seen.text && isRequested(seen, seen.text.channel, count) ? null : evidence;
  },

  explain({ variant, count, facts }) {
    const passage = facts.passage ? ` (${facts.passage})` : '';
    const nothing = variant === 'reshuffled' ? '' : ', and added nothing new';
    return `the same thought${passage} has come ${count} times ${MANNER[variant]}${nothing}`;
  },

  moves: [
    'write down in one line what is settled, and build on that',
    'test the doubt that keeps returning with one concrete action',
    'choose the best option so far and go on with it',
  ],
});

function take(
  state: State,
  paragraph: Paragraph,
  channel: Channel,
  { step, speaker }: Fingerprint,
  options: Options,
): Evidence | null {
  if (paragraph.words < options.words) {
    mergeSmallest(state.above, paragraph.references, REFERENCES);
    // A short line in an answer is usually a heading, and the same words under a new heading are
    // something new.
    if (channel === 'answer') mergeSmallest(state.above, paragraph.vocabulary, REFERENCES);
    return channel === 'thinking' ? takeShort(state, paragraph, step, options) : null;
  }
  state.short.count = 0;
  const { key, shape, trigrams } = paragraph;
  const references = [...paragraph.references];
  mergeSmallest(references, state.above, REFERENCES);
  state.above = [];

  const fresh = references.some(
    (reference) => !state.thoughts.some((thought) => thought.references.includes(reference)),
  );
  const { likest, near, cluster, first, since, ordinal } = compared(
    state.thoughts.filter((thought) => thought.speaker === speaker),
    paragraph,
    step,
    options,
  );
  state.thoughts.push({ key, shape, trigrams, references, fresh, first, since, ordinal, speaker });
  if (state.thoughts.length > options.window)
    state.thoughts.splice(0, state.thoughts.length - options.window);
  const told = { count: ordinal, since, keys: [first.toString(36)] };
  const factsOf = (similar: number) => ({
    alike: similar,
    among: state.thoughts.length,
    channel,
    passage: beginningOf(paragraph),
  });
  if (!fresh && cluster >= options.paragraphs)
    return {
      ...told,
      variant: likest,
      equal: likest === 'exact',
      strength: STRENGTH[likest],
      facts: factsOf(cluster),
    };
  const mayBeReshuffled = channel !== 'answer' && paragraph.words >= MIN_RESHUFFLED_WORDS;
  if (!mayBeReshuffled || near < options.reshuffled) return null;
  return {
    ...told,
    variant: 'reshuffled',
    strength: STRENGTH.overlap,
    cap: 'hint',
    facts: factsOf(near),
  };
}

/** How a thought compares with the earlier ones of its speaker. */
function compared(
  thoughts: readonly Thought[],
  paragraph: Paragraph,
  step: number,
  options: Options,
) {
  let likest: Likeness = 'exact';
  let near = 1;
  let repeats = 1;
  let original = 0;
  let first = paragraph.key;
  let since = step;
  let ordinal = 1;
  for (const thought of thoughts) {
    const likeness = alike(thought, paragraph, options);
    if (!likeness) continue;
    near++;
    if (STRENGTH[likeness] < STRENGTH[likest]) likest = likeness;
    if (thought.fresh) original = 1;
    else repeats++;
    if (ordinal === 1) ({ first, since } = thought);
    ordinal = Math.max(ordinal, thought.ordinal + 1);
  }
  return { likest, near, cluster: repeats + original, first, since, ordinal };
}

/** A thought of a few words is compared only with the one before it, and must be equal. */
function takeShort(
  state: State,
  paragraph: Paragraph,
  step: number,
  options: Options,
): Evidence | null {
  const { key, words } = paragraph;
  if (words === 0) return null;
  if (state.short.key !== key || state.short.count === 0)
    state.short = { key, count: 0, since: step };
  const count = ++state.short.count;
  if (count < options.short) return null;
  return {
    variant: 'short',
    count,
    since: state.short.since,
    keys: [key.toString(36)],
    strength: STRENGTH.overlap,
    facts: { alike: count, among: count, channel: 'thinking', passage: beginningOf(paragraph) },
  };
}

function alike(
  thought: Thought,
  { key, shape, trigrams }: Paragraph,
  options: Options,
): Likeness | null {
  if (thought.key === key) return 'exact';
  if (thought.shape === shape) return 'templated';
  return overlap(thought.trigrams, trigrams, TRIGRAMS) >= options.overlap ? 'overlap' : null;
}
