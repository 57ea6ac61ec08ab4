import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
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

/** Edits in a row that replace a text by the same text. */
interface Unchanged {
  count: number;
  since: number;
  keys: string[];
  batch: string;
}

interface State {
  targets: Recent<Entry>;
  unchanged: Unchanged | null;
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
    unchanged: option.integer(
      3,
      { from: 2 },
      'Edits in a row that replace a text by the same text that make a loop.',
    ),
  },
  start: (): State => ({ targets: [], unchanged: null }),

  step(state, seen, { threshold, unchanged }) {
    const { targets } = state;
    const { call, result } = seen;
    if (seen.progress === 'write') state.unchanged = null;
    if (!call || !result || result.error || call.verb !== 'write' || call.target === null)
      return null;
    if (call.region?.unchanged) return keepsText(state, seen, unchanged);
    const { target } = call;
    const change = changeOf(seen);
    if (!change) return null;
    const entry = recall(targets, target) ?? startEntry(seen.step);
    remember(targets, target, entry, MAX_TARGETS);
    const count = typeof change === 'string' ? returns(entry, change) : flips(entry, ...change);
    if (count < threshold) return null;
    return {
      variant: typeof change === 'string' ? 'content' : 'hunk',
      count,
      since: entry.since,
      keys: [`revert:${target}`],
      target,
      strength: 0.8,
      facts: { target: call.targetLabel },
    };
  },

  explain({ count, variant, facts }) {
    return variant === 'unchanged'
      ? `${count} edits (the last: ${facts.target}) replaced a text by the very same text`
      : `an earlier version of ${facts.target} came back ${count} times`;
  },

  moves: ({ variant }) =>
    variant === 'unchanged'
      ? [
          'read the place as it is now: the change that you want may already be there',
          'write a replacement that differs from the text that it replaces',
          'if nothing is left to change, say so and go on',
        ]
      : [
          'decide between the two versions by a check that tells them apart, and keep the better one',
          'look for the cause elsewhere: neither version may be the answer',
          'say what speaks for each version, and ask',
        ],
});

const startEntry = (since: number): Entry => ({ contents: [], hunks: [], returns: 0, since });

/** The content after a write; if that is not known, the text before and after; otherwise null. */
function changeOf({ call, after: digest }: Fingerprint): string | [string, string] | null {
  const { before, after } = call!.region ?? {};
  if (digest !== undefined) return digest;
  if (after === undefined) return null;
  return before === undefined ? after : [before, after];
}

/** Counts an edit whose replacement equals what it replaces, once per response. */
function keepsText(state: State, { call, step, batch }: Fingerprint, threshold: number) {
  const { target, targetLabel, key } = call!;
  state.unchanged ??= { count: 0, since: step, keys: [], batch: '' };
  const { unchanged } = state;
  if (unchanged.batch !== batch) unchanged.count++;
  unchanged.batch = batch;
  if (!unchanged.keys.includes(key)) push(unchanged.keys, key, MAX_KEPT);
  if (unchanged.count < threshold) return null;
  return {
    variant: 'unchanged',
    count: unchanged.count,
    since: unchanged.since,
    keys: [...unchanged.keys],
    target: target!,
    strength: 0.8,
    facts: { target: targetLabel },
  };
}

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
