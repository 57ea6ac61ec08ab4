import { callKey } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { act } from './peer.ts';

const LIMIT = 3;

/** goose as intended: denies a call after three equal ones. The shipped version never fires. */
export const goose = definePeer('goose (intended)', () => {
  let last = '';
  let equal = 0;
  return {
    call(call) {
      const key = callKey(call);
      equal = key === last ? equal + 1 : 1;
      last = key;
      return equal > LIMIT ? act('deny') : null;
    },
  };
});
