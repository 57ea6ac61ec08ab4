import type { CallFinished } from '../event.ts';
import { hash32, hash64 } from '../hash.ts';
import type { CallPrint, ResultPrint } from '../prints.ts';
import { push, recall, remember } from '../recent.ts';
import { safeName } from '../redact/safe-name.ts';
import { isInRow, isNextItem, isNextPage } from './argument-parts.ts';
import type { Fingerprint, Neutral } from './fingerprint.ts';
import { enter } from './folder.ts';
import type { LastResult } from './last-results.ts';
import { hasWaited, neutralQuestion, rememberNeutral } from './neutral/question.ts';
import { neutralRule } from './neutral/rules.ts';
import { type FinishedCall, progressQuestion, rememberProgress } from './progress/question.ts';
import { readProgress } from './progress/rules.ts';
import { batchOf, fileNameHash, readFinished, sourceOf } from './read-call.ts';
import { readResult } from './read-result.ts';
import type { ReaderConfig, ReaderState } from './reader-state.ts';
import { readTurnedAway } from './turned-away.ts';
import { LONG_WAIT, noteSilence, silenceWithout } from './waits.ts';
import { sharedBy } from './words.ts';
import { readWorld } from './world/rules.ts';

const MAX_PARTS_KEPT = 2;
const MAX_JOB_FILES = 16;
const MAX_OWN = 12;

/**
 * Reads a finished call and its result: what they are, whether they count, and what they achieved.
 */
export function readCallFinished(
  state: ReaderState,
  event: CallFinished,
  seen: Fingerprint,
  config: ReaderConfig,
): void {
  const call = readFinished(sourceOf(event, state.folders, config));
  const isTold = readSilence(state, event, seen, config.seed);
  seen.call = call;
  if (state.screen.length > 0) seen.screen = state.screen;
  if (event.after) seen.after = hash64(String(event.after.digest), config.seed);
  if (event.refusedBy === 'unrut') {
    seen.neutral = 'own';
    seen.neutralRule = 'blocked-by-unrut';
    return;
  }
  if (event.refusedBy === 'host') seen.denied = true;
  const before = state.results.calls.find(([key]) => key === call.key)?.[1];
  const result = readResult(state.results, state.known, event, call, state.rests, config.seed);
  seen.result = result;
  const away = readTurnedAway(event, result);
  if (away) seen.turnedAway = away;
  seen.world = worldIn(state, seen, call, before);
  readListItem(state, seen, call, result, before);
  if (result.error?.refusal === 'tool') seen.named = safeName(event.call.tool);
  judge(state, seen, { event, call, result, before }, isTold);
  readGuess(state, seen, call, result);
  state.waited = call.verb === 'wait' && !result.error;
  followJobs(state, event, call, result);
  followWrites(state, call, result);
  if (call.folder !== null && result.failure !== 'missing-file') enter(state.folders, call.folder);
}

/**
 * Reads the batch of the call and the silence before it. Returns whether that is known not to be
 * the model's.
 */
function readSilence(
  state: ReaderState,
  event: CallFinished,
  seen: Fingerprint,
  seed: number,
): boolean {
  const waiting = recall(state.pending, hash64(event.call.id, seed));
  if (waiting) state.pending.pop();
  seen.announced = waiting !== undefined;
  seen.silence = waiting ? waiting.silence : silenceWithout(seen.silence, event.durationMs);
  seen.batch =
    waiting && (event.batch === undefined || waiting.alone) ? waiting.batch : batchOf(event, seed);
  noteSilence(state, seen, waiting?.gap);
  if (waiting?.told) seen.thought = waiting.told;
  return waiting?.told !== undefined || seen.gap >= LONG_WAIT;
}

/** Whether the step counts, and what it achieved, each with the rule that decided. */
function judge(
  state: ReaderState,
  seen: Fingerprint,
  { event, call, result, before }: Omit<FinishedCall, 'neutral' | 'ownEdit'>,
  isTold: boolean,
): void {
  const counts = neutralQuestion(state, seen, call, result, before, isTold);
  const neutral = neutralRule(counts);
  if (neutral) Object.assign(seen, { neutral: neutral.gives, neutralRule: neutral.name });
  rememberNeutral(state, seen, counts, seen.neutral);
  if (state.reread !== null && isRelook(seen.neutral, call, result)) seen.relook = true;
  if (isOwnEdit(state, seen, call, before !== undefined)) seen.ownEdit = true;
  if (result.tests !== undefined && !state.errors.includes(result.tests)) result.otherTests = true;
  const made: FinishedCall = {
    event,
    call,
    result,
    before,
    neutral: seen.neutral,
    ownEdit: seen.ownEdit === true,
  };
  const question = progressQuestion(state, made);
  const { progress, rule } = readProgress(question);
  seen.progress = progress;
  seen.progressRule = rule;
  rememberProgress(state, made, question);
}

function worldIn(
  state: ReaderState,
  { result, gap, silence, thought = 0 }: Fingerprint,
  call: CallPrint,
  before?: LastResult,
): Fingerprint['world'] {
  const file = call.target?.startsWith('file:') ? fileNameHash(call.targetLabel) : null;
  const changed = file !== null && state.changed.includes(file);
  return readWorld({
    call,
    result,
    gap,
    interval: silence + thought,
    watches: state.asked.watches === true,
    changed,
    waited: hasWaited(state, before),
    repeated: before !== undefined,
    job: state.job,
    jobFile: state.job && file !== null && state.jobFiles.includes(file),
  });
}

