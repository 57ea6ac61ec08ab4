import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { mergeSmallest, overlap } from '../../fingerprint/sketch.ts';
import { type Channel, ENDS_MESSAGE } from '../../fingerprint/text.ts';
import type { Paragraph } from '../../fingerprint/text-print.ts';

import { option, type ValuesOf } from '../../option.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';

/** A paragraph of the last few. */
interface Thought {
  key: number;
  shape: number;
  trigrams: number[];
  /** What it names, and what the short lines above it said. */
  references: number[];
  /** It named something that the paragraphs before it had not. */
  fresh: boolean;
  /** The first paragraph that it goes back to, the step of that one, and the how manieth of its kind this is. */
  first: number;
  since: number;
  ordinal: number;
  speaker: string;
}

interface State {
  thoughts: Thought[];
  /** From short lines since the last paragraph. */
  above: number[];
}

type Variant = 'exact' | 'templated' | 'overlap';

const TRIGRAMS = 24;
const REFERENCES = 24;
const STRENGTH: Record<Variant, number> = { exact: 0.9, templated: 0.8, overlap: 0.7 };

const OPTIONS = {
  paragraphs: option.integer(4, { from: 2 }, 'Similar paragraphs, including the latest, that make a loop.'),
  window: option.integer(16, { from: 2 }, 'Recent paragraphs among which the similar ones must be.'),
  overlap: option.share(0.8, 'Share of word trigrams that similar paragraphs have in common.'),
  words: option.integer(8, { from: 0 }, 'Minimum number of words in a paragraph that counts.'),
};
type Options = ValuesOf<typeof OPTIONS>;

export const repeatedThought = defineDetector({
  name: 'repeated-thought',
  status: 'stable',
  watches: ['text-added', ...ENDS_MESSAGE],
  alsoNeutral: ['wait', 'poll', 'transient-error', 'batch', 'own', 'reread'],
  rungs: { first: 'note', highest: 'stop' },
  options: OPTIONS,
  start: (): State => ({ thoughts: [], above: [] }),

  step(state, seen, options) {
    let evidence: Evidence | null = null;
    // A call or an iteration may carry the paragraph that it ended; that one came before whatever it brought.
    if (seen.text && seen.type !== 'user-spoke') {
      for (const paragraph of seen.text.paragraphs) evidence = take(state, paragraph, seen.text.channel, seen, options) ?? evidence;
    }
    if (seen.type === 'user-spoke' || seen.progress !== null) {
      state.thoughts = [];
      state.above = [];
    }
    return evidence;
  },

  explain({ variant, count, facts }) {
    const how = { exact: 'word for word', templated: 'in the same sentences', overlap: 'in nearly the same words' }[variant as Variant];
    return `the same thought has come ${count} times ${how}, ${facts.alike} times in the last ${facts.among} paragraphs, and named nothing new`;
  },

  moves: [
    'write down in one line what is settled, and build on that',
    'test the doubt that keeps returning with one concrete action',
    'choose the best option so far and go on with it',
  ],
});

function take(state: State, paragraph: Paragraph, channel: Channel, { step, speaker }: Fingerprint, options: Options): Evidence | null {
  if (paragraph.words < options.words) {
    mergeSmallest(state.above, paragraph.references, REFERENCES);
    // In an answer a short line is mostly a heading: a new heading over the same words is not the same.
    if (channel === 'answer') mergeSmallest(state.above, paragraph.vocabulary, REFERENCES);
    return null;
  }
  const { key, shape, trigrams } = paragraph;
  const references = [...paragraph.references];
  mergeSmallest(references, state.above, REFERENCES);
  state.above = [];

  const fresh = references.some((reference) => !state.thoughts.some((thought) => thought.references.includes(reference)));
  let variant: Variant = 'exact';
  let repeats = 1;
  let original = 0;
  let first = key;
  let since = step;
  let ordinal = 1;
  for (const thought of state.thoughts) {
    const likeness = thought.speaker === speaker && alike(thought, paragraph, options);
    if (!likeness) continue;
    if (STRENGTH[likeness] < STRENGTH[variant]) variant = likeness;
    if (thought.fresh) original = 1;
    else repeats++;
    if (ordinal === 1) ({ first, since } = thought);
    ordinal = Math.max(ordinal, thought.ordinal + 1);
  }
  state.thoughts.push({ key, shape, trigrams, references, fresh, first, since, ordinal, speaker });
  if (state.thoughts.length > options.window) state.thoughts.splice(0, state.thoughts.length - options.window);
  const cluster = repeats + original;
  if (fresh || cluster < options.paragraphs) return null;
  return {
    variant,
    count: ordinal,
    since,
    keys: [first.toString(36)],
    equal: variant === 'exact',
    strength: STRENGTH[variant],
    facts: { alike: cluster, among: state.thoughts.length, channel },
  };
}

function alike(thought: Thought, { key, shape, trigrams }: Paragraph, options: Options): Variant | null {
  if (thought.key === key) return 'exact';
  if (thought.shape === shape) return 'templated';
  return overlap(thought.trigrams, trigrams, TRIGRAMS) >= options.overlap ? 'overlap' : null;
}
