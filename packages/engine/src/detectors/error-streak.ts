import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { isRewording } from '../fingerprint/words.ts';
import type { CallPrint, ErrorPrint, ResultPrint } from '../prints.ts';
import type { ErrorQuestion } from './repeated-error/rules.ts';

/** Errors of one kind from one tool. */
export interface ErrorStreak {
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
  /** The response whose calls were turned away last. */
  turnedAwayIn?: string;
}

/** The last tool that failed, and the words of its message. */
export interface ErrorMessage {
  tool: string;
  words: number[];
}

/** Successes in a row of a tool with other things after which its failures are forgotten. */
const MOVED_ON = 4;
const MAX_WORDS = 10;
/** Novelty from which an error message counts as new. */
const NOVEL_FROM = 0.2;

export const startErrors = (step: number): ErrorStreak => ({
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

export const restarted = (
  error: ErrorPrint,
  step: number,
): Partial<Record<keyof ErrorStreak, unknown>> => ({
  class: error.class,
  count: 1,
  since: step,
  keys: [],
  edits: 0,
  acts: 0,
  elsewhere: undefined,
  fresh: undefined,
});

/** Reads what the rules of counting look at. */
export function errorQuestion(
  message: ErrorMessage,
  entry: ErrorStreak,
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
    novel: sameCall
      ? result.sameInARow === 1 && result.novelty >= NOVEL_FROM
      : progress === 'novel',
    // After an edit, a test prints other lines of code even if it fails as before.
    sameTests: result.failing !== undefined && result.failing === entry.failing && entry.edits > 0,
    namedTests: entry.failing !== undefined,
    informed: isInformed(message, entry, call),
  };
}

/** Remembers the call that failed, to compare the next one with it. */
export function noteFailure(entry: ErrorStreak, { call, result, words }: ErrorQuestion): void {
  if (!entry.keys.includes(call.key)) entry.keys = [...entry.keys, call.key].slice(-6);
  const thing = call.target ?? call.key;
  Object.assign(entry, {
    key: call.key,
    words,
    thing: entry.count === 1 || entry.thing === thing ? thing : null,
    movedOn: undefined,
    failing: result.failing,
  });
}

/**
 * Whether a success of the tool says nothing about its failures: all of them were about one thing,
 * and it worked for another one. After several such successes, the agent has moved on.
 */
export function isElsewhere(entry: ErrorStreak, call: CallPrint): boolean {
  if (entry.thing === null || entry.thing === (call.target ?? call.key)) return false;
  entry.elsewhere = (entry.elsewhere ?? 0) + 1;
  entry.movedOn = (entry.movedOn ?? 0) + 1;
  return entry.movedOn < MOVED_ON;
}

/**
 * Everything new in the call comes from the last error message: the agent learned something and is
 * trying it.
 */
function isInformed(message: ErrorMessage, { words }: ErrorStreak, call: CallPrint): boolean {
  if (message.tool !== call.tool) return false;
  const fresh = call.words.filter((word) => !words.includes(word));
  return (
    words.length > 0 && fresh.length > 0 && fresh.every((word) => message.words.includes(word))
  );
}
