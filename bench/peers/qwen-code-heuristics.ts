import { callKey, digest } from './call-key.ts';
import { createChanting, deltasOf } from './chanting.ts';
import { definePeer } from './define-peer.ts';
import { act } from './peer.ts';
import { tail } from './tail.ts';
import { isReading } from './tool-kinds.ts';

const ANYWHERE = 6;
const ALTERNATING = 6;
const SAME_NAME = 8;
const READS = { count: 8, among: 15 };
const THOUGHTS = 3;
const THOUGHT_LENGTH = 200;

/**
 * qwen-code's heuristics, off by default, per turn: one call six times, A-B three times, one tool
 * eight times in a row, eight reads of fifteen, equal thoughts, chanting. Each halts.
 */
export const qwenCodeHeuristics = definePeer('qwen-code (heuristics)', () => {
  const chanting = createChanting({
    buffer: 1000,
    gap: 75,
    variants: Number.POSITIVE_INFINITY,
    structure: /^\s*(?:[*+-]\s|\d+\.\s|#{1,6}\s|>|\|.*\|)/m,
    divider: /^[-+_=*\u2500-\u257f]+$/,
  });
  let counts = new Map<string, number>();
  let keys: string[] = [];
  let names: string[] = [];
  let thoughts: string[] = [];
  let somethingElse = false;
  return {
    call(call) {
      chanting.clear();
      const key = digest(callKey(call));
      counts.set(key, (counts.get(key) ?? 0) + 1);
      keys = [...keys, key].slice(-ALTERNATING);
      names = [...names, call.tool].slice(-READS.among);
      somethingElse ||= !isReading(call.tool);
      if (counts.get(key)! >= ANYWHERE) return act('same call');
      if (tail(keys, 2) >= ALTERNATING) return act('alternating');
      if (tail(names, 1) >= SAME_NAME) return act('same tool');
      if (somethingElse && names.filter(isReading).length >= READS.count) return act('reads');
    },
    text(message) {
      if (message.thinking) {
        thoughts = [...thoughts, message.text.trim().slice(0, THOUGHT_LENGTH).toLowerCase()];
        return tail(thoughts, 1) >= THOUGHTS ? act('thoughts') : null;
      }
      return deltasOf(message).map(chanting.add).includes(true) ? act('chanting') : null;
    },
    user() {
      counts = new Map();
      keys = names = thoughts = [];
      somethingElse = false;
      chanting.clear();
    },
  };
});
