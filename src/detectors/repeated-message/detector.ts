import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { overlap } from '../../fingerprint/sketch.ts';
import { ENDS_MESSAGE } from '../../fingerprint/text.ts';
import type { Paragraph } from '../../fingerprint/text-print.ts';

import { option, type ValuesOf } from '../../option.ts';
import { push } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface Said {
  key: number;
  words: number;
  vocabulary: number[];
  speaker: string;
  step: number;
  /** What had been tried before it, and the sum of how new that was. */
  tried: number;
  brought: number;
}

interface State {
  said: Said[];
  tried: number;
  brought: number;
}

const VOCABULARY = 32;
/** Of all speakers together. */
const MAX_SAID = 18;
const NEARLY_ALL = 0.9;
const SHORTEST = 6;

/** What cannot be undone by the next look: the world is another one. */
const CHANGES = new Set<Fingerprint['progress']>(['write', 'moved', 'falling', 'screen']);

const OPTIONS = {
  messages: option.integer(3, { from: 2 }, 'Similar messages, including the latest, that make a loop.'),
  window: option.integer(8, { from: 2 }, 'Recent messages of the speaker among which the similar ones must be.'),
  alike: option.share(
    0.35,
    'Share of words, except the most common, that similar messages have in common if something was tried between them.',
  ),
  alikeInTalk: option.share(0.6, 'The same, if nothing was tried between them.'),
  littleNew: option.share(0.5, 'Maximum average novelty of what was tried between them.'),
  words: option.integer(12, { from: 0 }, 'Words below which messages are similar only if nearly all their words are equal.'),
};
type Options = ValuesOf<typeof OPTIONS>;

export const repeatedMessage = defineDetector({
  name: 'repeated-message',
  status: 'stable',
  watches: ['text-added', ...ENDS_MESSAGE],
  rungs: { first: 'note', highest: 'hint' },
  options: OPTIONS,
  start: (): State => ({ said: [], tried: 0, brought: 0 }),

  step(state, seen, options) {
    const message = seen.text?.channel === 'answer' ? seen.text.message : null;
    const { speaker, step, result } = seen;
    let alike: Said[] = [];
    if (message && message.words >= SHORTEST) {
      const mine = state.said.filter((said) => said.speaker === speaker).slice(1 - options.window);
      alike = mine.filter((said) => isAlike(message, said, state, options));
      const { key, words, vocabulary } = message;
      push(
        state.said,
        { key, words, vocabulary, speaker, step, tried: state.tried, brought: Math.round(state.brought * 100) / 100 },
        MAX_SAID,
      );
    }
    // A call may end the message before it; what the call brought came after.
    if (result) {
      state.tried++;
      state.brought += CHANGES.has(seen.progress) ? 1 : result.known ? result.novelty : 0;
    }
    const [first] = alike;
    if (!message || !first || alike.length + 1 < options.messages) return null;
    const tried = state.tried - first.tried;
    return {
      variant: tried > 0 ? 'in-vain' : 'only-talk',
      count: alike.length + 1,
      since: first.step,
      keys: [...alike.map(({ key }) => `message:${key.toString(36)}`), `message:${message.key.toString(36)}`],
      strength: 0.6,
      facts: { tried },
    };
  },

  explain({ variant, count, facts }) {
    const between =
      variant === 'only-talk' ? 'with nothing tried in between' : `and the ${facts.tried} calls in between returned little new`;
    return `${count} messages say much the same, ${between}`;
  },

  moves: [
    'say in one sentence what you know by now, and what exactly is still missing',
    'try a source or a tool that you have not used yet',
    'if it cannot be found or done from here, report that and finish',
  ],
});

function isAlike(message: Paragraph, said: Said, { tried, brought }: State, options: Options): boolean {
  const share = overlap(message.vocabulary, said.vocabulary, VOCABULARY);
  const since = tried - said.tried;
  const needed = Math.min(message.words, said.words) < options.words ? NEARLY_ALL : since > 0 ? options.alike : options.alikeInTalk;
  return share >= needed && (since === 0 || (brought - said.brought) / since <= options.littleNew);
}
