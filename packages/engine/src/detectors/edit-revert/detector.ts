import * as option from '../../option-kinds.ts';
import { push, type Recent, recall, remember } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface Entry {
  /** Digests of the target's contents so far, newest last. */
  contents: string[];
  /**
   * Applied hunks: the text replaced, its replacement, and how many times the hunk was undone or
   * redone.
   */
  hunks: [before: string, after: string, returns: number][];
  returns: number;
  since: number;
}

const MAX_TARGETS = 8;
const MAX_KEPT = 10;

export const editRevert = defineDetector({
  name: 'edit-revert',
  status: 'stable',
  watches: ['call-finished'],
  rungs: { first: 'note', highest: 'stop' },
  options: {
    threshold: option.integer(
      2,
      { from: 1 },
      'Returns of a target to earlier content that make a loop.',
    ),
  },
  start: (): { targets: Recent<Entry> } => ({ targets: [] }),

  step({ targets }, seen, { threshold }) {
    const { call, result } = seen;
    if (!call || !result || result.error || call.verb !== 'write' || call.target === null)
      return null;
    const { before, after } = call.region ?? {};
    const content = seen.after ?? (before === undefined ? after : undefined);
    if (content === undefined && (before === undefined || after === undefined)) return null;
    const entry = recall(targets, call.target) ?? {
      contents: [],
      hunks: [],
      returns: 0,
      since: seen.step,
    };
    remember(targets, call.target, entry, MAX_TARGETS);
    const count = content === undefined ? flips(entry, before!, after!) : returns(entry, content);
    if (count < threshold) return null;
    return {
      variant: content === undefined ? 'hunk' : 'content',
      count,
      since: entry.since,
      keys: [`revert:${call.target}`],
      target: call.target,
      strength: 0.8,
      facts: { target: call.targetLabel },
    };
  },

  explain({ count, facts }) {
    return `${facts.target} was changed back to an earlier version ${count} times`;
  },

  moves: [
    'decide between the two versions by a check that tells them apart, and keep the better one',
    'look for the cause elsewhere: neither version may be the answer',
    'say what speaks for each version, and ask',
  ],
});

/** How many times the target has returned to earlier content; 0 if this write is not a return. */
function returns(entry: Entry, content: string): number {
  if (entry.contents.at(-1) === content) return 0;
  const returned = entry.contents.includes(content);
  push(entry.contents, content, MAX_KEPT);
  return returned ? ++entry.returns : 0;
}

/**
 * How many times this same hunk was undone or redone. Many hunks that were each undone once are one
 * change taken back.
 */
function flips(entry: Entry, before: string, after: string): number {
  const last = entry.hunks.findLast(([was, became]) => was === after && became === before);
  const count = before === after || !last ? 0 : last[2] + 1;
  push(entry.hunks, [before, after, count], MAX_KEPT);
  return count;
}
