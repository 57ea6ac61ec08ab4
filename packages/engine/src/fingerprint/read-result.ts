import type { CallFinished } from '../event.ts';
import { readFailure } from '../failures/read-failure.ts';
import { hash64 } from '../hash.ts';
import type { CallPrint, ResultPrint } from '../prints.ts';
import { push, type Recent, recall, remember } from '../recent.ts';
import { redact } from '../redact/redact.ts';
import { PLACEHOLDER } from '../shell/shell.ts';
import { isEcho } from './echo.ts';
import { errorClass } from './error-class.ts';
import { failuresIn } from './failures.ts';
import type { Seen } from './novelty.ts';
import { isPending } from './pending.ts';
import {
  contentOf,
  isAcknowledgement,
  isEmptyResult,
  saysMissing,
  saysNothing,
  withoutCosts,
  withoutLabel,
} from './result-text.ts';
import { scanLines, type TextScan } from './scan.ts';
import { holdsState } from './state-answer.ts';

/**
 * If less than this share of its content is new, the result of an equal call is the same result.
 */
export const SAME_BELOW = 0.05;
/** In a shorter result every difference counts. */
const LONG = 200;
/** A value is noise if it changed in this many results of a call while nothing else did. */
const LEARNED_AFTER = 4;
/** More values that change together are content, not a clock. */
const MAX_NOISY_VALUES = 2;
const MAX_CALLS = 48;
const MAX_LEARNED = 32;

/** What is kept of each recent call, to tell whether its next result is the same. */
export interface Known {
  digest: string;
  shape: string;
  values: number[] | null;
  quantities: number;
  /** Bit mask of the values that have changed. */
  noisy: number;
  /** How many results in a row are the same, and how many are the same except for noisy values. */
  run: number;
  alike: number;
  /** How many very long waits of the session came before it, if any. */
  rests?: number;
  failed?: true;
}

export interface ResultState {
  calls: Recent<Known>;
  /** Tool and shape of results whose changing values were learned to be noise. */
  learned: string[];
}

export const startResults = (): ResultState => ({ calls: [], learned: [] });

