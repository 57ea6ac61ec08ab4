import * as option from '../../option-kinds.ts';
import { push } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface State {
  batch: string;
  /** Call keys of this batch, and those of them that occurred twice. */
  keys: string[];
  twice: string[];
  /** Keys that occurred twice in the previous batch. */
  before: string[];
  count: number;
  since: number;
}

export const duplicateBatch = defineDetector({
  name: 'duplicate-batch',
  status: 'stable',
  watches: ['call-finished'],
  alsoNeutral: ['batch'],
  rungs: { first: 'note', highest: 'stop' },
  options: {
    batches: option.integer(
      2,
      { from: 1 },
      'Responses in a row with the same call made several times in each.',
    ),
  },
  start: (): State => ({ batch: '', keys: [], twice: [], before: [], count: 0, since: 0 }),

  step(state, seen, { batches }) {
    const { call } = seen;
    if (!call) return null;
    if (state.batch !== seen.batch) {
      Object.assign(state, { batch: seen.batch, keys: [], before: state.twice, twice: [] });
    }
    const duplicate = state.keys.includes(call.key);
    push(state.keys, call.key, 24);
    if (!duplicate) return null;
    const first = !state.twice.includes(call.key);
    if (first) {
      const again = state.before.includes(call.key);
      if (state.twice.length === 0) {
        state.count = again ? state.count + 1 : 1;
        if (!again) state.since = seen.step;
      }
      push(state.twice, call.key, 12);
    }
    if (state.count < batches) return null;
    return {
      variant: 'same-call',
      count: state.count,
      since: state.since,
      keys: [call.key],
      ...(call.target === null ? {} : { target: call.target }),
      equal: seen.result?.known === true && seen.result.sameInARow > batches,
      strength: 0.8,
      facts: { call: call.label },
    };
  },

  explain({ count, facts }) {
    return `each of the last ${count} responses called \`${facts.call}\` more than once with the same arguments`;
  },

  moves: [
    'make each call once: all copies get the same result',
    'wait for the results before calling again',
  ],
});
