import * as option from '../../option-kinds.ts';
import type { CallPrint, ResultPrint } from '../../prints.ts';
import { push } from '../../recent.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';

interface State {
  /** Steps in a row without progress. */
  count: number;
  since: number;
  /**
   * Steps that may belong to a round that has not yet been made three times. They are added to
   * `count` when the round breaks.
   */
  held: number;
  /**
   * Call and result of the last steps, and for each period how many steps in a row repeat with it.
   */
  trail: string[];
  runs: number[];
  /** Error class of each of the last calls, '' for none. */
  errors: string[];
  batch: string;
  keys: string[];
  label: string;
}

const MAX_ROUND = 8;
const LAPS = 3;
const RECENT_CALLS = 5;
const FAILING = 3;
/** A result with fewer characters only confirms. */
const SHORT = 80;

/**
 * A safety net under the specific detectors: calls that bring nothing new, whatever they look like.
 */
export const stalling = defineDetector({
  name: 'stalling',
  status: 'stable',
  watches: ['call-finished', 'action-finished'],
  rungs: { first: 'hint', highest: 'stop' },
  yields: true,
  options: {
    calls: option.integer(5, { from: 2 }, 'Calls in a row without progress that make a loop.'),
  },
  start: (): State => ({
    count: 0,
    since: 0,
    held: 0,
    trail: [],
    runs: [],
    errors: [],
    batch: '',
    keys: [],
    label: '',
  }),

  step(state, seen, options) {
    const { call, result } = seen;
    if (!call || !result) return null;
    const round = inUnfinishedRound(state, `${call.key} ${result.digest}`);
    const isNew = !state.keys.includes(call.key);
    if (seen.progress) {
      Object.assign(state, { count: 0, held: 0, errors: [], keys: [], since: seen.step + 1 });
      return null;
    }
    // Without a result, and without a described screen to judge by, a call is evidence neither
    // for nor against progress.
    if (!result.known && !seen.screen) return null;
    if (isElsewhere(call, result) && isNew) {
      push(state.keys, call.key, 8);
      return null;
    }
    if (seen.batch === state.batch) return null;
    state.batch = seen.batch;
    if (isNew) push(state.keys, call.key, 8);
    count(state, round);
    push(state.errors, result.error?.class ?? '', RECENT_CALLS);
    state.label = call.label;
    if (state.count >= options.calls) return evidence(state, 'no-progress');
    return failing(state.errors) ? evidence(state, 'failing') : null;
  },

  explain({ count, variant, facts }) {
    return variant === 'failing'
      ? `most of the last ${RECENT_CALLS} calls failed (the last: \`${facts.call}\`)`
      : `${count} calls in a row returned nothing new and changed nothing (the last: \`${facts.call}\`)`;
  },

  moves: [
    'read the current state once, then say in one sentence what you know and what is missing',
    'try a tool or a way that you have not used yet',
    'take a smaller step whose result can be checked',
  ],
});

/**
 * Calls that neither end the streak nor count towards it, the first time that they are made in it:
 * they read something already known, are only confirmed, or have no recorded result.
 */
const isElsewhere = ({ verb }: CallPrint, { known, error, size }: ResultPrint): boolean =>
  !known || (!error && (verb === 'read' || size < SHORT));

function count(state: State, inRound: boolean): void {
  if (inRound) state.held++;
  else {
    state.count += state.held + 1;
    state.held = 0;
  }
}

function evidence(state: State, variant: string): Evidence {
  return {
    variant,
    count: variant === 'failing' ? FAILING : state.count,
    since: state.since,
    keys: [...state.keys],
    strength: 0.5,
    facts: { call: state.label },
  };
}

/** Three of the last five calls failed, at least two of them in the same way. */
function failing(errors: readonly string[]): boolean {
  const failed = errors.filter((each) => each !== '');
  return failed.length >= FAILING && new Set(failed).size < failed.length;
}

/**
 * Whether this step equals the one a period ago, in a round that has not yet been made three times.
 */
function inUnfinishedRound(state: State, token: string): boolean {
  const { trail, runs } = state;
  let round = false;
  let finished = false;
  for (let period = 2; period <= MAX_ROUND; period++) {
    const matches = trail.length >= period && trail[trail.length - period] === token;
    runs[period] = matches ? (runs[period] ?? 0) + 1 : 0;
    if (!matches) continue;
    if (runs[period]! < (LAPS - 1) * period) round = true;
    else finished = true;
  }
  runs[0] = 0;
  runs[1] = 0;
  push(trail, token, MAX_ROUND);
  return round && !finished;
}
