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
  littleNew: number;
}

const MOST_GROUPS = 8;
const MOST_TRIES = 6;
const MOST_WORDS = 16;
const ASKS = new Set(['read', 'navigate', 'unknown']);

export const nearRepeat = defineDetector<{ groups: Recent<Try[]> }, Options>({
  name: 'near-repeat',
  status: 'stable',
  watches: ['call-finished'],
  rungs: { first: 'note', highest: 'stop' },
  options: { threshold: 4, alike: 0.2, alikeInFiles: 0.6, littleNew: 0.2 },
  start: () => ({ groups: [] }),

  step({ groups }, seen, { threshold, alike, alikeInFiles, littleNew }) {
    const { call, result } = seen;
    if (!call || !result?.known || result.error || !ASKS.has(call.verb)) return null;
    const group = `${call.tool} ${call.target ?? ''}`;
    const words = call.words.slice(0, MOST_WORDS);
    const now: Try = { key: call.key, shape: call.shape, words, step: seen.step };
    const tries = recall(groups, group);
    if (!tries || result.novelty >= littleNew || seen.progress) {
      remember(groups, group, [now], MOST_GROUPS);
      return null;
    }
    // Looking through files one word after another shows the same lines again and is work; only close variants count there.
    const enough = call.wide ? alikeInFiles : alike;
    const similar = tries.filter((each) => each.shape === call.shape || jaccard(each.words, words) >= enough);
    const kept = similar.slice(-MOST_TRIES);
    remember(groups, group, [...kept, now], MOST_GROUPS);
    const count = similar.length + 1;
    const keys = [...new Set([...kept.map((each) => each.key), call.key])];
    if (count < threshold || keys.length < 2) return null;
    return {
      variant: kept.every((each) => each.shape === call.shape) ? 'drift' : 'reworded',
      count,
      since: kept[0]?.step ?? seen.step,
      keys,
      ...(call.target === null ? {} : { target: call.target }),
      strength: 0.6 + 0.3 * (1 - result.novelty),
      facts: { tool: call.tool, first: kept[0]?.step ?? seen.step },
    };
  },

  explain({ count, variant, facts }) {
    const how = variant === 'drift' ? 'only a number changed between them' : 'only the wording changed between them';
    return `${count} calls of \`${facts.tool}\` since step ${facts.first} were variants of one another and brought next to nothing new: ${how}`;
  },

  moves: [
    'work with what the answers already hold: open one of them, or decide',
    'ask a different question, or a different source',
    'say what was looked for, where, and that it was not found',
  ],
});
