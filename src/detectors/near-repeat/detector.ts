import { jaccard } from '../../fingerprint/words.ts';
import { type Recent, recall, remember } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface Try {
  key: string;
  shape: string;
  words: number[];
  step: number;
}

interface Options {
  threshold: number;
  alike: number;
  alikeInFiles: number;
  fruitlessAfter: number;
  littleNew: number;
  shortest: number;
  shortestFruitless: number;
}

const MOST_GROUPS = 8;
const MOST_TRIES = 6;
const MOST_WORDS = 16;
const ASKS = new Set(['read', 'navigate', 'unknown']);
/** Looking through files shows the same lines again and is work: only close variants count there. */
const SEARCHES_FILES = /grep|glob|files?\b|^ls$|^find$|_dir(?:ectory)?$/i;

export const nearRepeat = defineDetector<{ groups: Recent<Try[]> }, Options>({
  name: 'near-repeat',
  status: 'stable',
  watches: ['call-finished'],
  rungs: { first: 'note', highest: 'stop' },
  options: { threshold: 4, alike: 0.2, alikeInFiles: 0.6, fruitlessAfter: 5, littleNew: 0.2, shortest: 20, shortestFruitless: 80 },
  start: () => ({ groups: [] }),

  step({ groups }, seen, { threshold, alike, alikeInFiles, fruitlessAfter, littleNew, shortest, shortestFruitless }) {
    const { call, result } = seen;
    if (seen.progress === 'write') groups.length = 0;
    if (!call || !result?.known || result.error || !ASKS.has(call.verb)) return null;
    // Other lines of a file that is known are no other question.
    if (call.verb === 'read' && call.target?.startsWith('file:')) return null;
    // A word or two is a confirmation, and those are alike; an empty answer is no near miss.
    if (result.acknowledgement || result.empty || result.size < shortest) return null;
    const group = `${call.tool} ${call.target ?? ''}`;
    const words = call.words.slice(0, MOST_WORDS);
    const now: Try = { key: call.key, shape: call.shape, words, step: seen.step };
    const tries = recall(groups, group);
    if (!tries || result.novelty >= littleNew || seen.progress) {
      remember(groups, group, [now], MOST_GROUPS);
      return null;
    }
    const inFiles = call.shell || SEARCHES_FILES.test(call.tool);
    const similar = tries.filter((each) => each.shape === call.shape || jaccard(each.words, words) >= (inFiles ? alikeInFiles : alike));
    remember(groups, group, [...tries, now].slice(-MOST_TRIES), MOST_GROUPS);
    const enough = similar.length + 1 >= threshold;
    // However they are worded: so many questions to one source without anything new.
    const fruitless =
      call.verb === 'read' && !inFiles && call.target === null && result.size >= shortestFruitless && tries.length + 1 >= fruitlessAfter;
    const kept = enough ? similar : tries;
    const keys = [...new Set([...kept.map((each) => each.key), call.key])];
    if ((!enough && !fruitless) || keys.length < 2) return null;
    const count = kept.length + 1;
    const variant = !enough ? 'fruitless' : kept.every((each) => each.shape === call.shape) ? 'drift' : 'reworded';
    // The very same call again does not drift, and does not ask anything else.
    if (variant !== 'reworded' && result.run > 1) return null;
    return {
      variant,
      count,
      since: kept[0]?.step ?? seen.step,
      keys,
      ...(call.target === null ? {} : { target: call.target }),
      // Only what is asked for can be asked for in vain; what is done may have been done.
      ...(call.verb === 'read' ? {} : { cap: 'note' as const }),
      strength: 0.6 + 0.3 * (1 - result.novelty),
      facts: { tool: call.tool, first: kept[0]?.step ?? seen.step },
    };
  },

  explain({ count, variant, facts }) {
    if (variant === 'fruitless') return `${count} questions to \`${facts.tool}\` since step ${facts.first} brought next to nothing new`;
    const what = variant === 'drift' ? 'a number' : 'the wording';
    return `${count} calls of \`${facts.tool}\` since step ${facts.first} brought next to nothing new: only ${what} changed between them`;
  },

  moves: [
    'work with what the answers already hold: open one of them, or decide',
    'ask a different question, or a different source',
    'say what was looked for, where, and that it was not found',
  ],
});
