import { callKey } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { act } from './peer.ts';

const STEPS = 49;

/**
 * Reflexion's trials in ALFWorld: an action equal to the one before, or the 49th step, ends the
 * trial.
 */
export const reflexion = definePeer('Reflexion', () => {
  let last = '';
  let steps = 0;
  return {
    call(call) {
      const key = callKey(call);
      const again = key === last;
      last = key;
      steps++;
      return again || steps === STEPS ? act('end') : null;
    },
  };
});
