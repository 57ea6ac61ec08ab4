import type { ChantPrint } from '../../fingerprint/chant.ts';
import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { isRequested } from '../../fingerprint/requested.ts';
import { type Channel, unitAt } from '../../fingerprint/text.ts';
import {
  continueRun,
  findTextRun,
  mannerOf,
  TAIL,
  type TextRun,
  unitKey,
} from '../../fingerprint/text-run.ts';
import type { ValuesOf } from '../../option.ts';
import * as option from '../../option-kinds.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';

/** The text of one channel since the last call or message. */
interface Stretch {
  tail: string;
  /** Characters so far; `tail` holds the last of them. */
  total: number;
  /** The step at which the stretch began. */
  since: number;
  run: TextRun | null;
}

type State = Record<Channel, Stretch>;

/**
 * Checks happen at multiples of these offsets in the stretch, however large a delta is: often for
 * short units, less often for long ones.
 */
const CHECK_EVERY = 64;
const LONG_CHECK_EVERY = 256;
/** The tail must hold two of the longest unit. */
const MAX_UNIT_LENGTH = 2000;
/** The tail may grow by this much before it is cut: cutting it at every delta costs more. */
const SLACK = 128;

const startStretch = (): Stretch => ({ tail: '', total: 0, since: 0, run: null });

const OPTIONS = {
  repeats: option.integer(6, { from: 2 }, 'Repeats of a short unit in a row that make a loop.'),
  characters: option.integer(
    300,
    { from: 1 },
    'Characters that the repeats of a short unit must fill.',
  ),
  longUnit: option.integer(
    200,
    { from: 1 },
    'Length in characters from which a unit is long, so that `longRepeats` repeats are enough.',
  ),
  longRepeats: option.integer(3, { from: 2 }, 'Repeats of a long unit in a row that make a loop.'),
  bareCharacters: option.integer(
    1500,
    { from: 1 },
    'Characters that the repeats of a unit must fill if it does not read like sentences: a row of data, markup, `null,null`.',
  ),
  signCharacters: option.integer(
    3500,
    { from: 1 },
    'The same, for mere signs, digits or one letter, of which data and rulers consist, too; beyond ASCII `bareCharacters` count.',
  ),
};
type Options = ValuesOf<typeof OPTIONS>;

export const chanting = defineDetector({
  name: 'chanting',
  status: 'stable',
  watches: [
    'text-added',
    'call-proposed',
    'call-finished',
    'action-proposed',
    'action-finished',
    'user-spoke',
  ],
  alsoNeutral: ['wait', 'poll', 'transient-error', 'batch', 'own', 'reread'],
  rungs: { first: 'note', highest: 'stop' },
  options: OPTIONS,
  start: (): State => ({ answer: startStretch(), thinking: startStretch() }),

  step(state, seen, options) {
    if (seen.type !== 'text-added' || !seen.text) {
      if (state.answer.total > 0) state.answer = startStretch();
      if (state.thinking.total > 0) state.thinking = startStretch();
      return seen.chant ? inArguments(seen, seen.chant) : null;
    }
    const print = seen.text;
    const { channel, grams, message } = print;
    const stretch = state[channel];
    if (stretch.total === 0) stretch.since = seen.step;
    const text = stretch.tail + grams;
    const start = stretch.total - stretch.tail.length;
    const total = stretch.total + grams.length;
    let found: { evidence: Evidence; period: number; end: number } | null = null;
    const look = (at: number, added: number, isFar: boolean): void => {
      const evidence = check(stretch, text, at - start, added, isFar, channel, options);
      if (evidence)
        found = { evidence, period: stretch.run!.period, end: at - total + grams.length };
    };
    // Quotes the passage once per event, however many checks the event took.
    const quoted = (): Evidence | null =>
      found && !isRequested(seen, channel, found.evidence.count)
        ? {
            ...found.evidence,
            facts: { ...found.evidence.facts, passage: unitAt(print, found.end, found.period) },
          }
        : null;
    for (
      let at = stretch.total - (stretch.total % CHECK_EVERY) + CHECK_EVERY;
      at <= total;
      at += CHECK_EVERY
    )
      look(at, CHECK_EVERY, at % LONG_CHECK_EVERY === 0);
    if (message) {
      if (total % CHECK_EVERY > 0) look(total, total % CHECK_EVERY, true);
      state[channel] = startStretch();
      return quoted();
    }
    stretch.total = total;
    stretch.tail = text.length > TAIL + SLACK ? text.slice(-TAIL) : text;
    const other = state[channel === 'answer' ? 'thinking' : 'answer'];
    const excess = stretch.tail.length + other.tail.length - TAIL - SLACK;
    if (excess > 0) other.tail = other.tail.slice(excess);
    return quoted();
  },

  explain({ facts }) {
    const passage = facts.passage ? facts.passage : `one passage of ${facts.unit} characters`;
    if (facts.channel === 'arguments')
      return `an argument of \`${facts.tool}\` consists of ${passage}, ${facts.repeats} times`;
    return `the ${facts.channel === 'answer' ? 'answer' : 'reasoning'} repeats ${passage} without a break: ${facts.repeats} times so far`;
  },

  moves: ({ variant }) =>
    variant === 'in-arguments'
      ? [
          'look at what this call wrote, and take back what repeats',
          'make the next call with the part that matters, written once',
        ]
      : [
          'end the sentence here, and say in one line what is still to be done',
          'take the next concrete action instead of announcing it',
          'if nothing is left to do, finish the message',
        ],
});

/** One sentence that fills an argument. What else is in it, a hint can ask for. */
const inArguments = ({ step, call }: Fingerprint, chant: ChantPrint): Evidence => ({
  variant: 'in-arguments',
  count: chant.repeats,
  since: step,
  keys: [`chant:${chant.key}`],
  cap: 'hint',
  strength: 0.9,
  facts: {
    channel: 'arguments',
    tool: call?.tool ?? '',
    unit: chant.unit,
    repeats: chant.repeats,
    characters: chant.characters,
    passage: chant.passage,
  },
});

/**
 * Examines the first `end` codes of `text`. The last `added` of them are new since the previous
 * check.
 */
function check(
  stretch: Stretch,
  text: string,
  end: number,
  added: number,
  far: boolean,
  channel: Channel,
  options: Options,
): Evidence | null {
  const run =
    continueRun(stretch.run, text, end, added) ??
    findTextRun(text, end, far ? MAX_UNIT_LENGTH : options.longUnit);
  stretch.run = run;
  if (!run) return null;
  const { period, length } = run;
  const count = Math.floor(length / period);
  const long = period >= options.longUnit;
  if (
    count <= run.told ||
    (long ? count < options.longRepeats : count < options.repeats || length < options.characters)
  )
    return null;
  if (run.manner === null) {
    const unit = text.slice(end - period, end);
    run.manner = mannerOf(unit);
    run.key = unitKey(unit);
  }
  if (
    run.manner !== 'words' &&
    length < (run.manner === 'bare' ? options.bareCharacters : options.signCharacters)
  )
    return null;
  run.told = count;
  return {
    variant: long ? 'long-unit' : 'short-unit',
    count,
    since: stretch.since,
    keys: [run.key],
    equal: true,
    strength: 0.95,
    facts: { channel, unit: period, repeats: count, characters: length },
  };
}
