import * as option from '../../option-kinds.ts';
import { push } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface State {
  /** Iterations in a row that moved nothing, and the step of the first. */
  count: number;
  since: number;
  /** The distinct outputs of these iterations. */
  said: string[];
  /** The fewest failures that an output reported since the work last moved. */
  fewest?: number;
}

export const nothingChanged = defineDetector({
  name: 'nothing-changed',
  status: 'stable',
  watches: ['output-finished'],
  rungs: { first: 'note', highest: 'stop' },
  options: {
    threshold: option.integer(
      3,
      { from: 2 },
      'Iterations in a row that change nothing and say nothing new that make a loop.',
    ),
    talk: option.integer(
      5,
      { from: 2 },
      'Iterations in a row that change nothing that make a loop, whatever they say.',
    ),
  },
  start: (): State => ({ count: 0, since: 0, said: [] }),

  step(state, { output, step }, { threshold, talk }) {
    if (output?.moved === undefined) return null;
    const { failures } = output;
    // Fewer failures than ever are progress, also where the folder shows none of it.
    const isFewer = failures !== null && state.fewest !== undefined && failures < state.fewest;
    if (output.moved) delete state.fewest;
    if (failures !== null) state.fewest = Math.min(failures, state.fewest ?? failures);
    if (output.moved || isFewer) {
      Object.assign(state, { count: 0, said: [] });
      return null;
    }
    if (state.count++ === 0) state.since = step;
    if (output.signature !== '' && !state.said.includes(output.key))
      push(state.said, output.key, talk);
    const isTalk = state.said.length > 1;
    if (state.count < (isTalk ? talk : threshold)) return null;
    return {
      variant: isTalk ? 'talk' : 'silent',
      count: state.count,
      since: state.since,
      keys: ['nothing-changed'],
      strength: 0.8,
      facts: {},
    };
  },

  explain: ({ count }) =>
    `${count} iterations in a row changed nothing: no new content in any file, no better result of a check`,

  moves: [
    'if the work is done, waits for somebody or cannot be done, say so and finish',
    'otherwise make the next change that the task needs, and check it',
    'if your changes have no effect, check that you may write and that you work in the right folder',
  ],
});
