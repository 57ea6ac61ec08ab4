import { movedOn } from '../../fingerprint/counts.ts';
import type { OutputPrint } from '../../fingerprint/output.ts';
import { similarity } from '../../fingerprint/similarity.ts';
import * as option from '../../option-kinds.ts';
import { push } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface Kept {
  text: string;
  failures: number | null;
  /** Identifies the streak that begins with this output. */
  key: string;
  step: number;
}

interface State {
  outputs: Kept[];
  /** The current repetition. */
  streak: { key: string; since: number; count: number } | null;
}

/** The state holds this many texts of up to 2.4 KB. */
const MAX = 20;

export const similarOutput = defineDetector({
  name: 'similar-output',
  status: 'stable',
  watches: ['output-finished'],
  rungs: { first: 'note', highest: 'stop' },
  options: {
    similarity: option.share(0.9, 'Share of the text that similar outputs have in common.'),
    matches: option.integer(
      2,
      { from: 1 },
      'Earlier outputs similar to the latest that make a loop.',
    ),
    window: option.integer(5, { from: 1, to: MAX }, 'Recent outputs among which they must be.'),
  },
  start: (): State => ({ outputs: [], streak: null }),

  step(state, seen, options) {
    const { output } = seen;
    if (!output || output.text === '') return null;
    const { outputs } = state;
    // An iteration that made progress does not begin a repetition, whatever it printed.
    if (seen.progress) {
      Object.assign(state, { outputs: [], streak: null });
      return null;
    }
    const alike = outputs.flatMap((kept, i) => {
      const share = isOther(kept, output)
        ? 0
        : likeness(kept.text, output.text, options.similarity);
      return share >= options.similarity ? [{ kept, share, back: outputs.length - i }] : [];
    });
    const better = alike.length > 0 && isBetter(alike.at(-1)!.kept, output);
    if (better) outputs.length = 0;
    push(
      outputs,
      { text: output.text, failures: output.failures, key: output.key, step: seen.step },
      options.window,
    );
    // The similar outputs must be evenly spaced: each iteration, or every other one. Otherwise the
    // last one is just a retry.
    const round = alike.slice(-options.matches);
    const every = round.at(-1)?.back ?? 1;
    if (
      better ||
      round.length < options.matches ||
      round.some(({ back }, i) => back !== every * (round.length - i))
    ) {
      state.streak = null;
      return null;
    }
    const first = round[0]!.kept;
    const streak = state.streak ?? { key: first.key, since: first.step, count: round.length };
    streak.count++;
    state.streak = streak;
    const least = Math.min(...round.map(({ share }) => share));
    return {
      variant: 'similar',
      count: streak.count,
      since: streak.since,
      keys: [streak.key],
      strength: Math.round(least * 85) / 100,
      facts: {
        percent: Math.floor(least * 100),
        matches: alike.length,
        first: streak.since,
        every,
      },
    };
  },

  explain({ count, facts }) {
    const what = 'printed nearly the same';
    return facts.every === 1
      ? `${count} iterations ${what}`
      : `the iterations alternate: ${count} of them, with ${facts.every === 2 ? 'another' : `${Number(facts.every) - 1} others`} between, ${what}`;
  },

  moves: [
    'say what the last attempts had in common, and try something different',
    'look at the current state instead of reporting it again',
    'if the work is done, or cannot be done, say so and stop',
  ],
});

/**
 * How similar two outputs are apart from the lines they share, so that a fixed template around
 * different content does not count.
 */
function likeness(before: string, now: string, atLeast: number): number {
  const lines = before.split('\n');
  const own = now.split('\n');
  const rest = (from: readonly string[], shared: readonly string[]): string =>
    from.filter((line) => !shared.includes(line)).join('\n');
  const [one, other] = [rest(lines, own), rest(own, lines)];
  return one.trim() === '' || other.trim() === ''
    ? similarity(before, now, atLeast)
    : similarity(one, other, atLeast);
}

/** The same sentence about another file or another search is different work. */
const isOther = (before: Kept, now: OutputPrint): boolean =>
  before.key !== now.key && /^(?:file|search):/.test(now.signature);

/** Fewer failures, less left, or more done: the texts may be similar, but the work moves on. */
const isBetter = (before: Kept, now: OutputPrint): boolean =>
  (before.failures !== null && now.failures !== null && now.failures < before.failures) ||
  movedOn(before.text, now.text);
