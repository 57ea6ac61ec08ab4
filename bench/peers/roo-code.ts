import { callKey } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { act } from './peer.ts';

const LIMIT = 3;

/**
 * Roo Code: refuses the fourth equal call in a row and asks the user, then counts again from zero.
 */
export const rooCode = definePeer('Roo Code', () => {
  let last: string | null = null;
  let repeats = 0;
  return {
    call(call) {
      const key = callKey(call);
      repeats = key === last ? repeats + 1 : 0;
      last = key;
      if (repeats < LIMIT) return;
      repeats = 0;
      last = null;
      return act('refuse');
    },
  };
});
