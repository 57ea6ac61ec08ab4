import type { CallPrint, ResultPrint } from '../../prints.ts';
import type { Rule } from '../../rule.ts';

interface KindQuestion {
  call: CallPrint;
  result: ResultPrint;
  /** Minimum length, in characters, of a result that is compared. */
  shortest: number;
}

const ASKS: ReadonlySet<string> = new Set(['read', 'navigate', 'unknown']);
const asks = ({ call, result }: KindQuestion): boolean =>
  ASKS.has(call.verb) && result.known && !result.error;

/** What a call is compared with. If no rule holds, with nothing. */
export const KIND_RULES: readonly Rule<
  KindQuestion,
  'write' | 'action' | 'file' | 'question' | null
>[] = [
  { name: 'write', when: ({ call }) => call.verb === 'write', gives: 'write' },
  {
    name: 'action-of-a-tool',
    when: ({ call, result }) => call.verb === 'execute' && !call.shell && result.known,
    gives: 'action',
  },
  {
    name: 'look-at-a-file',
    when: (question) =>
      asks(question) &&
      question.call.verb === 'read' &&
      question.call.target?.startsWith('file:') === true,
    gives: 'file',
  },
  {
    // All confirmations are alike. An empty answer is left to `same-answer`.
    name: 'short-or-empty-answer',
    when: ({ result, shortest }) =>
      result.acknowledgement || result.empty || result.size < shortest,
    gives: null,
  },
  { name: 'question', when: asks, gives: 'question' },
];

/** What the rules of a loop look at: questions to one source without anything new. */
export interface LoopQuestion {
  call: CallPrint;
  result: ResultPrint;
  /** A search through files, where known lines show up again and it is still work. */
  inFiles: boolean;
  /** All questions in a row, this one included, and how many of them differ. */
  tries: number;
  calls: number;
  /** The same, of those that are like this one. */
  similar: number;
  similarCalls: number;
  /** How many of the similar ones got the same answer. */
  equal: number;
  /** The similar ones differ only in numbers. */
  sameShape: boolean;
  options: {
    threshold: number;
    equalAfter: number;
    fruitlessAfter: number;
    shortestFruitless: number;
  };
}

const isSimilar = ({ similar, equal, result, options }: LoopQuestion): boolean =>
  similar >= options.threshold ||
  // If even the answers are equal, fewer calls are enough.
  (equal >= options.equalAfter && result.size >= options.shortestFruitless);
/** `repeated-call` counts exact repeats. */
const isExactRepeat = ({ result }: LoopQuestion): boolean => result.sameInARow > 1;

/** Which questions make a loop, and whether all of them count or only the similar ones. */
export const LOOP_RULES: readonly Rule<
  LoopQuestion,
  { variant: 'reworded' | 'drift' | 'fruitless'; of: 'similar' | 'all' }
>[] = [
  {
    name: 'other-words',
    when: (question) => isSimilar(question) && question.similarCalls > 1 && !question.sameShape,
    gives: { variant: 'reworded', of: 'similar' },
  },
  {
    name: 'other-numbers',
    when: (question) =>
      isSimilar(question) &&
      question.similarCalls > 1 &&
      question.sameShape &&
      !isExactRepeat(question),
    gives: { variant: 'drift', of: 'similar' },
  },
  {
    // Enough questions to one source without anything new, however they are worded.
    name: 'many-questions',
    when: (question) =>
      !isSimilar(question) &&
      !isExactRepeat(question) &&
      question.call.verb === 'read' &&
      question.call.target === null &&
      !question.inFiles &&
      question.calls > 1 &&
      question.tries >= question.options.fruitlessAfter &&
      question.result.size >= question.options.shortestFruitless,
    gives: { variant: 'fruitless', of: 'all' },
  },
];
