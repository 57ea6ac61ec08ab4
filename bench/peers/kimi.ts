import { callKey } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { act, type Ladder, reached, warn } from './peer.ts';

const LADDER: Ladder = [
  [3, warn('reminder')],
  [5, warn('stronger reminder')],
  [8, warn('final answer')],
  [12, act('end')],
];

/**
 * Kimi, per turn: equal calls in consecutive steps. Reminders from 3, 5 and 8 on, the end of the
 * turn at 12.
 */
export const kimi = definePeer('Kimi', () => {
  let last = { key: '', round: '' };
  let steps = 0;
  return {
    call(call) {
      const key = callKey(call);
      // Equal calls within one step share one execution.
      if (key === last.key && call.round === last.round) return;
      steps = key === last.key ? steps + 1 : 1;
      last = { key, round: call.round };
      return reached(LADDER, steps);
    },
    user() {
      last = { key: '', round: '' };
      steps = 0;
    },
  };
});