/** A call that was not made before and differs from the last one of its tool in a single value. */
function readListItem(
  state: ReaderState,
  seen: Fingerprint,
  call: CallPrint,
  result: ResultPrint,
  before?: LastResult,
): void {
  const last = recall(state.parts, call.tool);
  const { wrote } = state;
  const isKin = isLikeOthers(state, call, result);
  if (call.parts.length > 0) remember(state.parts, call.tool, call.parts, MAX_PARTS_KEPT);
  if (call.shell && call.verb !== 'write') state.wrote = false;
  if (before !== undefined || last === undefined || !isNextItem(last, call.parts)) return;
  if (isSamePage(last, call, result) || isKin) return;
  seen.nextItem = true;
  if (!wrote && call.shell && isInRow(last, call.parts, call.verb === 'verify')) seen.inRow = true;
}

const MAX_SOUGHT = 10;
const KIN = 2;

/**
 * A search through files whose pattern has words in common with others that matched nothing: it
 * looks for one thing in other words, unless the user named a list of things.
 */
function isLikeOthers(
  state: ReaderState,
  { sought }: CallPrint,
  { known, empty, error }: ResultPrint,
): boolean {
  if (!sought || sought.length === 0 || !known || error) return false;
  const isSame = (other: readonly number[]): boolean => sharedBy(other, sought) > 0;
  const others = state.sought ?? [];
  if (!empty) {
    state.sought = others.filter((other) => !isSame(other));
    return false;
  }
  const kin = others.filter(isSame).length;
  state.sought = [...others, sought].slice(-MAX_SOUGHT);
  return kin >= KIN && !state.asked.lists;
}

/** Another page was asked for, and everything on it is known: the tool shows one page for all. */
const isSamePage = (last: CallPrint['parts'], call: CallPrint, result: ResultPrint): boolean =>
  isNextPage(last, call.parts) &&
  result.known &&
  result.error === null &&
  !result.empty &&
  !result.acknowledgement &&
  result.novelty === 0;

/** So many files, pages or things in a row that are not there are guessed, if nobody named them. */
const GUESSED_FROM = 12;

/**
 * Counts files, pages and other things that are not there, whatever tool looks for them. Anything
 * that is found or done starts the count again.
 */
function readGuess(
  state: ReaderState,
  seen: Fingerprint,
  call: CallPrint,
  result: ResultPrint,
): void {
  const isPage = call.target?.startsWith('url:') === true && result.error !== null;
  // Searches through files are often meant to confirm that nothing is there.
  const isSearch = result.empty && !call.shell && call.sought === undefined;
  const isMiss =
    call.verb === 'read' &&
    (result.failure === 'missing-file' ||
      (result.missing && (isPage ? call.asks !== 'state' : isSearch && call.asks === 'content')));
  if (isMiss) state.misses++;
  else if (seen.progress !== null || !result.error) state.misses = 0;
  if (isMiss && state.misses > GUESSED_FROM && state.asked.single) seen.guess = true;
}

/** Remembers what the agent itself has written. */
function followWrites(state: ReaderState, call: CallPrint, { error }: ResultPrint): void {
  if (call.verb !== 'write' || error) return;
  state.wrote = true;
  for (const target of call.targets ?? [call.target ?? '']) {
    const hash = hash32(target);
    if (!state.own.includes(hash)) push(state.own, hash, MAX_OWN);
  }
}
/**
 * The same look again at something that the agent has written to, or at everything: what is new in
 * it is the agent's own edit. If others may write it, it is not.
 */
const isOwnEdit = (
  { own }: ReaderState,
  { world, result }: Fingerprint,
  { verb, target, wide }: CallPrint,
  repeated: boolean,
): boolean =>
  verb === 'read' &&
  repeated &&
  !result?.error &&
  world?.world !== 'open' &&
  own.length > 0 &&
  (wide || (target !== null && own.includes(hash32(target))));

/** What hosts say if a command continues in the background. */
const GOES_ON = /^[^\n]{0,80}\b(?:running|moved|continues) (?:in|to) (?:the )?background\b/i;

/** Remembers what the agent started in the background, and that it has ended it. */
function followJobs(
  state: ReaderState,
  event: CallFinished,
  call: CallPrint,
  result: ResultPrint,
): void {
  if (call.endsJobs) Object.assign(state, { job: false, jobFiles: [] });
  const goesOn = call.shell && typeof event.result === 'string' && GOES_ON.test(event.result);
  if ((!call.background && !goesOn) || result.error?.refusal) return;
  state.job = true;
  for (const file of call.background ?? [])
    if (!state.jobFiles.includes(file)) push(state.jobFiles, file, MAX_JOB_FILES);
}

/**
 * The same call with the same result, or another part of a known target in which every line is
 * known. What somebody has changed is worth another look.
 */
const isRelook = (neutral: Neutral | null, call: CallPrint, result: ResultPrint): boolean =>
  call.verb === 'read' &&
  result.known &&
  result.error === null &&
  (result.sameInARow > 1 ? !result.differs : neutral === 'reread' && result.novelty === 0);
