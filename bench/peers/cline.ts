import { callKey } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { act, warn } from './peer.ts';

const SOFT = 3;
const HARD = 5;
const MISTAKES = 6;

/**
 * Cline's SDK, per run: a notice at the third equal call in a row, a stop at the fifth, and after
 * six turns in which every call failed.
 */
export const cline = definePeer('Cline', () => {
  let last = '';
  let equal = 0;
  /** Turns in a row in which every call failed, but for the present one. */
  let mistakes = 0;
  let turn = { round: '', failed: false };
  return {
    call(call) {
      const key = callKey(call);
      equal = key === last ? equal + 1 : 1;
      last = key;
      if (equal >= HARD) return act('stop');
      if (equal === SOFT) return warn('notice');
    },
    result({ round, failed }) {
      if (round === turn.round) turn.failed &&= failed;
      else {
        mistakes = turn.failed ? mistakes + 1 : 0;
        turn = { round, failed };
      }
      if (turn.failed && mistakes + 1 >= MISTAKES) return act('stop');
    },
    user() {
      last = '';
      equal = mistakes = 0;
      turn = { round: '', failed: false };
    },
  };
});
