import type { Progress } from '../../fingerprint/fingerprint.ts';
import type { CallPrint, ErrorPrint, ResultPrint } from '../../prints.ts';
import type { Rule } from '../../rule.ts';

/** What the rules of counting look at. */
export interface ErrorQuestion {
  call: CallPrint;
  result: ResultPrint;
  error: ErrorPrint;
  progress: Progress | null;
  /** Words of the call. */
  words: number[];
  /** The last failed call of the tool was the same one, or failed in the same way. */
  sameCall: boolean;
  sameClass: boolean;
  /** It only rewords the last failed call. */
  reworded: boolean;
  /** The message is mostly new. */
  novel: boolean;
  /** The same tests fail as before, after an edit. */
  sameTests: boolean;
  /** The last failure named failing tests. */
  namedTests: boolean;
  /** Everything new in the call comes from the last error message. */
  informed: boolean;
}

const ASKS: ReadonlySet<string> = new Set(['read', 'navigate']);

/**
 * `restarts`: the error told the agent something, so it is the first of its kind. `counts-later`: it
 * counts, but one more is needed.
 */
type ErrorCounting = 'restarts' | 'counts-later' | 'counts';

/** How an error counts. If no rule holds, it counts. */
export const ERROR_RULES: readonly Rule<ErrorQuestion, ErrorCounting>[] = [
  { name: 'another-kind-of-error', when: ({ sameClass }) => !sameClass, gives: 'restarts' },
  {
    name: 'fewer-failures',
    when: ({ progress }) => progress === 'falling',
    gives: 'restarts',
  },
  {
    name: 'another-test-fails',
    when: ({ result, namedTests }) => result.otherTests === true && namedTests,
    gives: 'restarts',
  },
  {
    // Whatever else the message suggests, "not found" is its answer.
    name: 'reworded-question',
    when: ({ call, reworded, sameCall, informed }) =>
      ASKS.has(call.verb) && reworded && !sameCall && !informed,
    gives: 'counts',
  },
  {
    name: 'new-message',
    when: ({ novel, sameTests }) => novel && !sameTests,
    gives: 'restarts',
  },
  {
    name: 'tries-what-the-message-said',
    when: ({ informed }) => informed,
    gives: 'restarts',
  },
  {
    name: 'same-tests-in-a-new-report',
    when: ({ novel, sameTests }) => novel && sameTests,
    gives: 'counts-later',
  },
];

/** Failures that have something other than the tool in common. */
export interface FailureGroup {
  count: number;
  since: number;
  tools: string[];
  keys: string[];
}

/** What the rules of speaking look at. */
export interface FailingQuestion {
  /** Errors of this kind from this tool. */
  count: number;
  /** Each came after an edit. */
  edited: boolean;
  /** A write failed, and something else went through. */
  written: boolean;
  /** Some of the reports were new. */
  fresh: boolean;
  /** Failures with this kind of error, from any tool, and of this call, with any error. */
  byKind: FailureGroup | null;
  byCall: FailureGroup | null;
  threshold: number;
  thresholdAfterEdits: number;
  thresholdOtherwise: number;
}

/** The variants of the evidence. */
export type FailingVariant = 'after-edits' | 'persistent' | 'several-tools' | 'other-words';

const isEnough = (question: FailingQuestion, threshold: number): boolean =>
  question.count >= threshold + (question.fresh ? 1 : 0);
const isOfSeveralTools = ({ byKind }: FailingQuestion): boolean =>
  byKind !== null && byKind.tools.length > 1;

/** Which failures make a loop. If no rule holds, none do. */
export const FAILING_RULES: readonly Rule<FailingQuestion, FailingVariant>[] = [
  {
    name: 'errors-after-edits',
    when: (question) => question.edited && isEnough(question, question.thresholdAfterEdits),
    gives: 'after-edits',
  },
  {
    name: 'errors-although-written',
    when: (question) =>
      question.written && !question.edited && isEnough(question, question.thresholdAfterEdits),
    gives: 'persistent',
  },
  {
    name: 'errors-in-a-row',
    when: (question) =>
      !question.written && !question.edited && isEnough(question, question.threshold),
    gives: 'persistent',
  },
  {
    name: 'error-of-several-tools',
    when: (question) =>
      isOfSeveralTools(question) && question.byKind!.count >= question.thresholdOtherwise,
    gives: 'several-tools',
  },
  {
    name: 'call-with-several-errors',
    when: (question) =>
      !isOfSeveralTools(question) &&
      question.byCall !== null &&
      question.byCall.count >= question.thresholdOtherwise,
    gives: 'other-words',
  },
];
