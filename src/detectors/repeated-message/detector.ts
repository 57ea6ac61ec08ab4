import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { overlap } from '../../fingerprint/sketch.ts';
import { ENDS_MESSAGE, type Paragraph } from '../../fingerprint/text.ts';
import { push } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

export interface Options {
  /** How many alike messages make a signal, the latest included. */
  messages: number;
  /** Among how many of the speaker's last messages the others must be. */
  window: number;
  /** Share of the words, the commonest aside, that alike messages have in common when something was tried between them. */
  alike: number;
  /** The same when nothing was tried between them. */
  alikeInTalk: number;
  /** How new what was tried may have been on average, from 0 to 1. */
  littleNew: number;
  /** Shorter messages are alike only when nearly all their words are. */
  words: number;
}

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
const MOST_SAID = 18;
const NEARLY_ALL = 0.9;
const SHORTEST = 6;

/** What cannot be undone by the next look: the world is another one. */
const CHANGES = new Set<Fingerprint['progress']>(['write', 'moved', 'falling', 'screen']);

export const repeatedMessage = defineDetector<State, Options>({
  name: 'repeated-message',
  status: 'stable',
  watches: ['text-added', ...ENDS_MESSAGE],
  rungs: { first: 'note', highest: 'hint' },
  options: { messages: 3, window: 8, alike: 0.35, alikeInTalk: 0.6, littleNew: 0.5, words: 12 },
  start: () => ({ said: [], tried: 0, brought: 0 }),

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
        MOST_SAID,
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
      variant === 'only-talk' ? 'with nothing tried in between' : `and the ${facts.tried} calls in between brought little new`;
    return `${count} messages say much the same, ${between}`;
  },

  moves: [
    'say in one sentence what is known by now, and what exactly is still missing',
    'try a source or a tool that was not used yet, or change the goal of the next call rather than its wording',
    'if it cannot be found or done from here, say so and end',
  ],
});

function isAlike(message: Paragraph, said: Said, { tried, brought }: State, options: Options): boolean {
  const share = overlap(message.vocabulary, said.vocabulary, VOCABULARY);
  const since = tried - said.tried;
  const needed = Math.min(message.words, said.words) < options.words ? NEARLY_ALL : since > 0 ? options.alike : options.alikeInTalk;
  return share >= needed && (since === 0 || (brought - said.brought) / since <= options.littleNew);
}
