import { classOf, type SignatureClass, signatureInWords } from '../../fingerprint/signature.ts';
import * as option from '../../option-kinds.ts';
import { push } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface State {
  /** The last signatures, newest last. */
  recent: string[];
  /** How many of them in a row equal the newest, and the step of the first. */
  count: number;
  since: number;
  failures: number | null;
}

/** The same error or the same failing test is stronger evidence than similar words. */
const STRENGTH: Record<SignatureClass, number> = {
  error: 0.85,
  tests: 0.85,
  files: 0.8,
  search: 0.75,
  text: 0.75,
};
const WORDS: Record<SignatureClass, string> = {
  error: 'ended in the same error',
  tests: 'ended with the same failing tests',
  files: 'reported the same change',
  search: 'reported the same search',
  text: 'said the same, numbers aside',
};
const FAILING = [
  'read the lines that the failure names, and print the actual value there',
  'check that what you changed is what runs',
];
const MOVES: Record<SignatureClass, readonly string[]> = {
  error: FAILING,
  tests: FAILING,
  files: [
    'check that the change is there and is used',
    'take the next part of the work, or say that it is done',
  ],
  search: ['work with what the search found', 'search for something else, or in another place'],
  text: [
    'do one thing that can be checked, however small',
    'say what you wait for, and who can provide it',
  ],
};

export const outputSignature = defineDetector({
  name: 'output-signature',
  status: 'stable',
  watches: ['output-finished'],
  rungs: { first: 'note', highest: 'stop' },
  options: {
    threshold: option.integer(
      3,
      { from: 2 },
      'Iterations in a row with the same signature that make a loop.',
    ),
    window: option.integer(5, { from: 1, to: 20 }, 'Signatures kept as evidence.'),
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
    const gist = signatureInWords(String(facts.signature));
    const named = variant === 'text' ? `"${gist} …"` : gist;
    return `${count} iterations in a row ${WORDS[variant as SignatureClass]}${gist === '' ? '' : `: ${named}`}`;
  },

  moves: ({ variant }) => [
    ...MOVES[variant as SignatureClass],
    'if something is missing that you cannot provide, report it and stop',
  ],
});
