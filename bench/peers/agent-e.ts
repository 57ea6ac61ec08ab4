import { callKey } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { act } from './peer.ts';

const CALLS = 3;

/**
 * Agent-E: the last six messages are three equal calls and their equal responses. Hands back to the
 * planner.
 */
export const agentE = definePeer('Agent-E', () => {
  let last = '';
  let equal = 0;
  const other = (): undefined => {
    equal = 0;
  };
  return {
    result({ result, ...call }) {
      const pair = JSON.stringify([callKey(call), result]);
      equal = pair === last ? equal + 1 : 1;
      last = pair;
      return equal >= CALLS ? act('hand back') : null;
    },
    textAlone: other,
    user: other,
  };
});
