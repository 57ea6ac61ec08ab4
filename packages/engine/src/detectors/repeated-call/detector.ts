import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { type Depends, mayChange } from '../../fingerprint/may-change.ts';
import * as option from '../../option-kinds.ts';
import type { CallPrint, ResultPrint } from '../../prints.ts';
import { type Recent, recall, remember } from '../../recent.ts';
import { firstRule } from '../../rule.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';
import { CAP_RULES, REPEAT_RULES, type RepeatQuestion } from './rules.ts';

interface Entry {
  count: number;
  since: number;
  /** The step at which it was last made. */
  step: number;
  target: string | null;
  // Flags are kept only if they are set: there are many entries, and little room.
  /** Its result depends on more than its target. */
  wide?: true;
  /** There was progress since it was last made. */
  progress?: true;
  /** A tool of unknown effect was called since this run of equal calls began. */
  unsure?: true;
  /** It failed the last time. */
  failed?: true;
}

interface State {
  calls: Recent<Entry>;
  last: string;
}

const MAX_CALLS = 32;

const REPORT = 'report what you know and what is missing';
/** What to do instead of calling a tool that does not exist. */
const NO_TOOL = [
  'use only names from the list of tools you were given',
  'reach the goal with a tool that you have, or report what you cannot do without it',
];

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
    forget(state, seen, call, result);
    const consecutive = state.last === call.key;
    state.last = call.key;
    const entry = recall(state.calls, call.key) ?? startEntry(call, seen.step);
    const question: RepeatQuestion = {
      call,
      result,
      acts: call.verb === 'execute' || call.verb === 'navigate',
      movedSince: entry.progress === true,
      failedBefore: entry.failed === true,
      stepsSince: seen.step - entry.step,
      sameWrite: isSameWrite(seen, call, result),
    };
    const counting = firstRule(REPEAT_RULES, question);
    const count = counting?.gives(entry.count, result) ?? 1;
    if (count === 1) Object.assign(entry, { since: seen.step, unsure: undefined });
    Object.assign(entry, {
      count,
      progress: undefined,
      step: seen.step,
      failed: result.error === null ? undefined : true,
    });
    remember(state.calls, call.key, entry, MAX_CALLS);
    // A call whose result is unknown needs one more repeat. A write does not: its content is known
    // from the call.
    if (count < threshold + (result.known || question.sameWrite ? 0 : 1)) return null;
    return {
      variant: consecutive ? 'consecutive' : 'recurring',
      count,
      since: entry.since,
      keys: [call.key],
      ...(call.target === null ? {} : { target: call.target }),
      ...capOf(question),
      equal: isKnownToBeEqual(question),
      strength: result.known ? Math.min(1, 0.8 + 0.05 * (count - threshold + 1)) : 0.5,
      rule: counting!.name,
      facts: factsOf(question, entry.unsure === true),
    };
  },

  explain({ count, facts, variant }) {
    const call = `\`${facts.call}\``;
    if (facts.shown)
      return `${call} was called ${count} times, and its results do not tell whether anything changed`;
    if (!facts.known) return `${call} was called ${count} times, and no result was recorded`;
    const between = variant === 'recurring' ? betweenWords(facts) : '';
    return `${call} ${howWords(facts)} ${count} times${facts.failed ? ' with the same error' : ''}${between}`;
  },

  moves: ({ facts }) => {
    if (!facts.known) return ['look at what it did before doing it again', REPORT];
    if (facts.noTool) return NO_TOOL;
    if (facts.failed)
      return [
        'change what its error names before calling it again',
        'stop making this call, report its error, and say what you need to go on',
      ];
    if (facts.others) return ['look at what its last results say before calling it again', REPORT];
    if (facts.written)
      return [
        'if it is done, go on to the next part of the work',
        'if each call does a part, check how much is left before the next',
        REPORT,
      ];
    return [
      'work with the result above: it was the same each time',
      'if it is not what you need, use another tool or other arguments',
      REPORT,
    ];
  },
});

const startEntry = ({ target, wide }: CallPrint, step: number): Entry => ({
  count: 0,
  since: step,
  step,
  target,
  ...(wide ? { wide } : {}),
});

const dependsOn = ({ target, wide }: Entry): Depends => ({ target, wide: wide === true });

/** Drops the calls whose answer this one may have changed, and marks what happened since the others. */
function forget(
  state: State,
  { progress }: Fingerprint,
  call: CallPrint,
  { error }: ResultPrint,
): void {
  const isOther = ([key]: [string, Entry]): boolean => key !== call.key;
  if (!error && call.effect !== 'none')
    state.calls = state.calls.filter(
      (each) => !isOther(each) || !mayChange(call, dependsOn(each[1])),
    );
  // Re-reading something between writes elsewhere is careful work, not a loop.
  if (progress === 'write') state.calls = state.calls.filter((each) => !isOther(each));
  for (const each of state.calls.filter(isOther)) {
    if (progress) each[1].progress = true;
    if (call.verb === 'unknown') each[1].unsure = true;
  }
}

/**
 * A write with equal arguments is a repeat, even if its result shows more of the file each time or
 * its receipt has a new id.
 */
const isSameWrite = (
  { progress }: Fingerprint,
  { verb, target, shell }: CallPrint,
  { error }: ResultPrint,
): boolean =>
  verb === 'write' && (target?.startsWith('file:') === true || !shell) && !progress && !error;

function capOf(question: RepeatQuestion): Pick<Evidence, 'cap'> {
  const rule = firstRule(CAP_RULES, question);
  return rule ? { cap: rule.gives } : {};
}

/**
 * A check that passes may be repeated on purpose: to see whether it is flaky, or for an average.
 */
const isKnownToBeEqual = ({ call, result, sameWrite }: RepeatQuestion): boolean =>
  result.known && !sameWrite && !result.nearly && (call.verb !== 'verify' || result.error !== null);

function factsOf({ call, result, sameWrite }: RepeatQuestion, unsure: boolean): Evidence['facts'] {
  const facts: Evidence['facts'] = {
    call: call.label,
    known: result.known,
    failed: result.error !== null,
    written: sameWrite,
    unsure,
  };
  if (sameWrite && result.known && result.sameInARow === 1) facts.others = true;
  if (result.nearly) facts.nearly = true;
  if (!result.known && result.size > 0) facts.shown = true;
  if (result.error) facts.error = result.error.label;
  if (result.error?.refusal === 'tool') facts.noTool = true;
  return facts;
}

const betweenWords = ({ unsure }: Evidence['facts']): string =>
  unsure
    ? ', with other calls in between'
    : ', and nothing in between could have changed the answer';

function howWords({ failed, written, others, nearly }: Evidence['facts']): string {
  if (failed) return 'failed';
  if (written) return others ? 'was called with the same arguments' : 'did the same';
  return `returned ${nearly ? 'nearly ' : ''}the same result`;
}
