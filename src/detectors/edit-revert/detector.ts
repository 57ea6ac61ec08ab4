import { option } from '../../option.ts';
import { push, type Recent, recall, remember } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface Entry {
  /** Digests of the contents it had, newest last. */
  contents: string[];
  /** Hunks applied: what was replaced, and by what. */
  hunks: [before: string, after: string][];
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
  options: { threshold: option.integer(2, { from: 1 }, 'Returns of a target to earlier content that make a loop.') },
  start: (): { targets: Recent<Entry> } => ({ targets: [] }),

  step({ targets }, seen, { threshold }) {
    const { call, result } = seen;
    if (!call || !result || result.error || call.verb !== 'write' || call.target === null) return null;
    const { before, after } = call.region ?? {};
    const content = seen.after ?? (before === undefined ? after : undefined);
    if (content === undefined && (before === undefined || after === undefined)) return null;
    const entry = recall(targets, call.target) ?? { contents: [], hunks: [], returns: 0, since: seen.step };
    remember(targets, call.target, entry, MAX_TARGETS);
    const returned = content === undefined ? undone(entry, before!, after!) : hadBefore(entry, content);
    if (!returned) return null;
    entry.returns++;
    if (entry.returns < threshold) return null;
    return {
      variant: content === undefined ? 'hunk' : 'content',
      count: entry.returns,
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

/** The content equals an earlier one that was since replaced. */
function hadBefore(entry: Entry, content: string): boolean {
  const last = entry.contents.at(-1);
  const returned = last !== content && entry.contents.includes(content);
  if (last !== content) push(entry.contents, content, MAX_KEPT);
  return returned;
}

/** The hunk undoes an earlier one. */
function undone(entry: Entry, before: string, after: string): boolean {
  const returned = before !== after && entry.hunks.some(([was, became]) => was === after && became === before);
  push(entry.hunks, [before, after], MAX_KEPT);
  return returned;
}
