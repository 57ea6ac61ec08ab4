import { callKey } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { warn } from './peer.ts';
import { tail } from './tail.ts';

const LAPS = 3;

/**
 * forgecode: the last calls, any number of them, made three times over; a lap that has begun
 * counts. Reminds before every request and never blocks.
 */
export const forgecode = definePeer('forgecode', () => {
  const keys: string[] = [];
  return {
    call(call) {
      keys.push(callKey(call));
      for (let period = 1; (LAPS - 1) * period < keys.length; period++) {
        if (Math.ceil(tail(keys, period) / period) >= LAPS) return warn('reminder');
      }
    },
  };
});
