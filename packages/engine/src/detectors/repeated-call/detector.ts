import { mayChange } from '../../fingerprint/may-change.ts';
import * as option from '../../option-kinds.ts';
import { type Recent, recall, remember } from '../../recent.ts';
import { defineDetector } from '../detector.ts';

interface Entry {
  count: number;
  since: number;
  /** The step at which it was last made. */
  step: number;
  target: string | null;
  wide: boolean;
  /** Whether there was progress since it was last made. */
  progress: boolean;
  /** Whether a tool of unknown effect was called since this run of equal calls began. */
  unsure: boolean;
  /** Whether it failed the last time. */
  failed: boolean;
}

interface State {
  calls: Recent<Entry>;
  last: string;
}

const MAX_CALLS = 32;
const SHORT = 60;
/** Steps after which an earlier call without a recorded result no longer counts. */
const RECENTLY = 30;

const REPORT = 'report what you know and what is missing';

export const repeatedCall = defineDetector({
  name: 'repeated-call',
  status: 'stable',
  watches: ['call-finished', 'action-finished'],
  rungs: { first: 'note', highest: 'stop' },
  options: {
    threshold: option.integer(3, { from: 2 }, 'Equal calls with the same result that make a loop.'),
  },
  start: (): State => ({ calls: [], last: '' }),

  step(state, seen, { threshold }) {
    const { call, result } = seen;
    if (!call || !result) return null;
    if (!result.error && call.effect !== 'none')
      state.calls = state.calls.filter(
        ([key, entry]) => key === call.key || !mayChange(call, entry),
      );
    // Re-reading something between writes elsewhere is careful work, not a loop.
    if (seen.progress === 'write') state.calls = state.calls.filter(([key]) => key === call.key);
    else if (seen.progress)
      for (const [key, entry] of state.calls) if (key !== call.key) entry.progress = true;
    if (call.verb === 'unknown')
      for (const [key, entry] of state.calls) if (key !== call.key) entry.unsure = true;
    const consecutive = state.last === call.key;
    state.last = call.key;
    const before = recall(state.calls, call.key);
    const entry = before ?? {
      count: 0,
      since: seen.step,
      step: seen.step,
      target: call.target,
      wide: call.wide,
      progress: false,
      unsure: false,
      failed: false,
    };
    const moved = entry.progress;
    entry.progress = false;
    const acts = call.verb === 'execute' || call.verb === 'navigate';
    // Progress after an action shows that the action had an effect, whatever it returned.
    if (acts && moved) entry.count = 0;
    // Without a recorded result, there may be a good reason to make a call again much later.
    if (!result.known && seen.step - entry.step > RECENTLY) entry.count = 0;
    entry.step = seen.step;
    // The same write again is a repeat, even if its result shows more of the file each time or its
    // receipt has a new id.
    const onFile = call.target?.startsWith('file:') === true;
    const again =
      call.verb === 'write' && (onFile || !call.shell) && !seen.progress && !result.error;
    // A call that finally succeeds does not repeat its failures.
    if (entry.failed && !result.error) entry.count = 0;
    entry.failed = result.error !== null;
    const run = again ? entry.count + 1 : Math.min(entry.count + 1, result.run);
    if (run === 1) Object.assign(entry, { since: seen.step, unsure: false });
    entry.count = run;
    remember(state.calls, call.key, entry, MAX_CALLS);
    // A call whose result is unknown needs one more repeat. A write does not: its content is known
    // from the call.
    if (run < threshold + (result.known || again ? 0 : 1)) return null;
    return {
      variant: consecutive ? 'consecutive' : 'recurring',
      count: run,
      since: entry.since,
      keys: [call.key],
      ...(call.target === null ? {} : { target: call.target }),
      // The cap is `note` if the result is unknown, if a short confirmation tells little about what
      // the action did, or if there was progress in between: then the call may be a habit between
      // useful steps.
      ...(!result.known || (acts && !call.shell && !result.error && result.size < SHORT) || moved
        ? { cap: 'note' as const }
        : {}),
      // A check that passes may be repeated on purpose: to see whether it is flaky, or for an
      // average.
      equal:
        result.known &&
        !again &&
        !result.nearly &&
        (call.verb !== 'verify' || result.error !== null),
      strength: result.known ? Math.min(1, 0.8 + 0.05 * (run - threshold + 1)) : 0.5,
      facts: {
        call: call.label,
        known: result.known,
        failed: result.error !== null,
        written: again,
        ...(again && result.known && result.run === 1 ? { others: true } : {}),
        unsure: entry.unsure,
        ...(result.nearly ? { nearly: true } : {}),
        ...(!result.known && result.size > 0 ? { shown: true } : {}),
        ...(result.error ? { error: result.error.label } : {}),
      },
    };
  },

  explain({ count, facts, variant }) {
    const between =
      variant !== 'recurring'
        ? ''
        : facts.unsure
          ? ', with other calls in between'
          : ', and nothing in between could have changed the answer';
    const how = facts.failed
      ? 'failed'
      : facts.written
        ? facts.others
          ? 'was called with the same arguments'
          : 'did the same'
        : `returned ${facts.nearly ? 'nearly ' : ''}the same result`;
    if (facts.shown)
      return `\`${facts.call}\` was called ${count} times, and its results do not tell whether anything changed`;
    return facts.known
      ? `\`${facts.call}\` ${how} ${count} times${facts.failed ? ' with the same error' : ''}${between}`
      : `\`${facts.call}\` was called ${count} times, and no result was recorded`;
  },

  moves: ({ facts }) => {
    if (!facts.known) return ['look at what it did before doing it again', REPORT];
    if (facts.failed)
      return [
        'change what its error names before calling it again',
        'stop making this call, report its error, and say what you need to go on',
      ];
    if (facts.others) return ['look at what its last results say before calling it again', REPORT];
    if (facts.written)
      return [
        'take it as done, and check what depends on it',
        'go on to the next part of the work',
        REPORT,
      ];
    return [
      'work with the result above: it was the same each time',
      'if it is not what you need, use another tool or other arguments',
      REPORT,
    ];
  },
});
