import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import * as option from '../../option-kinds.ts';
import type { CallPrint, ErrorPrint } from '../../prints.ts';
import { push, type Recent, recall, remember } from '../../recent.ts';
import { firstRule } from '../../rule.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';
import {
  type ErrorMessage,
  type ErrorStreak,
  errorQuestion,
  isElsewhere,
  noteFailure,
  restarted,
  startErrors,
} from '../error-streak.ts';
import {
  ERROR_RULES,
  type ErrorQuestion,
  FAILING_RULES,
  type FailingQuestion,
  type FailingVariant,
  type FailureGroup,
} from './rules.ts';

interface State {
  tools: Recent<ErrorStreak>;
  /**
   * Failures by kind of error, from any tool, and by call, with any error. Both are cleared by
   * progress.
   */
  kinds: Recent<FailureGroup>;
  calls: Recent<FailureGroup>;
  /** The last tool that failed, and the words of its message. */
  message: ErrorMessage;
}

const MAX_TOOLS = 8;
const MAX_GROUPS = 4;

export const repeatedError = defineDetector({
  name: 'repeated-error',
  status: 'stable',
  watches: ['call-finished'],
  alsoNeutral: ['transient-error'],
  rungs: { first: 'note', highest: 'stop' },
  advises: ['transient'],
  options: {
    threshold: option.integer(3, { from: 2 }, 'Errors of one kind from one tool that make a loop.'),
    thresholdAfterEdits: option.integer(
      4,
      { from: 2 },
      'The same, if each error came after an edit, or a write failed and something else went through.',
    ),
    thresholdOtherwise: option.integer(
      4,
      { from: 2 },
      'The same, if one error comes from several tools, or other errors from one call.',
    ),
  },
  start: (): State => ({ tools: [], kinds: [], calls: [], message: { tool: '', words: [] } }),

  step(state, seen, options) {
    const { call, result } = seen;
    if (!call || !result) return null;
    if (seen.progress && (!result.error || seen.progress === 'falling'))
      Object.assign(state, { kinds: [], calls: [] });
    if (!result.error) return succeeded(state, seen, call);
    const { error } = result;
    const entry = recall(state.tools, call.tool) ?? startErrors(seen.step);
    remember(state.tools, call.tool, entry, MAX_TOOLS);
    if (error.transient) return turnedAway(entry, seen.batch, call, error, options.threshold);
    const question = errorQuestion(state.message, entry, seen, call, result, error);
    const counting = firstRule(ERROR_RULES, question);
    if (counting?.gives === 'restarts') Object.assign(entry, restarted(error, seen.step));
    else {
      entry.count++;
      if (counting?.gives === 'counts-later') entry.fresh = (entry.fresh ?? 0) + 1;
    }
    noteFailure(entry, question);
    state.message = { tool: call.tool, words: error.words };
    const spoken: FailingQuestion = {
      ...failingQuestion(state, entry, question, seen.step),
      ...options,
    };
    const rule = firstRule(FAILING_RULES, spoken);
    if (!rule) return null;
    return rule.gives === 'several-tools' || rule.gives === 'other-words'
      ? ofGroup(rule, spoken, call, error)
      : ofTool(rule, entry, call, error);
  },

  explain({ count, variant, facts }) {
    if (variant === 'transient')
      return `\`${facts.tool}\` was turned away ${count} times by a temporary error (${facts.error})`;
    if (variant === 'several-tools')
      return `${count} calls (\`${facts.tool}\`) failed with the same error (${facts.error})`;
    if (variant === 'other-words')
      return `\`${facts.tool}\` failed ${count} times, and nothing that was done in between has helped (the last: ${facts.error})`;
    const despite = variant === 'after-edits' ? ', each time after another edit' : '';
    const how = facts.error === '' ? '' : ` in the same way${despite} (${facts.error})`;
    return facts.elsewhere
      ? `\`${facts.tool}\` failed ${count} times for one thing${how}, and worked only for others`
      : `\`${facts.tool}\` failed ${count} times in a row${how}`;
  },

  moves: ({ variant }) =>
    variant === 'transient'
      ? [
          'wait before trying again, twice as long each time, and do something else meanwhile',
          'if it keeps failing, report it',
        ]
      : variant === 'after-edits'
        ? [
            'read the failing lines and print the actual value before the next edit',
            'check that the edited code is what runs',
            'revert to the last better state and look for the cause elsewhere',
          ]
        : variant === 'several-tools'
          ? [
              'remove what causes the error, but switch off no protection: any command will meet it',
              'otherwise stop, report the error, and say what you need to go on',
            ]
          : [
              'change what the error names before the next try',
              'reach the goal with another tool or in another way',
              'if something is missing that you cannot provide, report it',
            ],
});

