import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { isRewording, sharedBy } from '../../fingerprint/words.ts';
import * as option from '../../option-kinds.ts';
import type { CallPrint, ResultPrint } from '../../prints.ts';
import { push, type Recent, recall, remember } from '../../recent.ts';
import { firstRule } from '../../rule.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';
import {
  ANSWER_RULES,
  type AnswerQuestion,
  type AnswerStreak,
  QUESTIONS,
  QUIET_RULES,
  VARIANT_RULES,
} from './rules.ts';

/** A question whose answer was that there is no such thing. */
interface Miss {
  key: string;
  tool: string;
  words: number[];
  step: number;
  batch: string;
}

interface State {
  tools: Recent<AnswerStreak>;
  misses: Miss[];
  /** Searches through files that found nothing, with the words of their patterns. */
  searches: Miss[];
}

const MAX_TOOLS = 16;
const MAX_MISSES = 8;
const MAX_SEARCHES = 10;
const MAX_WORDS = 12;
/**
 * A prompt with fewer words is a command, and an answer with fewer characters is a confirmation.
 */
const FEWEST_WORDS = 3;
const SHORTEST_REPORT = 20;
/** Low, because two prompts that get exactly the same answer are probably the same question. */
const ALIKE_PROMPTS = 0.25;
/**
 * Share of the shorter question's words that another question about the same thing must contain.
 */
const SAME_THING = 0.75;

export const sameAnswer = defineDetector({
  name: 'same-answer',
  status: 'stable',
  watches: ['call-finished'],
  rungs: { first: 'note', highest: 'stop' },
  options: {
    threshold: option.integer(
      4,
      { from: 2 },
      'Different questions with the same empty answer that make a loop.',
    ),
    shortestPage: option.integer(
      200,
      { from: 0 },
      'Minimum length, in characters, of an answer of an unknown tool that counts.',
    ),
    searches: option.integer(
      6,
      { from: 2 },
      'Searches through files for one name, all without a match, that make a loop.',
    ),
    movedOn: option.integer(3, { from: 1 }, 'Steps with progress that end a streak.'),
  },
  start: (): State => ({ tools: [], misses: [], searches: [] }),

  step(state, seen, options) {
    const notThere =
      lookedFor(state, seen, options.threshold) ?? searchedFor(state, seen, options.searches);
    if (notThere) return notThere;
    if (seen.progress) for (const [, entry] of state.tools) entry.progress++;
    const { call, result } = seen;
    if (!call || !result) return null;
    const question = answerQuestion(state, seen, call, result, options);
    const rule = firstRule(ANSWER_RULES, question);
    const { group } = question;
    switch (rule?.gives) {
      case 'ignores':
        return null;
      case 'finds':
        question.entry!.found = true;
        return null;
      case 'forgets':
        state.tools = state.tools.filter(([name]) => name !== group);
        return null;
      case 'restarts':
        // Reading the entry makes it the newest.
        recall(state.tools, group);
        remember(state.tools, group, startEntry(question, seen), MAX_TOOLS);
        return null;
      default:
        return count(state, question, seen.batch, options.threshold);
    }
  },

  explain({ count, variant, facts }) {
    if (variant === 'no-op')
      return `${count} commands in a row did nothing (the last: \`${facts.tool}\`)`;
    if (variant === 'silent')
      return `${count} variants of one command (\`${facts.tool}\`) printed nothing`;
    if (variant === 'not-there')
      return `${count} calls (\`${facts.tool}\`) looked for the same thing, and none found it`;
    const got = variant === 'empty' ? 'found nothing' : 'got the very same answer';
    return `${count} ${facts.reworded ? 'differently worded' : 'different'} calls to \`${facts.tool}\` ${got}`;
  },

  moves: ({ variant }) => MOVES[variant] ?? MOVES.page!,
});

const NOT_THERE = [
  'assume that nothing matches these words, and list what is there',
  'look in another place, or ask for the right name',
  'go on without it and say so',
];
const MOVES: Readonly<Record<string, readonly string[]>> = {
  'no-op': ['run a command that shows or changes something', 'say what you need to know next'],
  silent: [
    'look at what the command did before you run it again',
    'check one of its parts by itself, with output',
  ],
  empty: NOT_THERE,
  'not-there': NOT_THERE,
  page: [
    'work with this one answer: other words do not change it',
    'ask something else, or another source',
  ],
};

/** No argument asks something in words. */
const isValue = ({ shell, parts }: CallPrint): boolean =>
  !shell && parts.every((part) => part.length === 2);

function answerQuestion(
  { tools }: State,
  { nextItem, spawns }: Fingerprint,
  call: CallPrint,
  result: ResultPrint,
  { shortestPage, movedOn }: { shortestPage: number; movedOn: number },
): AnswerQuestion {
  const words = call.words.slice(0, MAX_WORDS);
  const group = call.verb === 'nothing' ? 'nothing' : call.tool;
  const entry = tools.find(([name]) => name === group)?.[1];
  const answer = result.empty ? 'empty' : result.digest;
  // A question to another agent counts as a question, too.
  const delegates = call.verb === 'execute' && !call.shell && call.target === null;
  const isPrompt =
    delegates &&
    words.length >= FEWEST_WORDS &&
    (entry === undefined || isRewording(entry.words, words, ALIKE_PROMPTS));
  const isSearch = call.asks === 'content' && !call.shell && !nextItem;
  return {
    call,
    result,
    group,
    words,
    answer,
    entry,
    nextValue: nextItem === true && isValue(call),
    delegates,
    names: spawns?.names,
    silent: call.verb === 'execute' && call.shell && result.empty,
    shortest: isPrompt || isSearch ? SHORTEST_REPORT : shortestPage,
    movedOn,
  };
}

