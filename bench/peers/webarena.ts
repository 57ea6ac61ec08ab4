import { callKey } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { act } from './peer.ts';
import { tail } from './tail.ts';
import { isTyping } from './tool-kinds.ts';

const TIMES = 3;

/**
 * WebArena's early stop: three equal actions in a row, one typing action three times in the run, or
 * three actions that could not be read.
 */
export const webArena = definePeer('WebArena early stop', () => {
  const actions: string[] = [];
  let unreadable = 0;
  return {
    call(call) {
      const key = callKey(call);
      actions.push(key);
      const times = isTyping(call.tool)
        ? actions.filter((action) => action === key).length
        : tail(actions, 1);
      return times >= TIMES ? act('early stop') : null;
    },
    result({ refusedBy }) {
      unreadable = refusedBy === 'schema' ? unreadable + 1 : 0;
      return unreadable >= TIMES ? act('early stop') : null;
    },
  };
});
