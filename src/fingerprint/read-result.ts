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
import { contentOf, isAcknowledgement, isEmptyResult, saysMissing, saysNothing, withoutCosts, withoutLabel } from './result-text.ts';
import { scanLines, type TextScan } from './scan.ts';

/** Under this share of new content the result of an equal call is the same result. */
export const SAME_BELOW = 0.05;
/** A value that changed in this many results of a call while nothing else did is noise. */
const LEARNED_AFTER = 4;
/** More values changing together are content, not a clock. */
const MAX_NOISY_VALUES = 2;
const MAX_CALLS = 48;
const MAX_LEARNED = 32;

/** What is kept of each recent call, to tell whether its next result is the same. */
interface Known {
  digest: string;
  shape: string;
  values: number[] | null;
  quantities: number;
  /** Which values have changed, as bits. */
  noisy: number;
  /** In a row: same result; same but for noisy values. */
  run: number;
  alike: number;
  failed?: true;
}

export interface ResultState {
  calls: Recent<Known>;
  /** Tool and shape of results whose changing values were learned to be noise. */
  learned: string[];
}

export const startResults = (): ResultState => ({ calls: [], learned: [] });

/** Programs whose exit code 1 is an answer, not an error. */
const ANSWERS_BY_EXIT_CODE = /^(?:[efpz]?grep|rg|ag|ack|diff|cmp|test|git (?:diff|grep)|which|command|type|\[\[?)$/;

/** What a finished call brought, compared with what it brought before. */
export function readResult(state: ResultState, seen: Seen, event: CallFinished, call: CallPrint, seed: number): ResultPrint {
  const content = contentOf(withoutLabel(event.result === undefined ? '' : event.result));
  const text = withoutCosts(resultTextOf(event, content.text));
  const given = event.result !== undefined || (event.error !== undefined && event.error !== null && typeof event.error !== 'boolean');
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
  // What is not told is not the same.
  if (error && given && !known) error.class = hash64(`${call.tool}|${event.call.id}`, seed);
  // To find one thing gone and then another is a list being worked through.
  else if (error && call.verb === 'write' && call.target && !/^(?:file|element):/.test(call.target) && GONE.test(error.label))
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
    echo: isEcho(text, event.call.args),
    failures,
    moved: false,
    ...readFailure(event, call, text, error, failures),
  };
  compare(state, call, print, scan, seed);
  return print;
}

const GONE = /not found|does(?: not|n't) exist|no such/i;

/** A receipt of an act, the silence after `cd`, a link to what is shown elsewhere: nothing is known by that. */
const saysSomething = ({ shell, verb }: CallPrint, text: string): boolean =>
  !saysNothing(text, !shell && ACTS.has(verb)) && !(shell && verb === 'navigate' && text.trim() === '');
const ACTS = new Set<string>(['execute', 'navigate', 'unknown']);

/** Sets the digest and the run of `print` by what this call brought before, and remembers it. */
function compare(state: ResultState, call: CallPrint, print: ResultPrint, scan: TextScan, seed: number): void {
  const { shape, quantities } = scan;
  const now: Known = { digest: print.digest, shape, values: scan.worded ? scan.values : null, quantities, noisy: 0, run: 1, alike: 1 };
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
      }
    }
  }
  print.run = now.run;
  print.digest = now.digest;
  remember(state.calls, call.key, now, MAX_CALLS);
}

/** Next to nothing in it is new, and no quantity has moved. Silence after words is news. */
const isBarelyNew = (before: Known, print: ResultPrint, quantities: number): boolean =>
  print.known && print.size > 0 && before.digest !== 'none' && print.novelty < SAME_BELOW && before.quantities === quantities;

/** Only one or two values without direction have changed since; marks which. */
function differsByNoise(before: Known, now: Known): boolean {
  if (before.shape !== now.shape || !now.values || before.values?.length !== now.values.length) return false;
  now.noisy = before.noisy;
  for (let i = 0; i < now.values.length; i++) if (now.values[i] !== before.values[i]) now.noisy |= 1 << i;
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

/** What the host itself says: that it failed, that it went well, or nothing. */
function hostWord(event: CallFinished, call: CallPrint, text: string): boolean | undefined {
  const { result, error, exitCode, refusedBy } = event;
  if (refusedBy !== undefined) return true;
  const { isError } = (typeof result === 'object' && result !== null ? result : {}) as { isError?: unknown };
  if (error || isError === true || (exitCode ?? 0) !== 0) return !(call.shell && foundNothing(call.tool, exitCode, text));
  if (call.muted && (call.verb === 'execute' || call.verb === 'verify')) return undefined;
  return error === false || isError === false || exitCode === 0 ? false : undefined;
}

/** The exit code 1 of a program that looks something up, and not a word of what went wrong. */
const foundNothing = (tool: string, exitCode = 1, text: string): boolean =>
  exitCode === 1 && ANSWERS_BY_EXIT_CODE.test(tool) && (/^(?:diff|cmp|git diff)$/.test(tool) || NO_WORD.test(text));
const NO_WORD = /^\s*(?:(?:error: )?(?:command failed with )?exit(?:ed with)?(?: code)?:? ?1\W*)?\s*$/i;

/** Error message and result, whichever there are, as the model reads them. */
export function resultTextOf({ error }: CallFinished, result: string): string {
  const said = typeof error === 'object' && error !== null ? ((error as { message?: unknown }).message ?? error) : error;
  const message = typeof said === 'string' || typeof said === 'object' ? contentOf(said ?? '').text : '';
  return message && result && message !== result ? `${message}\n${result}` : message || result;
}
