import type { CallPrint, ResultPrint } from '../../prints.ts';
import { firstRule, type Rule } from '../../rule.ts';
import type { Neutral, Progress } from '../fingerprint.ts';
import { SAME_BELOW } from '../last-results.ts';

/** What the rules look at. */
export interface ProgressQuestion {
  call: CallPrint;
  result: ResultPrint;
  /** Why the step neither counts nor clears, if it does not. */
  neutral: Neutral | null;
  /** The call was made before, and failed the last time. */
  repeated: boolean;
  failedBefore: boolean;
  /** The same look again at something that only the agent has written to since. */
  ownEdit: boolean;
  /** Nothing like its target, or the content after the write, was seen before. */
  firstLook: boolean;
  /** The tool has found something with every call so far, as far as is remembered. */
  firstInVain: boolean;
  /** The host reports the content after a write. */
  showsContent: boolean;
  /** The same lines were already written to the same target. */
  sameEdit: boolean;
  /** It reports fewer failures than the tool's last report. */
  fewerFailures: boolean;
  /** It failed, but got further than any run since the last success. */
  moreDone: boolean;
  /** An error of this class was seen before. */
  knownError: boolean;
  /** The message has few characters, so most of it may repeat the call's own arguments. */
  shortError: boolean;
  /** The result has several lines, as a report of a check has. */
  report: boolean;
}

/** A result with at least this share of new content is progress. */
export const NOVEL_FROM = 0.2;
/** A write's result of at most this length is only a receipt. */
const RECEIPT = 400;

/** Steps of these kinds are about nothing that could be progress. */
const NEVER: ReadonlySet<string> = new Set<Neutral>(['wait', 'transient-error', 'batch']);
const RUNS: ReadonlySet<string> = new Set(['execute', 'verify']);

const writes = ({ call, result }: ProgressQuestion): boolean =>
  call.verb === 'write' && !result.error;
const isFirstLook = ({ call, result, firstLook }: ProgressQuestion): boolean =>
  call.verb === 'read' && firstLook && call.target !== null && !result.empty && !result.error;
const findsNothing = ({ call, result, repeated }: ProgressQuestion): boolean =>
  call.verb === 'read' && result.empty && !result.error && !repeated;
/** A shell command without words is one that the log hides. It may differ from the one before. */
const isHidden = ({ call }: ProgressQuestion): boolean => call.shell && call.words.length === 0;
/** One of a batch of checks: of something else, with other problems. */
const isAnotherCheck = ({ call, repeated, report }: ProgressQuestion): boolean =>
  call.verb === 'verify' && !repeated && report;

/**
 * What a finished call achieved; null is nothing. The first rule that applies decides; README.md has
 * cases for each.
 */
export const PROGRESS_RULES: readonly Rule<ProgressQuestion, Progress | null>[] = [
  {
    name: 'neutral-step',
    when: ({ neutral }) => neutral !== null && NEVER.has(neutral),
    gives: null,
  },
  {
    // What is new in it is the agent's own edit.
    name: 'look-at-own-edit',
    when: (question) => question.ownEdit && !isFirstLook(question),
    gives: null,
  },
  {
    // Nothing ran, whatever the name was and whatever tools there are instead.
    name: 'no-such-tool',
    when: ({ result }) => result.error?.refusal === 'tool',
    gives: null,
  },
  { name: 'fewer-failures', when: ({ fewerFailures }) => fewerFailures, gives: 'falling' },
  { name: 'further-than-before', when: ({ moreDone }) => moreDone, gives: 'falling' },
  {
    name: 'replaced-by-the-same-text',
    when: ({ call, result }) => call.region?.unchanged === true && !result.error,
    gives: null,
  },
  {
    name: 'content-never-seen-before',
    when: (question) => writes(question) && question.showsContent && question.firstLook,
    gives: 'write',
  },
  {
    name: 'write-that-failed-before',
    when: (question) => writes(question) && !question.showsContent && question.failedBefore,
    gives: 'write',
  },
  {
    name: 'new-write',
    when: (question) =>
      writes(question) && !question.showsContent && !question.sameEdit && !question.repeated,
    gives: 'write',
  },
  {
    // Even if the file has grown or the receipt has a new id.
    name: 'same-write-again',
    when: (question) =>
      writes(question) &&
      (question.call.target?.startsWith('file:') === true ||
        (!question.call.shell && question.result.size <= RECEIPT)),
    gives: null,
  },
  { name: 'first-look', when: isFirstLook, gives: 'first-look' },
  {
    name: 'first-run',
    when: ({ call, result, repeated }) =>
      RUNS.has(call.verb) &&
      !repeated &&
      !result.error &&
      (result.empty || result.acknowledgement || result.novelty >= SAME_BELOW),
    gives: 'first-run',
  },
  {
    // The test that failed before was repaired.
    name: 'another-test-fails',
    when: ({ knownError, result }) => knownError && result.otherTests === true,
    gives: 'novel',
  },
  {
    name: 'same-call-fails-in-other-words',
    when: (question) =>
      question.result.error !== null &&
      question.failedBefore &&
      question.shortError &&
      !isHidden(question),
    gives: null,
  },
  {
    name: 'known-error',
    when: (question) => question.knownError && question.shortError && !isAnotherCheck(question),
    gives: null,
  },
  {
    name: 'quantity-moved',
    when: ({ result }) => result.moved && !result.error,
    gives: 'moved',
  },
  {
    // That there is nothing is learned once. Other words for the question add nothing to it.
    name: 'first-search-in-vain',
    when: (question) => findsNothing(question) && question.firstInVain,
    gives: 'first-look',
  },
  {
    // Whatever else the answer holds: how long it took, what was asked.
    name: 'found-nothing',
    when: findsNothing,
    gives: null,
  },
  {
    name: 'new-content',
    when: ({ call, result }) =>
      result.novelty >= NOVEL_FROM && call.verb !== 'nothing' && result.sameInARow === 1,
    gives: 'novel',
  },
];

/** What a step achieved, and the name of the rule that decided it. */
export function readProgress(question: ProgressQuestion): {
  progress: Progress | null;
  rule: string;
} {
  const rule = firstRule(PROGRESS_RULES, question);
  return rule ? { progress: rule.gives, rule: rule.name } : { progress: null, rule: 'nothing-new' };
}
