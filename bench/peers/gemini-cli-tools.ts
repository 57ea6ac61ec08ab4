import { digest, rawCallKey } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { act, warn } from './peer.ts';
import { tail } from './tail.ts';

const LAPS = 5;
const MAX_LENGTH = 5;

/**
 * gemini-cli's tier for calls: the last one to five calls made five times over, results unseen.
 * First a nudge, then, in the same prompt, a halt.
 */
export const geminiCliTools = definePeer('gemini-cli (tools)', () => {
  let keys: string[] = [];
  let strikes = 0;
  return {
    call(call) {
      keys.push(digest(rawCallKey(call)));
      if (keys.length > LAPS * MAX_LENGTH) keys.shift();
      for (let period = 1; period <= MAX_LENGTH; period++) {
        if (tail(keys, period) >= LAPS * period)
          return strikes++ === 0 ? warn('nudge') : act('halt');
      }
    },
    user() {
      keys = [];
      strikes = 0;
    },
  };
});
