import { mayChange } from '../../fingerprint/may-change.ts';
import { type Recent, recall, remember } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface Entry {
  count: number;
  since: number;
  target: string | null;
  wide: boolean;
}

interface State {
  calls: Recent<Entry>;
  last: string;
}

const MOST_CALLS = 32;

export const repeatedCall = defineDetector<State, { threshold: number }>({
  name: 'repeated-call',
  status: 'stable',
  watches: ['call-finished', 'action-finished'],
  rungs: { first: 'note', highest: 'stop' },
  options: { threshold: 3 },
  start: () => ({ calls: [], last: '' }),

  step(state, seen, { threshold }) {
    const { call, result } = seen;
    if (!call || !result) return null;
    if (!result.error && call.effect !== 'none')
      state.calls = state.calls.filter(([key, entry]) => key === call.key || !mayChange(call, entry));
    const consecutive = state.last === call.key;
    state.last = call.key;
    const before = recall(state.calls, call.key);
    const entry = before ?? { count: 0, since: seen.step, target: call.target, wide: call.wide };
    // The same write again is a repeat whatever it shows of the growing result.
    const run = call.verb === 'write' && call.target !== null ? entry.count + 1 : Math.min(entry.count + 1, result.run);
    if (run === 1) entry.since = seen.step;
    entry.count = run;
    remember(state.calls, call.key, entry, MOST_CALLS);
    if (run < threshold) return null;
    return {
      variant: consecutive ? 'consecutive' : 'recurring',
      count: run,
      since: entry.since,
      keys: [call.key],
      ...(call.target === null ? {} : { target: call.target }),
      strength: result.known ? Math.min(1, 0.6 + 0.1 * (run - threshold + 1)) : 0.5,
      facts: { call: call.label, first: entry.since, known: result.known, failed: result.error !== null },
    };
  },

  explain({ count, facts, variant }) {
    const brought = facts.known
      ? facts.failed
        ? 'failed in the same way'
        : 'brought the same result'
      : 'was made without any visible result';
    const between = variant === 'recurring' ? ', and nothing in between could have changed the answer' : '';
    return `\`${facts.call}\` ${brought} ${count} times since step ${facts.first}${between}`;
  },

  moves: [
    'use the result you already have',
    'change something the call depends on before making it again',
    'look at a different part of the problem, or say what is known and what is missing',
  ],
});
