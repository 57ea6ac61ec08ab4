import type { CallFinished } from '../event.ts';
import { readFailure } from '../failures/read-failure.ts';
import { hash32, hash64 } from '../hash.ts';
import { type HeaderState, withoutLearnedHeader } from '../outcomes/learned-header.ts';
import { factsOf, readOutcome } from '../outcomes/read-outcome.ts';
import type { CallPrint, ResultPrint } from '../prints.ts';
import { push, type Recent, recall, remember } from '../recent.ts';
import { redact } from '../redact/redact.ts';
import { PLACEHOLDER } from '../shell/shell.ts';
import { doneIn } from './done.ts';
import { isEcho } from './echo.ts';
import { errorClass } from './error-class.ts';
import { failingTests } from './failing-tests.ts';
import { failuresIn } from './failures.ts';
import type { Seen } from './novelty.ts';
import { isGone, isPending } from './pending.ts';
import { isAcknowledgement, isEmptyResult, saysMissing, saysNothing } from './result-text.ts';
import { scanLines, type TextScan } from './scan.ts';
import { countsNone, hasStateField, holdsState } from './state-answer.ts';

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
/** The answer of a clock. */
const CLOCK = /^\s*(?:\w{0,12}(?:time|date|now)\w{0,12}[:=] ?)?\d[\d:.TZ+/ -]{3,35}\s*$/i;
const REPORT = 4096;
/** Failures that waiting does not mend, although a tool may say that it ran out of time. */
const STAYS: ReadonlySet<string> = new Set([
  'bad-arguments',
  'covered-element',
  'edit-mismatch',
  'missing-command',
  'missing-element',
  'missing-option',
  'open-dialog',
  'stale-reference',
  'wrong-control',
]);
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
  /** Header lines at the beginning of each tool's results. */
  headers: HeaderState;
}

export const startResults = (): ResultState => ({ calls: [], learned: [], headers: [] });

/** Reads the result of a finished call and compares it with the call's earlier results. */
export function readResult(
  state: ResultState,
  seen: Seen,
  event: CallFinished,
  call: CallPrint,
  rests: number,
  seed: number,
): ResultPrint {
  const outcome = readOutcome(factsOf(event, call));
  // A state that was saved before headers were learned has none.
  state.headers ??= [];
  const { tool, args } = event.call;
  const text = call.target?.startsWith('file:')
    ? outcome.content
    : withoutLearnedHeader(state.headers, tool, outcome.content, args);
  const given =
    event.result !== undefined ||
    (event.error !== undefined && event.error !== null && typeof event.error !== 'boolean');
  const failures = failuresIn(text);
  const scan = scanLines(text, seed, call.verb === 'read' || call.verb === 'navigate');
  // Elsewhere a time is noise; here it is the answer.
  if (text.length <= REPORT && CLOCK.test(text))
    Object.assign(scan, { digest: hash64(text, seed), quantities: hash32(text), values: null });
  const error =
    (outcome.failed !== 'yes' && !isGone(call, text)) || event.refusedBy === 'user'
      ? null
      : errorClass({
          tool: call.tool,
          text,
          ran: call.shell || call.verb === 'verify',
          refusedBy: event.refusedBy,
          exitCode: outcome.exitCode,
          checks: call.verb === 'verify' || call.target?.startsWith('file:') === true,
          seed,
        });
  // A failing test may print "connection reset" or "429". That is what it tests, not the weather.
  if (error && call.verb === 'verify' && (failures ?? 0) > 0) error.transient = false;
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
  const empty =
    known && !error && (call.verb === 'nothing' || isEmptyResult({ value: outcome.value, text }));
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
      (call.asks === 'news' ? countsNone(text) : holdsState(text, call.asks === 'state')),
    ...(known && !error && !call.target?.startsWith('file:') && hasStateField(text)
      ? { stateField: true as const }
      : {}),
    echo: isEcho(text, event.call.args),
    failures,
    moved: false,
    outcome: { failed: outcome.failed, why: outcome.why, rule: outcome.rule },
    ...readFailure(event, call, text, error, failures),
  };
  if (print.error && STAYS.has(print.failure ?? '')) print.error.transient = false;
  const failing = error && call.verb === 'verify' ? failingIn(text) : null;
  if (failing) {
    print.failing = hash64(failing.withReason, seed);
    print.tests = hash64(failing.names, seed);
  }
  const done = error ? doneIn(text) : null;
  if (done !== null) print.done = done;
  compare(state, call, print, scan, rests, seed);
  return print;
}

/**
 * The names of failing tests, which stand at the beginning or at the end of a report, alone and with
 * what was expected; null if there are none.
 */
function failingIn(text: string): { names: string; withReason: string } | null {
  const ends =
    text.length <= 2 * REPORT ? text : `${text.slice(0, REPORT)}\n${text.slice(-REPORT)}`;
  const { names, reason, beside } = failingTests(ends.split('\n'));
  return names.length === 0
    ? null
    : { names: [...names, ...beside].join('\n'), withReason: [...names, reason].join('\n') };
}

const GONE = /not found|does(?: not|n't) exist|no such/i;

/**
 * A receipt for an action, the empty output of `cd`, or a link to something shown elsewhere does
 * not tell what happened.
 */
const saysSomething = ({ shell, verb, asks }: CallPrint, text: string): boolean =>
  (!saysNothing(text, !shell && ACTS.has(verb)) ||
    // Links are what a search finds.
    (asks === 'content' && !shell && text.includes('://') && !PLACEHOLDER.test(text))) &&
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
      if (before.digest !== print.digest) print.differs = true;
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
