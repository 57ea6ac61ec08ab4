import { callKey } from './call-key.ts';
import { definePeer } from './define-peer.ts';
import { indelRatio } from './indel-ratio.ts';
import { jaccard } from './jaccard.ts';
import { act, type Ladder, reached, warn } from './peer.ts';
import { tail } from './tail.ts';

const WINDOW = 10;
const ALIKE = 0.85;
const CYCLE = { shortest: 2, longest: 5, laps: 2 };
const CONFIDENT = 0.3;
const LADDER: Ladder = [
  [2, warn('warn')],
  [4, act('stop')],
  [6, act('escalate')],
];

/**
 * agent-loop-guard: how many of the last ten calls are equal or alike, or have alike outputs, and
 * whether tool names cycle. Confident on consecutive calls, it warns at 2, stops at 4, escalates at
 * 6.
 */
export const agentLoopGuard = definePeer('agent-loop-guard', () => {
  let calls: { tool: string; key: string; output: string }[] = [];
  let confident = 0;
  return {
    result({ result, ...call }) {
      const newest = { tool: call.tool, key: callKey(call), output: result };
      calls = [...calls, newest].slice(-WINDOW);
      const share = (holds: (other: typeof newest) => boolean): number =>
        calls.filter(holds).length / WINDOW;
      const isConfident =
        cyclesByName(calls.map(({ tool }) => tool)) ||
        share(({ tool, key }) => tool === newest.tool && alike(key, newest.key)) > CONFIDENT ||
        (result !== '' && share(({ output }) => alike(output, result)) > CONFIDENT);
      confident = isConfident ? confident + 1 : 0;
      return reached(LADDER, confident);
    },
  };
});

/** Two to five tools in turn, twice; one tool alone is no cycle. */
function cyclesByName(names: readonly string[]): boolean {
  for (let period = CYCLE.shortest; period <= CYCLE.longest; period++) {
    if (tail(names, period) >= CYCLE.laps * period && new Set(names.slice(-period)).size > 1)
      return true;
  }
  return false;
}

/** Half by their words, half by the edits between them. */
function alike(a: string, b: string): boolean {
  if (a === b) return true;
  const words = jaccard(wordsOf(a), wordsOf(b));
  return (words + 1) / 2 >= ALIKE && (words + indelRatio(a, b)) / 2 >= ALIKE;
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/\w+/g) ?? []);