const startEntry = (
  { answer, call, words, names }: AnswerQuestion,
  { step, batch }: Fingerprint,
): AnswerStreak => ({
  answer,
  keys: [call.key],
  count: 1,
  since: step,
  batch,
  progress: 0,
  words,
  reworded: 0,
  ...(names === undefined ? {} : { names }),
});

/** Counts one more question with the same answer. */
function count(
  { tools, searches }: State,
  question: AnswerQuestion,
  batch: string,
  threshold: number,
): Evidence | null {
  const { call, group, words } = question;
  const entry = recall(tools, group)!;
  const again = entry.keys.includes(call.key) && call.verb !== 'nothing';
  if (!entry.keys.includes(call.key)) push(entry.keys, call.key, 8);
  if (!again && entry.batch !== batch) entry.count++;
  // The program and its options are not wording, so a command is a rewording only if it just adds
  // or just drops words.
  const isReworded =
    isRewording(entry.words, words, call.shell ? 1 : undefined) && !isForOther(call, searches);
  Object.assign(entry, {
    batch,
    progress: 0,
    reworded: isReworded ? entry.reworded + 1 : 0,
    words,
  });
  if (firstRule(QUIET_RULES, { ...question, entry, threshold })) return null;
  const { name, gives } = firstRule(VARIANT_RULES, question)!;
  return {
    variant: gives,
    count: entry.count,
    since: entry.since,
    keys: [`answer:${group}`, ...entry.keys],
    strength: 0.7,
    // Different questions may have been meant to confirm that nothing is there.
    ...(call.verb === 'nothing' || (entry.reworded > 0 && !question.silent)
      ? {}
      : { cap: 'note' as const }),
    rule: name,
    facts: { tool: call.tool, reworded: entry.reworded >= entry.count - 1 },
  };
}

/** A search for other words than the last one, in the same place, is another question. */
const isForOther = ({ sought }: CallPrint, searches: readonly Miss[]): boolean =>
  sought !== undefined && sharedBy(searches.at(-2)?.words ?? [], sought) === 0;

/** Finds several searches for one thing, with more than one tool, that did not find it. */
function lookedFor(
  state: State,
  { call, result, progress, step, batch }: Fingerprint,
  threshold: number,
): Evidence | null {
  if (progress === 'write') state.misses = [];
  // In a shell command, the name to look for cannot be distinguished from the place to look in.
  if (!call || !result?.missing || call.shell || !QUESTIONS.has(call.verb)) return null;
  const words = call.words.slice(0, MAX_WORDS);
  const same = state.misses.filter(
    (each) => each.batch !== batch && isSameThing(each.words, words),
  );
  push(state.misses, { key: call.key, tool: call.tool, words, step, batch }, MAX_MISSES);
  const tools = [...new Set([...same.map(({ tool }) => tool), call.tool])];
  if (same.length + 1 < threshold || tools.length < 2) return null;
  return {
    variant: 'not-there',
    count: same.length + 1,
    since: same[0]!.step,
    keys: [...new Set([...same.map(({ key }) => key), call.key])],
    strength: 0.7,
    // The thing may be in a place that was not searched.
    cap: 'note',
    facts: { tool: tools.slice(-3).join('`, `') },
  };
}

/** Finds many searches through files whose patterns have a word in common and match nothing. */
function searchedFor(
  state: State,
  { call, result, progress, step, batch }: Fingerprint,
  threshold: number,
): Evidence | null {
  if (progress === 'write') state.searches = [];
  if (!call?.sought || !result?.known || result.error) return null;
  const words = call.sought;
  const isSame = (each: Miss): boolean => sharedBy(each.words, words) > 0;
  if (!result.empty) {
    state.searches = state.searches.filter((each) => !isSame(each));
    return null;
  }
  const same = state.searches.filter((each) => each.batch !== batch && isSame(each));
  push(state.searches, { key: call.key, tool: call.tool, words, step, batch }, MAX_SEARCHES);
  const keys = [...new Set([...same.map(({ key }) => key), call.key])];
  if (same.length + 1 < threshold || keys.length < 2) return null;
  return {
    variant: 'not-there',
    count: same.length + 1,
    since: same[0]!.step,
    keys,
    strength: 0.7,
    // The searches may have been meant to confirm that nothing is left.
    cap: 'note',
    facts: { tool: [...new Set([...same.map(({ tool }) => tool), call.tool])].join('`, `') },
  };
}

function isSameThing(one: readonly number[], other: readonly number[]): boolean {
  const fewer = Math.min(one.length, other.length);
  return fewer > 0 && sharedBy(one, other) >= SAME_THING * fewer;
}
