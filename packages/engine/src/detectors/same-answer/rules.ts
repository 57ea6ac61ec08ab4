import { isAboutAnother } from '../../fingerprint/spawns.ts';
import { isRewording } from '../../fingerprint/words.ts';
import type { CallPrint, ResultPrint } from '../../prints.ts';
import type { Rule } from '../../rule.ts';

export interface AnswerStreak {
  answer: string;
  /** Distinct calls that got this answer. */
  keys: string[];
  count: number;
  since: number;
  batch: string;
  /** Steps with progress since the answer last came. */
  progress: number;
  /** Words of the last question, and how many questions in a row only reworded the previous one. */
  words: number[];
  reworded: number;
  /** The tool has found something else since. */
  found?: true;
  /** What the first of its tasks names, if they are tasks for agents. */
  names?: readonly number[];
}

/** What the rules look at. */
export interface AnswerQuestion {
  call: CallPrint;
  result: ResultPrint;
  /** The tool, or `nothing` for all commands that do nothing. */
  group: string;
  /** Words of the question. */
  words: number[];
  /** Digest of the answer, or `empty`. */
  answer: string;
  /** The answer that this group got before. */
  entry: AnswerStreak | undefined;
  /** The next item of a list, named by a page, an id or a name: nothing is asked in words. */
  nextValue: boolean;
  /** A question to another agent. */
  delegates: boolean;
  /** What it names, if it starts one. */
  names?: readonly number[] | undefined;
  /** A command without output, which may have done something or not. */
  silent: boolean;
  /** A shorter answer is a confirmation, not a page. */
  shortest: number;
  /** Steps with progress that end a streak. */
  movedOn: number;
}

export const QUESTIONS: ReadonlySet<string> = new Set(['read', 'navigate', 'unknown', 'nothing']);

/**
 * `ignores`: the step says nothing about a streak. `finds`: the streak needs more. `forgets`: there
 * is no streak. `restarts`: a new streak begins.
 */
type Answering = 'ignores' | 'finds' | 'forgets' | 'restarts';

const says = ({ result }: AnswerQuestion): boolean => !result.empty;

/** What an answer means for the streak of its tool. If no rule holds, it is one more of the same. */
export const ANSWER_RULES: readonly Rule<AnswerQuestion, Answering>[] = [
  {
    name: 'no-answer',
    when: ({ result }) => !result.known || result.error !== null,
    gives: 'ignores',
  },
  {
    name: 'not-a-question',
    when: ({ call, delegates, silent }) => !delegates && !silent && !QUESTIONS.has(call.verb),
    gives: 'ignores',
  },
  {
    // What a list brings. A search that finds nothing may have a wrong filter.
    name: 'empty-item-of-a-list',
    when: ({ call, result, nextValue }) => result.empty && nextValue && !call.sought,
    gives: 'ignores',
  },
  {
    name: 'found-after-all',
    when: (question) => says(question) && question.entry?.answer === 'empty',
    gives: 'finds',
  },
  {
    // Different files may have the same content.
    name: 'content-of-a-file',
    when: (question) => says(question) && question.call.target?.startsWith('file:') === true,
    gives: 'forgets',
  },
  {
    name: 'short-confirmation',
    when: (question) =>
      says(question) &&
      (question.result.acknowledgement || question.result.size < question.shortest),
    gives: 'forgets',
  },
  { name: 'first-answer', when: ({ entry }) => entry === undefined, gives: 'restarts' },
  {
    // Agents that each get another item of a list may all say that it is done.
    name: 'task-about-another-thing',
    when: ({ entry, names }) => names !== undefined && isAboutAnother(names, entry!.names ?? []),
    gives: 'restarts',
  },
  {
    // If the tool has found something, only a question like the last one continues the search.
    name: 'another-search',
    when: ({ entry, words }) => entry!.found === true && !isRewording(entry!.words, words),
    gives: 'restarts',
  },
  {
    name: 'another-answer',
    when: ({ entry, answer }) => entry!.answer !== answer,
    gives: 'restarts',
  },
  {
    name: 'progress-since',
    when: ({ entry, movedOn }) => entry!.progress >= movedOn,
    gives: 'restarts',
  },
];

/** As many more questions are needed if the tool found something else in between. */
const MORE = 1;

/** Why the same answer is not worth a word yet. If no rule holds, it is a loop. */
export const QUIET_RULES: readonly Rule<
  AnswerQuestion & { entry: AnswerStreak; threshold: number },
  null
>[] = [
  {
    name: 'too-few-questions',
    when: ({ entry, threshold }) => entry.count < threshold + (entry.found ? MORE : 0),
    gives: null,
  },
  { name: 'only-one-question', when: ({ entry }) => entry.keys.length < 2, gives: null },
  {
    // A check that all of them are gone.
    name: 'one-name-after-another',
    when: ({ call, result, entry, threshold }) =>
      call.shell && result.empty && call.verb !== 'nothing' && entry.reworded < threshold - 1,
    gives: null,
  },
];

/** What kind of answer it is. */
export const VARIANT_RULES: readonly Rule<AnswerQuestion, string>[] = [
  { name: 'commands-that-do-nothing', when: ({ call }) => call.verb === 'nothing', gives: 'no-op' },
  { name: 'commands-without-output', when: ({ silent }) => silent, gives: 'silent' },
  { name: 'nothing-found', when: ({ result }) => result.empty, gives: 'empty' },
  { name: 'same-page', when: () => true, gives: 'page' },
];
