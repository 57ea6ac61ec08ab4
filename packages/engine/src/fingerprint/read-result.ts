import type { CallFinished } from '../event.ts';
import { readFailure } from '../failures/read-failure.ts';
import { hash32, hash64 } from '../hash.ts';
import { withoutLearnedHeader } from '../outcomes/learned-header.ts';
import { factsOf, readOutcome } from '../outcomes/read-outcome.ts';
import type { CallPrint, ErrorPrint, ResultPrint } from '../prints.ts';
import { redact } from '../redact/redact.ts';
import { PLACEHOLDER } from '../shell/shell.ts';
import { doneIn } from './done.ts';
import { isEcho } from './echo.ts';
import { errorClass } from './error-class.ts';
import { failingTests } from './failing-tests.ts';
import { failuresIn } from './failures.ts';
import { compareResults, type ResultState } from './last-results.ts';
import type { KnownLines } from './novelty.ts';
import { isGone, isPending } from './pending.ts';
import { isAcknowledgement, isEmptyResult, saysMissing, saysNothing } from './result-text.ts';
import { scanLines, type TextScan } from './scan.ts';
import { countsNone, hasStateField, holdsState } from './state-answer.ts';

/** The answer of a clock. */
const CLOCK = /^\s*(?:\w{0,12}(?:time|date|now)\w{0,12}[:=] ?)?\d[\d:.TZ+/ -]{3,35}\s*$/i;
const REPORT = 4096;
/** Failures that waiting does not mend, although a tool may say that it ran out of time. */
const STAYS: ReadonlySet<string> = new Set([
  'bad-arguments',
  'covered-element',
  'edit-mismatch',
  'missing-command',
  'missing-package',
  'missing-element',
  'missing-option',
  'open-dialog',
  'stale-reference',
  'wrong-control',
]);

/** Reads the result of a finished call and compares it with the call's earlier results. */
export function readResult(
  state: ResultState,
  lines: KnownLines,
  event: CallFinished,
  call: CallPrint,
  rests: number,
  seed: number,
): ResultPrint {
  const outcome = readOutcome(factsOf(event, call));
  const text = textOf(state, event, call, outcome.content);
  const given = isGiven(event);
  const failures = failuresIn(text);
  const scan = scanOf(text, call, seed);
  const error = errorOf(event, call, outcome, text, failures, seed);
  const known = given && tells(call, text, error !== null);
  if (error) nameClass(error, event, call, given && !known, seed);
  const empty =
    known && !error && (call.verb === 'nothing' || isEmptyResult({ value: outcome.value, text }));
  const print: ResultPrint = {
    known,
    digest: known ? scan.digest : 'none',
    sameInARow: 1,
    novelty: lines.novelty(scan),
    size: text.length,
    empty,
    missing: empty || (known && saysMissing(text)),
    acknowledgement: isAcknowledgement(text),
    error: error && { ...error, label: redact(error.label) },
    pending: false,
    state: false,
    ...(known && !error ? readState(call, text) : {}),
    echo: isEcho(text, event.call.args),
    failures,
    moved: false,
    outcome: { failed: outcome.failed, why: outcome.why, rule: outcome.rule },
    ...readFailure(event, call, text, error, failures),
  };
  if (print.error) readReport(print, print.error, call, text, seed);
  compareResults(state, call, print, scan, rests, seed);
  return print;
}

/** Whether a text is more than a placeholder for the result. */
const tells = (call: CallPrint, text: string, failed: boolean): boolean =>
  saysSomething(call, text) || (failed && !PLACEHOLDER.test(text));

/** The text that is read: without the header lines that every result of the tool begins with. */
function textOf(
  state: ResultState,
  { call: { tool, args } }: CallFinished,
  { target }: CallPrint,
  content: string,
): string {
  // A state that was saved before headers were learned has none.
  state.headers ??= [];
  return target?.startsWith('file:')
    ? content
    : withoutLearnedHeader(state.headers, tool, content, args);
}

/** Whether the host gave a result, or an error in words. */
const isGiven = ({ result, error }: CallFinished): boolean =>
  result !== undefined || (error !== undefined && error !== null && typeof error !== 'boolean');

function scanOf(text: string, { verb }: CallPrint, seed: number): TextScan {
  const scan = scanLines(text, seed, verb === 'read' || verb === 'navigate');
  // Elsewhere a time is noise; here it is the answer.
  if (text.length <= REPORT && CLOCK.test(text))
    Object.assign(scan, { digest: hash64(text, seed), quantities: hash32(text), values: null });
  return scan;
}

function errorOf(
  { refusedBy }: CallFinished,
  call: CallPrint,
  { failed, exitCode }: ReturnType<typeof readOutcome>,
  text: string,
  failures: number | null,
  seed: number,
): ErrorPrint | null {
  const { tool, shell, verb } = call;
  if ((failed !== 'yes' && !isGone(call, text)) || refusedBy === 'user') return null;
  const ran = shell || verb === 'verify';
  const checks = verb === 'verify' || call.target?.startsWith('file:') === true;
  const error = errorClass({ tool, text, ran, refusedBy, exitCode, checks, seed });
  // A failing test may print "connection reset" or "429". That is what it tests, not the weather.
  if (verb === 'verify' && (failures ?? 0) > 0) error.transient = false;
  return error;
}

/** Returns an error a class of its own if it is not known to be the same as others of its kind. */
function nameClass(
  error: ErrorPrint,
  { call: { id } }: CallFinished,
  { tool, verb, target }: CallPrint,
  isHidden: boolean,
  seed: number,
): void {
  // Two errors that the log hides cannot be known to be the same.
  if (isHidden) error.class = hash64(`${tool}|${id}`, seed);
  // Finding that one thing is gone and then another is work on a list.
  else if (
    verb === 'write' &&
    target &&
    !/^(?:file|element):/.test(target) &&
    GONE.test(error.label)
  )
    error.class = hash64(`${error.class}|${target}`, seed);
}

/** Whether a result names a state. The text of a file is content. */
function readState(
  call: CallPrint,
  text: string,
): Pick<ResultPrint, 'pending' | 'state' | 'stateField'> {
  const pending = isPending(call, text);
  if (call.target?.startsWith('file:')) return { pending, state: false };
  const state = call.asks === 'news' ? countsNone(text) : holdsState(text, call.asks === 'state');
  return { pending, state, ...(hasStateField(text) ? { stateField: true } : {}) };
}

/** What a failed result says about what failed and how far it got. */
function readReport(
  print: ResultPrint,
  error: ErrorPrint,
  { verb }: CallPrint,
  text: string,
  seed: number,
): void {
  if (STAYS.has(print.failure ?? '')) error.transient = false;
  const failing = verb === 'verify' ? failingIn(text) : null;
  if (failing) {
    print.failing = hash64(failing.withReason, seed);
    print.tests = hash64(failing.names, seed);
  }
  const done = doneIn(text);
  if (done !== null) print.done = done;
}

/**
 * The names of failing tests, which stand at the beginning or at the end of a report, alone and
 * with what was expected; null if there are none.
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
  (!saysNothing(text, !shell && DOING.has(verb)) ||
    // Links are what a search finds.
    (asks === 'content' && !shell && text.includes('://') && !PLACEHOLDER.test(text))) &&
  !(shell && verb === 'navigate' && text.trim() === '');
const DOING = new Set<string>(['execute', 'navigate', 'unknown']);