/** Programs whose exit code 1 is an answer, not an error. */
const ANSWERS_BY_EXIT_CODE =
  /^(?:[efpz]?grep|rg|ag|ack|diff|cmp|test|git (?:diff|grep)|which|command|type|\[\[?)$/;

/** Reads the result of a finished call and compares it with the call's earlier results. */
export function readResult(
  state: ResultState,
  seen: Seen,
  event: CallFinished,
  call: CallPrint,
  rests: number,
  seed: number,
): ResultPrint {
  const content = contentOf(withoutLabel(event.result === undefined ? '' : event.result));
  const text = withoutCosts(resultTextOf(event, content.text));
  const given =
    event.result !== undefined ||
    (event.error !== undefined && event.error !== null && typeof event.error !== 'boolean');
  const failures = failuresIn(text);
  const scan = scanLines(text, seed, call.verb === 'read' || call.verb === 'navigate');
  const error =
    event.refusedBy === 'user'
      ? null
      : errorClass({
          tool: call.tool,
          text,
          failed: (call.verb === 'verify' && (failures ?? 0) > 0) || hostWord(event, call, text),
          refusedBy: event.refusedBy,
          content: call.verb === 'read' && call.target?.startsWith('file:') === true,
          asked: call.verb === 'read',
          fields: content.fields,
          seed,
        });
  const known = given && (saysSomething(call, text) || (error !== null && !PLACEHOLDER.test(text)));
  // Two errors that the log hides cannot be known to be the same, so each gets its own class.
  if (error && given && !known) error.class = hash64(`${call.tool}|${event.call.id}`, seed);
  // Finding that one thing is gone and then another is work on a list, so each target gets its own
  // class.
  else if (
    error &&
    call.verb === 'write' &&
    call.target &&
    !/^(?:file|element):/.test(call.target) &&
    GONE.test(error.label)
  )
    error.class = hash64(`${error.class}|${call.target}`, seed);
  const empty = known && !error && (call.verb === 'nothing' || isEmptyResult(content));
  const print: ResultPrint = {
    known,
    digest: known ? scan.digest : 'none',
    run: 1,
    novelty: seen.novelty(scan),
    size: text.length,
    empty,
    missing: empty || (known && saysMissing(text)),
    acknowledgement: isAcknowledgement(text),
    error: error && { ...error, label: redact(error.label) },
    pending: known && !error && isPending(call, text),
    state:
      known &&
      !error &&
      !call.target?.startsWith('file:') &&
      holdsState(text, call.asks === 'state'),
    echo: isEcho(text, event.call.args),
    failures,
    moved: false,
    ...readFailure(event, call, text, error, failures),
  };
  compare(state, call, print, scan, rests, seed);
  return print;
}

const GONE = /not found|does(?: not|n't) exist|no such/i;

/**
 * A receipt for an action, the empty output of `cd`, or a link to something shown elsewhere does
 * not tell what happened.
 */
const saysSomething = ({ shell, verb }: CallPrint, text: string): boolean =>
  !saysNothing(text, !shell && ACTS.has(verb)) &&
  !(shell && verb === 'navigate' && text.trim() === '');
const ACTS = new Set<string>(['execute', 'navigate', 'unknown']);

/**
 * Sets the digest and the run of `print` by comparing it with the call's last result, and remembers
 * it.
 */
function compare(
  state: ResultState,
  call: CallPrint,
  print: ResultPrint,
  scan: TextScan,
  rests: number,
  seed: number,
): void {
  const { shape, quantities } = scan;
  const now: Known = {
    digest: print.digest,
    shape,
    values: scan.worded ? scan.values : null,
    quantities,
    noisy: 0,
    run: 1,
    alike: 1,
  };
  if (rests > 0) now.rests = rests;
  if (print.error) now.failed = true;
  const before = recall(state.calls, call.key);
  print.moved = before !== undefined && before.quantities !== quantities;
  if (before) {
    if (before.digest === print.digest || isBarelyNew(before, print, quantities)) {
      now.run = before.run + 1;
      now.alike = before.alike + 1;
      now.noisy = before.noisy;
      now.digest = before.digest;
    } else if (differsByNoise(before, now)) {
      now.alike = before.alike + 1;
      if (isLearned(state, hash64(`${call.tool} ${shape}`, seed), now.alike)) {
        now.run = now.alike;
        now.digest = before.digest;
        print.novelty = 0;
        print.nearly = true;
      }
    }
  }
  print.run = now.run;
  print.digest = now.digest;
  remember(state.calls, call.key, now, MAX_CALLS);
}

/**
 * Almost nothing in it is new, and no quantity has moved. An empty result after a non-empty one
 * counts as new.
 */
const isBarelyNew = (before: Known, print: ResultPrint, quantities: number): boolean =>
  print.known &&
  print.size >= LONG &&
  before.digest !== 'none' &&
  print.novelty < SAME_BELOW &&
  before.quantities === quantities;

/** Only one or two values without a direction have changed since. Records which ones. */
function differsByNoise(before: Known, now: Known): boolean {
  if (before.shape !== now.shape || !now.values || before.values?.length !== now.values.length)
    return false;
  now.noisy = before.noisy;
  for (let i = 0; i < now.values.length; i++)
    if (now.values[i] !== before.values[i]) now.noisy |= 1 << i;
  return bits(now.noisy) <= MAX_NOISY_VALUES;
}

function isLearned(state: ResultState, name: string, alike: number): boolean {
  if (state.learned.includes(name)) return true;
  if (alike < LEARNED_AFTER) return false;
  push(state.learned, name, MAX_LEARNED);
  return true;
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** What the host says: true for failed, false for succeeded, undefined if it does not say. */
function hostWord(event: CallFinished, call: CallPrint, text: string): boolean | undefined {
  const { result, error, exitCode, refusedBy } = event;
  if (refusedBy !== undefined) return true;
  const { isError } = (typeof result === 'object' && result !== null ? result : {}) as {
    isError?: unknown;
  };
  if (error || isError === true || (exitCode ?? 0) !== 0)
    return !(call.shell && foundNothing(call.tool, exitCode, text));
  if (call.muted && (call.verb === 'execute' || call.verb === 'verify')) return undefined;
  return error === false || isError === false || exitCode === 0 ? false : undefined;
}

/** Exit code 1 of a program that looks something up, without any message about an error. */
const foundNothing = (tool: string, exitCode = 1, text: string): boolean =>
  exitCode === 1 &&
  ANSWERS_BY_EXIT_CODE.test(tool) &&
  (/^(?:diff|cmp|git diff)$/.test(tool) || NO_WORD.test(text));
const NO_WORD =
  /^\s*(?:(?:error: )?(?:command failed with )?exit(?:ed with)?(?: code)?:? ?1\W*)?\s*$/i;

/** The error message and the result, as far as there are any, as the model reads them. */
export function resultTextOf({ error }: CallFinished, result: string): string {
  const said =
    typeof error === 'object' && error !== null
      ? ((error as { message?: unknown }).message ?? error)
      : error;
  const message =
    typeof said === 'string' || typeof said === 'object' ? contentOf(said ?? '').text : '';
  return message && result && message !== result ? `${message}\n${result}` : message || result;
}
