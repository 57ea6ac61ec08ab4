import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { isRewording } from '../../fingerprint/words.ts';
import * as option from '../../option-kinds.ts';
import type { CallPrint, ErrorPrint, ResultPrint } from '../../prints.ts';
import { push, type Recent, recall, remember } from '../../recent.ts';
import { firstRule } from '../../rule.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';
import {
  ERROR_RULES,
  type ErrorQuestion,
  FAILING_RULES,
  type FailingQuestion,
  type FailingVariant,
  type FailureGroup,
} from './rules.ts';

interface Entry {
  class: string;
  count: number;
  since: number;
  /** The call that failed last, and its words. */
  key: string;
  words: number[];
  /** The one thing that all of these calls were about; null if there are several. */
  thing: string | null;
  /** Successes of the tool with other things since the first of these errors, and the last. */
  elsewhere?: number;
  movedOn?: number;
  keys: string[];
  /** The tests that failed last, and how many times they failed as before in a report of new text. */
  failing?: string;
  fresh?: number;
  /** Successful writes since the first of these errors. */
  edits: number;
  /** Successful calls since then that may have changed something. */
  acts: number;
  transient: number;
}

interface State {
  tools: Recent<Entry>;
  /**
   * Failures by kind of error, from any tool, and by call, with any error. Both are cleared by
   * progress.
   */
  kinds: Recent<FailureGroup>;
  calls: Recent<FailureGroup>;
  /** The last tool that failed, and the words of its message. */
  message: { tool: string; words: number[] };
}

/** Successes in a row of a tool with other things after which its failures are forgotten. */
const MOVED_ON = 4;
const MAX_TOOLS = 8;
const MAX_GROUPS = 4;
const MAX_WORDS = 10;
/** Novelty from which an error message counts as new. */
const NOVEL_FROM = 0.2;

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
    const entry = recall(state.tools, call.tool) ?? startEntry(seen.step);
    remember(state.tools, call.tool, entry, MAX_TOOLS);
    if (error.transient) return turnedAway(entry, call, error, options.threshold);
    const question = errorQuestion(state, entry, seen, call, result, error);
    const counting = firstRule(ERROR_RULES, question);
    if (counting?.gives === 'restarts') Object.assign(entry, restarted(error, seen.step));
    else {
      entry.count++;
      if (counting?.gives === 'counts-later') entry.fresh = (entry.fresh ?? 0) + 1;
    }
    noteFailure(state, entry, question);
    const spoken: FailingQuestion = {
      count: entry.count,
      edited: entry.edits >= entry.count - 1,
      // The content of a failed write may have been written in another way in between.
      written: call.verb === 'write' && entry.acts > 0,
      fresh: entry.fresh !== undefined,
      byKind: error.kind === '' ? null : join(state.kinds, error.kind, call, seen.step),
      // A shell command without words is one that the log does not show, so two of them may differ.
      byCall:
        result.known && !(call.shell && question.words.length === 0)
          ? join(state.calls, call.key, call, seen.step)
          : null,
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
      return `\`${facts.tool}\` failed ${count} times, and nothing was changed in between (the last: ${facts.error})`;
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

const startEntry = (step: number): Entry => ({
  class: '',
  count: 0,
  since: step,
  key: '',
  words: [],
  thing: null,
  keys: [],
  edits: 0,
  acts: 0,
  transient: 0,
});

const restarted = (error: ErrorPrint, step: number): Partial<Record<keyof Entry, unknown>> => ({
  class: error.class,
  count: 1,
  since: step,
  keys: [],
  edits: 0,
  acts: 0,
  elsewhere: undefined,
  fresh: undefined,
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

function turnedAway(
  entry: Entry,
  { tool }: CallPrint,
  { label }: ErrorPrint,
  threshold: number,
): Evidence | null {
  entry.transient++;
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

function errorQuestion(
  state: State,
  entry: Entry,
  { progress }: Fingerprint,
  call: CallPrint,
  result: ResultPrint,
  error: ErrorPrint,
): ErrorQuestion {
  const words = call.words.slice(0, MAX_WORDS);
  const sameCall = entry.key === call.key;
  return {
    call,
    result,
    error,
    progress,
    words,
    sameCall,
    sameClass: entry.class === error.class,
    reworded: entry.class !== '' && isRewording(entry.words, words),
    novel: sameCall ? result.run === 1 && result.novelty >= NOVEL_FROM : progress === 'novel',
    // After an edit, a test prints other lines of code even if it fails as before.
    sameTests: result.failing !== undefined && result.failing === entry.failing && entry.edits > 0,
    namedTests: entry.failing !== undefined,
    informed: isInformed(state, entry, call),
  };
}

/** Remembers the call that failed, to compare the next one with it. */
function noteFailure(
  state: State,
  entry: Entry,
  { call, result, error, words }: ErrorQuestion,
): void {
  if (!entry.keys.includes(call.key)) entry.keys = [...entry.keys, call.key].slice(-6);
  const thing = call.target ?? call.key;
  Object.assign(entry, {
    key: call.key,
    words,
    thing: entry.count === 1 || entry.thing === thing ? thing : null,
    movedOn: undefined,
    failing: result.failing,
  });
  state.message = { tool: call.tool, words: error.words };
}

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
  entry: Entry,
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

/**
 * Whether a success of the tool says nothing about its failures: all of them were about one thing,
 * and it worked for another one. After several such successes, the agent has moved on.
 */
function isElsewhere(entry: Entry, call: CallPrint): boolean {
  if (entry.thing === null || entry.thing === (call.target ?? call.key)) return false;
  entry.elsewhere = (entry.elsewhere ?? 0) + 1;
  entry.movedOn = (entry.movedOn ?? 0) + 1;
  return entry.movedOn < MOVED_ON;
}

/**
 * Everything new in the call comes from the last error message: the agent learned something and is
 * trying it.
 */
function isInformed({ message }: State, { words }: Entry, call: CallPrint): boolean {
  if (message.tool !== call.tool) return false;
  const fresh = call.words.filter((word) => !words.includes(word));
  return (
    words.length > 0 && fresh.length > 0 && fresh.every((word) => message.words.includes(word))
  );
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
