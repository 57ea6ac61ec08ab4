import * as option from '../../option-kinds.ts';
import { push } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface State {
  /** Novelty of each of the last steps, in hundredths. */
  window: number[];
  keys: string[];
  since: number;
}

/** Progress after which the count starts again. */
const ENDS: ReadonlySet<string> = new Set(['write', 'falling', 'first-look']);

export const noNewInformation = defineDetector({
  name: 'no-new-information',
  status: 'trial',
  watches: ['call-finished', 'action-finished'],
  rungs: { first: 'note', highest: 'note' },
  yields: true,
  options: {
    window: option.integer(16, { from: 2 }, 'Recent calls that are considered together.'),
    floor: option.number(
      0.8,
      { from: 0 },
      'New content of these calls together, counted in results, below which they are a loop.',
    ),
  },
  start: (): State => ({ window: [], keys: [], since: 0 }),

  step(state, seen, { window, floor }) {
    const { call, result } = seen;
    // An acknowledgement does not tell whether the action brought anything.
    if (!call || !result?.known || result.acknowledgement) return null;
    // That an item of a list is clean, or not there, is the answer.
    if (seen.nextItem && (result.empty || result.state)) return null;
    if (ENDS.has(seen.progress ?? '')) {
      Object.assign(state, { window: [], keys: [], since: seen.step + 1 });
      return null;
    }
    const isFirst = !state.keys.includes(call.key);
    if (isFirst) push(state.keys, call.key, 8);
    // A check that is made for the first time and says nothing is passed.
    if (isFirst && result.size === 0 && result.error === null) return null;
    push(state.window, Math.round(result.novelty * 100), window);
    if (state.window.length < window) return null;
    const total = state.window.reduce((sum, each) => sum + each, 0) / 100;
    if (total >= floor) return null;
    return {
      variant: 'window',
      count: window,
      since: seen.step - window + 1,
      keys: state.keys.slice(-4),
      strength: 0.4,
      facts: { novelty: total },
    };
  },

  explain({ count }) {
    return `the last ${count} calls together returned almost nothing new`;
  },

  moves: [
    'say what you know by now, and what exactly is still missing',
    'look somewhere that you have not looked yet',
  ],
});
