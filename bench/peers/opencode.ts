import { rawCallKey } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { act } from './peer.ts';

const EQUAL = 3;

/**
 * opencode: the same call three times within one response, nothing said in between. Asks for the
 * permission `doom_loop`.
 */
export const opencode = definePeer('opencode', () => {
  let run = { key: '', round: '', length: 0 };
  return {
    call(call) {
      const key = rawCallKey(call);
      const goesOn = key === run.key && call.round === run.round;
      run = { key, round: call.round, length: goesOn ? run.length + 1 : 1 };
      return run.length >= EQUAL ? act('ask') : null;
    },
    text() {
      run.length = 0;
    },
  };
});
