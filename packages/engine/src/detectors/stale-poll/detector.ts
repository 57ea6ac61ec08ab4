import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import * as option from '../../option-kinds.ts';
import type { ResultPrint } from '../../prints.ts';
import { type Recent, recall, remember } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface Entry {
  count: number;
  since: number;
  at: number;
}

const MAX_POLLS = 16;
/** Two looks far apart are not polling. */
const FEWEST = 3;
/** Looks that are further apart than this, in minutes, need no advice. */
const WIDE = 10;
/** The same, if the user asked to wait or to watch. */
const WIDE_IF_ASKED = 0.5;

/** After something was done, the next look is a check, not another poll. */
const isDeed = ({ call, result }: Fingerprint): boolean =>
  !result?.error && (call?.verb === 'write' || call?.verb === 'execute');

/**
 * If the answer differs from the last poll's, something has happened, even if the session has seen
 * these lines before.
 */
const isSameAnswer = ({ sameInARow, differs }: ResultPrint): boolean => sameInARow > 1 && !differs;

export const stalePoll = defineDetector({
  name: 'stale-poll',
  status: 'stable',
  watches: ['call-finished', 'text-added'],
  alsoNeutral: ['poll'],
  rungs: { first: 'note', highest: 'note' },
  advises: ['often', 'long'],
  options: {
    threshold: option.integer(10, { from: 2 }, 'Polls with the same answer that make a loop.'),
    minutes: option.number(10, { from: 0 }, 'Minutes with the same answer that make a loop.'),
  },
  start: (): { polls: Recent<Entry> } => ({ polls: [] }),

  step({ polls }, seen, { threshold, minutes }) {
    const { call, result, rest } = seen;
    // A schedule or a task in the background decides when it looks again.
    if (rest?.waiting) polls.length = 0;
    if (!call || !result) return null;
    if (seen.neutral !== 'poll') {
      if (isDeed(seen)) polls.length = 0;
      return null;
    }
    const before = isSameAnswer(result) ? recall(polls, call.key) : undefined;
    const entry = before ?? { count: 0, since: seen.step, at: seen.at };
    entry.count++;
    remember(polls, call.key, entry, MAX_POLLS);
    const waited = Math.max(0, seen.at - entry.at) / 60_000;
    const isOften = entry.count >= threshold;
    if (entry.count < FEWEST || (!isOften && waited < minutes)) return null;
    if (waited > (seen.mayWait ? WIDE_IF_ASKED : WIDE) * (entry.count - 1)) return null;
    return {
      variant: isOften ? 'often' : 'long',
      count: entry.count,
      since: entry.since,
      keys: [call.key],
      strength: 0.5,
      facts: { call: call.label, minutes: Math.round(waited) },
    };
  },

  explain({ count, facts }) {
    const minutes = Number(facts.minutes);
    const time = minutes < 1 ? 'under a minute' : minutes === 1 ? 'a minute' : `${minutes} minutes`;
    return `\`${facts.call}\` was called ${count} times in ${time}, and its state has not changed`;
  },

  moves: [
    'wait longer before asking again, twice as long each time',
    'check another way whether it is alive: its logs, its events, what it waits for',
    'do something else meanwhile, or report that it does not move',
  ],
});
