import * as option from '../../option-kinds.ts';
import { defineDetector } from '../detector.ts';

interface State {
  key: string;
  /** Idle ticks in a row that came too soon, and the step of the first. */
  count: number;
  since: number;
}

const COMPACTED = 'compacted';

export const idleSpin = defineDetector({
  name: 'idle-spin',
  status: 'stable',
  watches: [
    'idle',
    'context-compacted',
    'task-attempted',
    'call-finished',
    'action-finished',
    'output-finished',
  ],
  // Reading again after a compaction is not nothing; amnesia looks at it.
  alsoNeutral: ['reread'],
  rungs: { first: 'note', highest: 'stop' },
  options: {
    threshold: option.integer(
      3,
      { from: 2 },
      'Ticks in a row that find nothing to do for the same reason.',
    ),
    backOffSeconds: option.number(
      25,
      { from: 0 },
      'Seconds between two ticks from which the gap counts as waiting.',
    ),
  },
  start: (): State => ({ key: '', count: 0, since: 0 }),

  step(state, { type, idle, silence, step }, { threshold, backOffSeconds }) {
    const compacted = type === 'context-compacted';
    if (!idle && !compacted) {
      state.count = 0;
      return null;
    }
    const key = idle?.key ?? COMPACTED;
    const isSame =
      state.count > 0 && key === state.key && (compacted || silence < backOffSeconds * 1000);
    if (!isSame) Object.assign(state, { key, count: 0, since: step });
    state.count++;
    if (state.count < threshold) return null;
    return {
      variant: compacted ? COMPACTED : idle!.isEmpty ? 'empty-roadmap' : 'no-back-off',
      count: state.count,
      since: state.since,
      keys: [key],
      equal: true,
      strength: 0.9,
      facts: { reason: idle?.label ?? '' },
    };
  },

  explain: ({ count, variant, facts }) =>
    variant === COMPACTED
      ? `the history was compacted ${count} times in a row, with nothing done in between`
      : `work was looked for ${count} times in a row, without waiting, and none was found (${String(facts.reason).replace(/\.$/, '')})`,

  moves: ({ variant }) =>
    variant === COMPACTED
      ? [
          'do the next concrete step now, and a small one',
          'if the history is too long for the task, report that and finish',
        ]
      : [
          'if nothing is left to do, end the run and say so',
          'otherwise wait before looking again, twice as long each time, or until there is new work',
        ],
});
