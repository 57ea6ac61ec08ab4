import { createHash } from 'node:crypto';
import type { Peer } from './peer.ts';

const REPEATS = 5;
const LONGEST = 5;

/** gemini-cli's tier for tool calls: the last k calls made five times over, k from 1 to 5; arguments in their given order, results unseen. */
export const geminiCli: Peer = {
  name: 'gemini-cli (tool calls)',
  start() {
    const keys: string[] = [];
    return ({ tool, args }) => {
      keys.push(
        createHash('sha256')
          .update(`${tool}:${JSON.stringify(args)}`)
          .digest('hex'),
      );
      if (keys.length > REPEATS * LONGEST) keys.shift();
      for (let k = 1; k <= LONGEST && keys.length >= REPEATS * k; k++) {
        const tail = keys.slice(-REPEATS * k);
        if (tail.every((key, i) => key === tail[i % k])) return 'loop';
      }
      return null;
    };
  },
};