/** A success ends the failures of its tool, and counts among what happened since those of others. */
function succeeded(state: State, { progress }: Fingerprint, call: CallPrint): null {
  state.tools = state.tools.filter(
    ([tool, entry]) => tool !== call.tool || isElsewhere(entry, call),
  );
  for (const [, entry] of state.tools) {
    if (progress === 'write') entry.edits++;
    if (call.effect !== 'none') entry.acts++;
  }
  return null;
}

/** Calls of one response were made before the first of them was turned away, so they count once. */
function turnedAway(
  entry: ErrorStreak,
  batch: string,
  { tool }: CallPrint,
  { label }: ErrorPrint,
  threshold: number,
): Evidence | null {
  if (entry.turnedAwayIn !== batch) entry.transient++;
  entry.turnedAwayIn = batch;
  if (entry.transient < threshold) return null;
  return {
    variant: 'transient',
    count: entry.transient,
    since: entry.since,
    keys: [`transient:${tool}`],
    strength: 0.6,
    cap: 'note',
    facts: { tool, error: label, first: entry.since },
  };
}

/** What is known about all failures that this one may belong to. */
const failingQuestion = (
  { kinds, calls }: State,
  { count, edits, acts, fresh }: ErrorStreak,
  { call, result, error, words }: ErrorQuestion,
  step: number,
): Omit<FailingQuestion, 'threshold' | 'thresholdAfterEdits' | 'thresholdOtherwise'> => ({
  count,
  edited: edits >= count - 1,
  // The content of a failed write may have been written in another way in between.
  written: call.verb === 'write' && acts > 0,
  fresh: fresh !== undefined,
  byKind: error.kind === '' ? null : join(kinds, error.kind, call, step),
  // A shell command without words is one that the log does not show, so two of them may differ.
  byCall:
    result.known && !(call.shell && words.length === 0) ? join(calls, call.key, call, step) : null,
});

/** Failures with one kind of error, or of one call. */
function ofGroup(
  { name, gives }: { name: string; gives: FailingVariant },
  { byKind, byCall }: FailingQuestion,
  call: CallPrint,
  error: ErrorPrint,
): Evidence {
  const { count, since, keys, tools } = (gives === 'several-tools' ? byKind : byCall)!;
  const tool = gives === 'several-tools' ? tools.slice(-3).join('`, `') : call.label;
  return {
    variant: gives,
    count,
    since,
    keys: [`error:${error.class}`, ...keys],
    strength: 0.7,
    rule: name,
    facts: { tool, error: error.label, first: since },
  };
}

/** Failures of one tool. */
function ofTool(
  { name, gives }: { name: string; gives: FailingVariant },
  entry: ErrorStreak,
  { tool, target }: CallPrint,
  error: ErrorPrint,
): Evidence {
  const { count, since, keys } = entry;
  const facts: Evidence['facts'] = { tool, error: error.label, first: since };
  if (entry.elsewhere) facts.elsewhere = true;
  return {
    variant: gives,
    count,
    since,
    keys: [`error:${error.class}`, ...keys],
    ...(target === null ? {} : { target }),
    // Different calls, or the same call after a change, may well succeed the next time.
    equal: entry.acts === 0 && keys.length === 1,
    strength: gives === 'after-edits' ? 0.7 : 0.8,
    rule: name,
    facts,
  };
}

/** Adds a failure to its group. */
function join(
  groups: Recent<FailureGroup>,
  name: string,
  call: CallPrint,
  step: number,
): FailureGroup {
  const group = recall(groups, name) ?? { count: 0, since: step, tools: [], keys: [] };
  group.count++;
  if (!group.tools.includes(call.tool)) push(group.tools, call.tool, 4);
  if (!group.keys.includes(call.key)) push(group.keys, call.key, 6);
  return remember(groups, name, group, MAX_GROUPS);
}
