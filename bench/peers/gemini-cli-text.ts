import { createChanting, deltasOf } from './chanting.ts';
import { definePeer } from './define-peer.ts';
import { act, warn } from './peer.ts';

/**
 * gemini-cli's tier for streamed text: a window of 50 characters ten times, on average 250 apart.
 * First a nudge, then a halt. Its mistakes are kept: `-` begins no list item, and digits and
 * capitals alone are a divider.
 */
export const geminiCliText = definePeer('gemini-cli (text)', () => {
  const chanting = createChanting({
    buffer: 5000,
    gap: 250,
    variants: 5,
    structure: /^\s*(?:[*+]\s|\d+\.\s|#{1,6}\s|>|\|.*\|)/m,
    divider: /^[+-_=*\u2500-\u257f]+$/,
  });
  let strikes = 0;
  return {
    text(message) {
      if (message.thinking || !deltasOf(message).map(chanting.add).includes(true)) return;
      return strikes++ === 0 ? warn('nudge') : act('halt');
    },
    call() {
      chanting.clear();
    },
    user() {
      chanting.clear();
      strikes = 0;
    },
  };
});
