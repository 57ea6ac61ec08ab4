import type { CallPrint, CallWorld, ResultPrint } from '../../prints.ts';
import { firstRule, type Rule } from '../../rule.ts';
import type { Neutral } from '../fingerprint.ts';

/** What the rules look at. */
export interface NeutralQuestion {
  call: CallPrint;
  result: ResultPrint;
  /** The call, or a failure of its class, was already in this batch. */
  callInBatch: boolean;
  failureInBatch: boolean;
  /** The call was made before. */
  repeated: boolean;
  /**
   * A look, and the first at this part of its target since the context was compacted; its target was
   * looked at before.
   */
  readAgain: boolean;
  /** It follows a wait. */
  waited: boolean;
  /** Whether its answer can change by itself. */
  world: CallWorld;
  /** Only a silence that may be the model's own says so. */
  guessed: boolean;
  /** How many times the call was made since the user named a count, this time included; else 0. */
  times: number;
  /** The count that the user named; 0 if none. */
  asked: number;
}

/** A poll may change nothing. */
const isPollThatWrites = ({ call }: NeutralQuestion): boolean => call.poll && call.verb === 'write';

/**
 * Why a finished call neither counts nor clears. The first rule that applies decides; README.md has
 * cases for each.
 */
export const NEUTRAL_RULES: readonly Rule<NeutralQuestion, Neutral>[] = [
  {
    name: 'wait',
    when: ({ call, result }) => call.verb === 'wait' && !result.error,
    gives: 'wait',
  },
  {
    name: 'temporary-error',
    when: ({ result }) => result.error?.transient === true,
    gives: 'transient-error',
  },
  { name: 'same-call-in-batch', when: ({ callInBatch }) => callInBatch, gives: 'batch' },
  { name: 'same-failure-in-batch', when: ({ failureInBatch }) => failureInBatch, gives: 'batch' },
  { name: 'read-again-after-compaction', when: ({ readAgain }) => readAgain, gives: 'reread' },
  {
    name: 'user-asked-for-repetition',
    when: ({ times, asked }) => times > 1 && times <= asked,
    gives: 'asked',
  },
  {
    // A shell command that waits inside may wait for a file that does not exist yet. A tool that
    // polls and fails was asked for something that it does not know.
    name: 'declared-poll',
    when: ({ call, result }) => call.poll && call.verb !== 'write' && (call.shell || !result.error),
    gives: 'poll',
  },
  {
    name: 'look-after-a-wait',
    when: ({ waited, call }) => waited && call.verb === 'read',
    gives: 'poll',
  },
  {
    name: 'answer-says-waiting',
    when: (question) =>
      question.result.pending && !question.result.error && !isPollThatWrites(question),
    gives: 'poll',
  },
  {
    // A silence that may be the model's own caps force, but does not make a poll.
    name: 'asks-again-what-may-change',
    when: ({ call, result, world, guessed, waited, repeated }) =>
      world === 'open' &&
      !guessed &&
      // A file that is not there yet is what somebody waits for.
      (!result.error || result.failure === 'missing-file') &&
      (waited || repeated) &&
      call.verb !== 'write' &&
      call.verb !== 'nothing',
    gives: 'poll',
  },
];

/** The rule that makes the step neutral; undefined if it counts. */
export const neutralRule = (
  question: NeutralQuestion,
): Rule<NeutralQuestion, Neutral> | undefined => firstRule(NEUTRAL_RULES, question);
