import { classOf, type SignatureClass } from '../../fingerprint/signature.ts';
import { option } from '../../option.ts';
import { push } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface State {
  /** The last signatures, the newest last. */
  recent: string[];
  /** How many of them in a row are the newest, and since which step. */
  count: number;
  since: number;
  failures: number | null;
}

/** An error or a test that fails alike says more than alike words. */
const STRENGTH: Record<SignatureClass, number> = { error: 0.85, tests: 0.85, files: 0.8, search: 0.75, text: 0.75 };
const WORDS: Record<SignatureClass, string> = {
  error: 'ended in the same error',
  tests: 'ended with the same failing tests',
  files: 'reported the same change',
  search: 'reported the same search',
  text: 'said the same, numbers aside',
};

export const outputSignature = defineDetector({
  name: 'output-signature',
  status: 'stable',
  watches: ['output-finished'],
  rungs: { first: 'note', highest: 'stop' },
  options: {
    threshold: option.integer(3, { from: 2 }, 'Iterations in a row with the same signature that make a loop.'),
    window: option.integer(5, { from: 1 }, 'Signatures kept as evidence.'),
  },
  start: (): State => ({ recent: [], count: 0, since: 0, failures: null }),

  step(state, seen, { threshold, window }) {
    if (!seen.output || seen.output.signature === '') return null;
    const { signature, failures } = seen.output;
    const fewer = failures !== null && state.failures !== null && failures < state.failures;
    if (seen.progress) state.count = 0;
    else if (state.count > 0 && state.recent.at(-1) === signature && !fewer) state.count++;
    else Object.assign(state, { count: 1, since: seen.step });
    state.failures = failures;
    push(state.recent, signature, window);
    if (state.count < threshold) return null;
    const variant = classOf(signature);
    return {
      variant,
      count: state.count,
      since: state.since,
      keys: [seen.output.key],
      equal: true,
      strength: STRENGTH[variant],
      facts: { signature, first: state.since, history: [...state.recent] },
    };
  },

  explain({ count, variant, facts }) {
    const signature = String(facts.signature);
    // The end of a text's only tells it from others.
    const shown = variant === 'text' ? signature.replace(/~\w+$/, '') : signature;
    return `${count} iterations in a row ${WORDS[variant as SignatureClass]}: \`${shown}\``;
  },

  moves: [
    'say what the last attempts had in common, and try something different',
    'find out why the result did not change: read the failing lines, print the actual value, check that the change is used',
    'if something is missing that you cannot provide, report it and stop',
  ],
});
