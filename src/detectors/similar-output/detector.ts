import { movedOn } from '../../fingerprint/counts.ts';
import type { OutputPrint } from '../../fingerprint/output.ts';
import { similarity } from '../../fingerprint/similarity.ts';
import { option } from '../../option.ts';
import { push } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface Kept {
  text: string;
  failures: number | null;
  /** Names the streak that begins with this output. */
  key: string;
  step: number;
}

interface State {
  outputs: Kept[];
  /** The repetition that is going on. */
  streak: { key: string; since: number; count: number } | null;
}

/** More texts than this would make the state too large. */
const MAX = 5;

export const similarOutput = defineDetector({
  name: 'similar-output',
  status: 'stable',
  watches: ['output-finished'],
  rungs: { first: 'note', highest: 'stop' },
  options: {
    similarity: option.share(0.9, 'Share of the text that similar outputs have in common.'),
    matches: option.integer(2, { from: 1 }, 'Earlier outputs similar to the latest that make a loop.'),
    window: option.integer(5, { from: 1, to: 5 }, 'Recent outputs among which they must be.'),
  },
  start: (): State => ({ outputs: [], streak: null }),

  step(state, seen, options) {
    const { output } = seen;
    if (!output || output.text === '') return null;
    const alike = state.outputs
      .filter((kept) => !isOther(kept, output))
      .map((kept) => ({ kept, share: similarity(kept.text, output.text, options.similarity) }))
      .filter(({ share }) => share >= options.similarity);
    const last = alike.at(-1)?.kept;
    const better = last !== undefined && isBetter(last, output);
    if (better) state.outputs = [];
    push(state.outputs, { text: output.text, failures: output.failures, key: output.key, step: seen.step }, Math.min(options.window, MAX));
    if (better || alike.length < options.matches) {
      state.streak = null;
      return null;
    }
    const first = alike[0]!.kept;
    const streak = state.streak ?? { key: first.key, since: first.step, count: alike.length };
    streak.count++;
    state.streak = streak;
    const least = Math.min(...alike.map(({ share }) => share));
    return {
      variant: 'similar',
      count: streak.count,
      since: streak.since,
      keys: [streak.key],
      strength: Math.round(least * 85) / 100,
      facts: { percent: Math.floor(least * 100), matches: alike.length, first: streak.since },
    };
  },

  explain({ count, facts }) {
    return `${count} iterations printed nearly the same (${facts.percent} % alike or more)`;
  },

  moves: [
    'say what the last attempts had in common, and try something different',
    'look at the current state instead of reporting it again',
    'if the work is done, or cannot be done, say so and stop',
  ],
});

/** The same sentence about another file or another search is another piece of work. */
const isOther = (before: Kept, now: OutputPrint): boolean => before.key !== now.key && /^(?:file|search):/.test(now.signature);

/** Fewer failures, less left, more done: the texts may be alike, but the work goes on. */
const isBetter = (before: Kept, now: OutputPrint): boolean =>
  (before.failures !== null && now.failures !== null && now.failures < before.failures) || movedOn(before.text, now.text);
