import type { Rung } from '../../event.ts';
import type { CallPrint, ResultPrint } from '../../prints.ts';
import type { Rule } from '../../rule.ts';

/** What the rules look at. */
export interface RepeatQuestion {
  call: CallPrint;
  result: ResultPrint;
  /** The call does something: a command, a click, a page opened. */
  acts: boolean;
  /** There was progress since it was last made. */
  movedSince: boolean;
  failedBefore: boolean;
  /** Steps since it was last made. */
  stepsSince: number;
  /** A write with equal arguments. */
  sameWrite: boolean;
}

/** Steps after which an earlier call without a recorded result no longer counts. */
const RECENTLY = 30;
/** A shorter result is a confirmation. */
const SHORT = 60;

/** The number of repeats, given the number before. */
type Counting = (before: number, result: ResultPrint) => number;
const restarts: Counting = () => 1;

/** How a call counts. If no rule holds, it is the first of its kind. */
export const REPEAT_RULES: readonly Rule<RepeatQuestion, Counting>[] = [
  {
    // Progress after an action shows that the action had an effect, whatever it returned.
    name: 'action-with-an-effect',
    when: ({ acts, movedSince }) => acts && movedSince,
    gives: restarts,
  },
  {
    // There may be a good reason to make a call again much later.
    name: 'long-ago-without-a-result',
    when: ({ result, stepsSince }) => !result.known && stepsSince > RECENTLY,
    gives: restarts,
  },
  {
    // A call that succeeds does not repeat its failures.
    name: 'success-after-failures',
    when: ({ failedBefore, result }) => failedBefore && !result.error,
    gives: restarts,
  },
  {
    name: 'same-write',
    when: ({ sameWrite }) => sameWrite,
    gives: (before) => before + 1,
  },
  {
    name: 'same-result',
    when: ({ result }) => result.sameInARow > 1,
    gives: (before, { sameInARow }) => Math.min(before + 1, sameInARow),
  },
];

/** Why a note is the most that a repeat justifies. */
export const CAP_RULES: readonly Rule<RepeatQuestion, Rung>[] = [
  { name: 'unknown-result', when: ({ result }) => !result.known, gives: 'note' },
  {
    // It tells little about what the action did.
    name: 'short-confirmation',
    when: ({ call, result, acts }) => acts && !call.shell && !result.error && result.size < SHORT,
    gives: 'note',
  },
  {
    // The call may be a habit between useful steps.
    name: 'progress-in-between',
    when: ({ movedSince }) => movedSince,
    gives: 'note',
  },
];
