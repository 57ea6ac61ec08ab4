import { callKey, digest } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { act, type Ladder, reached, warn } from './peer.ts';
import { tail } from './tail.ts';

const LADDER: Ladder = [
  [2, warn('observe')],
  [3, act('block')],
  [6, act('stop')],
];
const TOKENS = 400;
const BLOCK = { longest: 16, times: 4, tokens: 12 };

/** The requests to one tool in its last round, and the number of equal rounds. */
interface Asked {
  round: string;
  calls: Map<string, number>;
  before: { calls: Map<string, number>; streak: number };
}

/**
 * The OpenRouter agent SDK: a tool asked the same in consecutive rounds of its own, whatever the
 * others do, and text that repeats. Observes at 2, blocks at 3, stops at 6.
 */
export const openRouter = definePeer('OpenRouter', () => {
  const tools = new Map<string, Asked>();
  let tokens: string[] = [];
  let said = '';
  let alike = 0;
  return {
    call(call) {
      tokens = [];
      const key = digest(callKey(call));
      let asked = tools.get(call.tool);
      if (asked?.round !== call.round) {
        const before = asked
          ? { calls: asked.calls, streak: streakOf(asked) }
          : { calls: new Map<string, number>(), streak: 0 };
        asked = { round: call.round, calls: new Map(), before };
        tools.set(call.tool, asked);
      }
      asked.calls.set(key, (asked.before.calls.get(key) ?? 0) + 1);
      return reached(LADDER, Math.max(asked.calls.get(key)!, streakOf(asked)));
    },
    text({ text, thinking, done }) {
      if (thinking) return;
      tokens = [...tokens, ...text.split(/\s+/).filter((token) => token !== '')].slice(-TOKENS);
      if (done) {
        alike = text === said ? alike + 1 : 1;
        said = text;
      }
      return repeatsItself(tokens) || alike >= 2 ? warn('observe') : null;
    },
  };
});

/** Rounds in which the tool was asked exactly this. */
function streakOf({ calls, before }: Asked): number {
  const same =
    calls.size === before.calls.size && [...calls.keys()].every((key) => before.calls.has(key));
  return same ? before.streak + 1 : 1;
}

function repeatsItself(tokens: readonly string[]): boolean {
  for (let length = 1; length <= BLOCK.longest; length++) {
    const covered = tail(tokens, length);
    if (covered >= BLOCK.tokens && covered >= BLOCK.times * length) return true;
  }
  return false;
}
