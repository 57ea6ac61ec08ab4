import * as option from '../../option-kinds.ts';
import type { CallPrint, ResultPrint } from '../../prints.ts';
import { push } from '../../recent.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';

interface State {
  /**
   * Call, result, label and number of each step; `blind` if the result does not tell what was done.
   */
  trail: { key: string; digest: string; label: string; step: number; blind?: true }[];
  /** Rounds that fill the trail, and when they began: the trail forgets their first steps. */
  rounds?: Rounds | undefined;
}

interface Rounds {
  period: number;
  length: number;
  since: number;
}

/** Two of the longest laps and the start of a third. */
const KEPT = 34;
const SHORT = 60;
const ACTS = new Set(['execute', 'navigate']);
/** Steps of a third lap that are enough if the lap is long. */
const START = 2;

const MAX_LABEL = 32;

/** Of a call with one path, the end of the path says which: files of a folder begin alike. */
function shortLabel(label: string): string {
  if (label.length <= MAX_LABEL) return label;
  const [, tool, path] = /^(\S+) (\S*[/\\]\S+)$/.exec(label) ?? [];
  const room = MAX_LABEL - (tool?.length ?? MAX_LABEL) - 2;
  return path === undefined || room < MAX_LABEL / 2
    ? label.slice(0, MAX_LABEL)
    : `${tool} …${path.slice(-room).replace(/^[^/\\]+(?=[/\\])/, '')}`;
}

export const cycle = defineDetector({
  name: 'cycle',
  status: 'stable',
  watches: ['call-finished', 'action-finished'],
  // What the user wants to be repeated is no part of a cycle, and neither are the steps around it.
  alsoNeutral: ['asked'],
  rungs: { first: 'note', highest: 'stop' },
  options: {
    laps: option.integer(
      3,
      { from: 2 },
      'Laps of the same steps with the same results that make a loop.',
    ),
    longLap: option.integer(
      9,
      { from: 2 },
      'Length of a lap, in steps, from which two laps and the start of a third are enough.',
    ),
    longest: option.integer(16, { from: 2, to: 16 }, 'Maximum length of a lap, in steps.'),
  },
  start: (): State => ({ trail: [] }),

  step(state, seen, { laps, longLap, longest }) {
    const { trail } = state;
    const { call, result } = seen;
    if (!call || !result) return null;
    if (seen.neutral === 'asked') {
      trail.length = 0;
      return null;
    }
    push(
      trail,
      {
        key: call.key,
        digest: result.digest,
        label: shortLabel(call.label),
        step: seen.step,
        ...(tells(call, result) ? {} : { blind: true }),
      },
      KEPT,
    );
    for (let period = 2; period <= longest; period++) {
      const enough = period < longLap ? laps * period : Math.min(laps, 2) * period + START;
      const length = trail.length < enough ? 0 : periodic(trail, period);
      if (length >= enough) return roundsOf(state, period, length);
    }
    state.rounds = undefined;
    return null;
  },

  explain({ count, facts, variant }) {
    const calls = facts.calls as string[];
    if (variant === 'one-call')
      return `\`${calls[0]}\` has gone through the same ${facts.period} results in turn ${count} times`;
    const named = calls.slice(0, 3).map((call) => `\`${call}\``);
    return `the same ${facts.period} steps (${named.join(', ')}${calls.length > 3 ? ', …' : ''}) were made ${count} times in turn, with the same results each time`;
  },

  moves: ({ variant }) => [
    ...(variant === 'one-call'
      ? [
          'decide which of these results is the right one, and leave it at that',
          'find out what switches between them before calling it again',
        ]
      : [
          'decide what these results already tell you, and act on that',
          'change the one step whose result is wrong instead of repeating all of them',
        ]),
    'report what you know and what is missing',
  ],
});

/** Whether the result tells what was done. A short receipt tells little about an action. */
const tells = ({ verb, shell }: CallPrint, { known, nearly, error, size }: ResultPrint): boolean =>
  known && !nearly && (!ACTS.has(verb) || shell || error !== null || size >= SHORT);

/** Rounds of one period, `length` steps in all; null if they are one call with one result. */
function roundsOf(state: State, period: number, length: number): Evidence | null {
  const { trail } = state;
  const lap = trail.slice(-period);
  const keys = [...new Set(lap.map((step) => step.key))];
  if (keys.length === 1 && new Set(lap.map((step) => step.digest)).size === 1) return null;
  const first = trail.slice(-length, period - length);
  const known = lap.every((step) => !step.blind);
  const rounds = longer(state.rounds, { period, length, since: first[0]!.step });
  state.rounds = rounds;
  return {
    variant: keys.length === 1 ? 'one-call' : 'several-calls',
    count: Math.floor(rounds.length / period),
    since: rounds.since,
    keys,
    equal: known,
    strength: known ? 0.9 : 0.5,
    ...(known ? {} : { cap: 'note' as const }),
    facts: {
      period,
      calls: [...new Set(lap.map((step) => step.label))].slice(0, 4),
      firsts: Object.fromEntries(first.map((step) => [step.key, step.step]).reverse()),
    },
  };
}

/** Rounds that were there a step ago have become longer, although the trail has forgotten their start. */
const longer = (before: Rounds | undefined, now: Rounds): Rounds =>
  before?.period === now.period && now.length === KEPT && before.length >= KEPT
    ? { ...before, length: before.length + 1 }
    : now;

/** How many of the last steps repeat with this period. */
function periodic(trail: State['trail'], period: number): number {
  let i = trail.length - 1;
  while (i - period >= 0 && isSame(trail[i]!, trail[i - period]!)) i--;
  return trail.length - 1 - i + period;
}

const isSame = (one: State['trail'][number], other: State['trail'][number]): boolean =>
  one.key === other.key && one.digest === other.digest;
