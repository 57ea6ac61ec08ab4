import { UnrutError } from '../errors.ts';
import {
  type ActionFinished,
  type AgentEvent,
  type CallFinished,
  type CallProposed,
  isStep,
  type Screen,
} from '../event.ts';
import { hash32, hash64 } from '../hash.ts';
import type { ArgumentPrint, CallPrint, ResultPrint } from '../prints.ts';
import { push, type Recent, recall, remember } from '../recent.ts';
import { redact } from '../redact/redact.ts';
import { safeName } from '../redact/safe-name.ts';
import type { ToolDeclaration } from '../tools/profile.ts';
import { type ActionPrint, readActionPrint, sameFrame } from './action.ts';
import { isInRow, isNextItem } from './argument-parts.ts';
import { readChant } from './chant.ts';
import type { Fingerprint, Neutral, Progress } from './fingerprint.ts';
import { enter, type Folders, startFolders } from './folder.ts';
import { tag } from './gist.ts';
import { readIdle } from './idle.ts';
import { Seen } from './novelty.ts';
import { readOutput } from './output.ts';
import {
  type CallSource,
  fileNameHash,
  readAction,
  readFinished,
  readProposed,
} from './read-call.ts';
import {
  type Known,
  type ResultState,
  readResult,
  SAME_BELOW,
  startResults,
} from './read-result.ts';
import { NOTHING_REQUESTED, type Requested, readRequested } from './requested.ts';
import { readRest } from './rest.ts';
import { readTaskAttempt } from './task.ts';
import {
  ENDS_MESSAGE,
  endMessage,
  readText,
  startText,
  type TextState,
  vocabularyOf,
} from './text.ts';
import { readTurnedAway } from './turned-away.ts';
import { LONG_WAIT, MAX_SILENCES, silenceWithout, waitIn } from './waits.ts';
import { bySpacing, readWorld } from './world.ts';

/** A result with at least this share of new content is progress. */
const NOVEL_FROM = 0.2;
/** A shorter error of a known kind only repeats the call's own arguments, so it is not new. */
const SHORT_ERROR = 400;
/** A write's result of at most this length is only a receipt. */
const RECEIPT = 400;
/** A text with at least this many lines is not written twice by chance. */
const TELLING_LINES = 2;
const MAX_WRITTEN = 24;
const MAX_PENDING = 16;
/** A line of settings that is longer is not read by anybody. */
const MAX_ALLOW = 400;
/** The user wants copies of something, and does not say how many. */
const ANY_NUMBER = 1_000_000;
/** A screen has one pending action at a time. */
const PROPOSED_ACTION = 'action';
const MAX_TARGETS = 128;
const MAX_TOOLS = 24;
const MAX_ACTIONS = 12;
const MAX_SCREENS = 48;
/** A response never makes more calls than this. */
const MAX_BATCH = 32;

export interface ReaderConfig {
  /** Seeds the fingerprints. */
  seed: number;
  /** What the user declared about tools, by name. */
  tools: Readonly<Record<string, ToolDeclaration>>;
}

/** What the reader remembers of a session, to tell what is the same and what is new. */
export interface ReaderState {
  /** The number of the next step. */
  steps: number;
  /** Steps and thoughts so far. */
  ticks: number;
  /** When the agent last did something. */
  lastAt: number | null;
  /** The silences before the last calls. */
  silences: number[];
  results: ResultState;
  seen: Seen;
  text: TextState;
  /**
   * Calls that were proposed and have not finished: their batch, the silence before them, and how
   * much of it is a wait.
   */
  pending: Recent<{ batch: string; silence: number; gap: number; alone?: true; told?: number }>;
  batch: { id: string; keys: string[]; failures: string[] };
  /** A batch that turned out not to be a single response. */
  wide: string;
  /** The folder that the shell is in. */
  folders: Folders;
  /** Whether the last call was a wait. */
  waited: boolean;
  /** How many very long waits there were. */
  rests: number;
  /** Hashes of the targets that were looked at. */
  looked: number[];
  /** Hashes of targets with the text written to them. */
  written: number[];
  /** Hashes of what was looked at since the context was compacted; null if it never was. */
  reread: number[] | null;
  /** The last failure count of each tool, and the last kinds of error. */
  failures: Recent<number>;
  /** The most that each tool has said is done since it last succeeded. */
  done: Recent<number>;
  errors: string[];
  /** The last finished screen actions, and the hash of the plan step that they belong to. */
  actions: ActionPrint[];
  planStep: string;
  /** Recent pictures of the screen, and the screen states seen so far. */
  frames: string[];
  screens: string[];
  /** Words that describe the screen the agent saw last; empty without a description. */
  screen: number[];
  /**
   * Whether something that the agent started runs in the background, and hashes of the names of the
   * files that it writes.
   */
  job: boolean;
  jobFiles: number[];
  /** Hashes of the names of files that the host reported as changed: somebody else writes them. */
  changed: number[];
  /** What the user's last message says about repetition, and how often each call was made since. */
  asked: Requested;
  made: Recent<number>;
  /** The arguments of each tool's last call, and whether something was written since. */
  parts: Recent<ArgumentPrint[]>;
  wrote: boolean;
  /** Hashes of the targets that the agent has written to since a person spoke. */
  own: number[];
}

export const startReader = (): ReaderState => ({
  steps: 0,
  ticks: 0,
  lastAt: null,
  silences: [],
  results: startResults(),
  seen: new Seen(),
  text: startText(),
  pending: [],
  batch: { id: '', keys: [], failures: [] },
  wide: '',
  folders: startFolders(),
  waited: false,
  rests: 0,
  looked: [],
  written: [],
  reread: null,
  failures: [],
  done: [],
  errors: [],
  actions: [],
  planStep: '',
  frames: [],
  screens: [],
  screen: [],
  job: false,
  jobFiles: [],
  changed: [],
  asked: NOTHING_REQUESTED,
  made: [],
  parts: [],
  wrote: false,
  own: [],
});

/** Restores the state from JSON. Fields that an earlier version did not have start empty. */
export function restoreReader(json: ReaderState): ReaderState {
  for (const count of [json.steps, json.ticks])
    if (!Number.isSafeInteger(count) || count < 0)
      throw new UnrutError(
        'bad-snapshot',
        `Cannot restore: expected a number of steps, got ${JSON.stringify(count)}. Start without it.`,
      );
  return { ...startReader(), ...json, seen: Seen.from(json.seen) };
}

const RUNS = new Set<string>(['execute', 'verify']);

/**
 * Turns an event into what the detectors see, and remembers what is needed to compare later events
 * with it.
 */
export function fingerprintEvent(
  state: ReaderState,
  event: AgentEvent,
  config: ReaderConfig,
): Fingerprint {
  const silence = state.lastAt === null ? 0 : Math.max(0, event.at - state.lastAt);
  const seen: Fingerprint = {
    type: event.type,
    step: state.steps,
    tick: state.ticks,
    at: event.at,
    silence,
    gap: silence,
    speaker: event.speaker === undefined ? '' : hash64(event.speaker, config.seed),
    batch: '',
    announced: false,
    neutral: null,
    progress: null,
  };
  if (event.cost) seen.cost = event.cost;
  if (event.changed) reportChanges(state, event.changed, seen);
  if (state.asked.waits) seen.mayWait = true;
  if (state.asked.copies) seen.requested = ANY_NUMBER;
  else if (state.asked.times > 1) seen.requested = state.asked.times;
  if (state.job) seen.job = true;
  switch (event.type) {
    case 'call-proposed':
      proposed(state, event, seen, config);
      break;
    case 'call-finished':
      finished(state, event, seen, config);
      if (state.asked.times === 0 && !state.asked.copies) {
        const chant = readChant(event.call.args, config.seed);
        if (chant) seen.chant = chant;
      }
      if (event.allow) seen.allow = redact(event.allow.slice(0, MAX_ALLOW));
      break;
    case 'action-proposed':
      seen.call = {
        ...readAction(event, event.id ?? '', config.seed),
        ...(event.instead ? { instead: event.instead } : {}),
      };
      seen.gap = waitIn(seen.silence, state.silences);
      remember(
        state.pending,
        PROPOSED_ACTION,
        { batch: '', silence: seen.silence, gap: seen.gap },
        MAX_PENDING,
      );
      look(state, event.screen, config.seed);
      break;
    case 'action-finished':
      acted(state, event, seen, config);
      look(state, event.screen, config.seed);
      break;
    case 'text-added':
      seen.text = readText(state.text, event, config.seed);
      if (event.rest) seen.rest = readRest(event);
      break;
    case 'output-finished':
      seen.output = readOutput(event.output, config.seed);
      if (event.moved !== undefined) seen.output.moved = event.moved;
      if (event.moved) seen.progress = 'moved';
      break;
    case 'task-attempted':
      seen.task = readTaskAttempt(event, config.seed);
      break;
    case 'idle':
      seen.idle = readIdle(event, config.seed);
      break;
    case 'context-compacted':
      if (!event.again) state.reread = [];
      break;
    case 'user-spoke':
      state.actions = [];
      state.asked = readRequested(event.text);
      state.made = [];
      state.own = [];
      break;
  }
  if (ENDS_MESSAGE.includes(event.type)) {
    const ended = endMessage(state.text, undefined, config.seed);
    if (ended) seen.text = ended;
  }
  if (isStep(event.type, event.type === 'text-added' && event.done === true)) {
    if (isStep(event.type, seen.text?.channel === 'answer' && seen.text.message !== null))
      state.steps++;
    state.ticks++;
    state.lastAt = event.at;
  } else if (state.lastAt === null || event.type === 'text-added') state.lastAt = event.at;
  return seen;
}

/**
 * Adds the silence before a finished call to those that define what is usual, and counts a very
 * long one, once per batch.
 */
function rest(
  state: ReaderState,
  seen: Fingerprint,
  gap = waitIn(seen.silence, state.silences),
): void {
  seen.gap = gap;
  if (state.lastAt === null || state.batch.id === seen.batch) return;
  push(state.silences, seen.silence, MAX_SILENCES);
  if (gap >= LONG_WAIT) state.rests++;
}

function proposed(
  state: ReaderState,
  event: CallProposed,
  seen: Fingerprint,
  config: ReaderConfig,
): void {
  seen.call = readProposed(sourceOf(event, state, config));
  seen.batch = batchOf(event, config.seed);
  seen.silence = silenceWithout(seen.silence, event.modelMs);
  seen.gap = waitIn(seen.silence, state.silences, Number.isFinite(event.modelMs));
  const id = hash64(event.call.id, config.seed);
  const { keys } = state.batch;
  if (state.batch.id === seen.batch && (keys.includes(seen.call.key) || keys.length >= MAX_BATCH))
    state.wide = seen.batch;
  const alone = state.wide === seen.batch;
  if (alone) {
    seen.batch = id;
    seen.fault =
      'call-proposed: expected the calls of one response in a batch, got one again that has finished in it. Give each response a batch of its own.';
  }
  remember(
    state.pending,
    id,
    {
      batch: seen.batch,
      silence: seen.silence,
      gap: seen.gap,
      ...(alone ? { alone } : {}),
      ...(Number.isFinite(event.modelMs) ? { told: Math.max(0, event.modelMs!) } : {}),
    },
    MAX_PENDING,
  );
  look(state, event.screen, config.seed);
}

/** Keeps the words of the screen that the next call or action is made on. */
function look(state: ReaderState, screen: Screen | undefined, seed: number): void {
  if (screen || state.screen.length > 0)
    state.screen = wordsOnScreen(screen?.description ?? '', seed);
}

/** A cache: many calls are made on an unchanged screen. */
let lastScreen: { description: string; seed: number; words: number[] } | null = null;

function wordsOnScreen(description: string, seed: number): number[] {
  if (lastScreen?.description !== description || lastScreen.seed !== seed)
    lastScreen = { description, seed, words: vocabularyOf(description, seed) };
  return [...lastScreen.words];
}

function finished(
  state: ReaderState,
  event: CallFinished,
  seen: Fingerprint,
  config: ReaderConfig,
): void {
  const call = readFinished(sourceOf(event, state, config));
  const waiting = recall(state.pending, hash64(event.call.id, config.seed));
  if (waiting) state.pending.pop();
  seen.announced = waiting !== undefined;
  seen.silence = waiting ? waiting.silence : silenceWithout(seen.silence, event.durationMs);
  seen.batch =
    waiting && (event.batch === undefined || waiting.alone)
      ? waiting.batch
      : batchOf(event, config.seed);
  rest(state, seen, waiting?.gap);
  const isTold = waiting?.told !== undefined || seen.gap >= LONG_WAIT;
  if (waiting?.told) seen.thought = waiting.told;
  seen.call = call;
  if (state.screen.length > 0) seen.screen = state.screen;
  if (event.after) seen.after = hash64(String(event.after.digest), config.seed);
  if (event.refusedBy === 'unrut') {
    seen.neutral = 'own';
    return;
  }
  const before = state.results.calls.find(([key]) => key === call.key)?.[1];
  seen.result = readResult(state.results, state.seen, event, call, state.rests, config.seed);
  const away = readTurnedAway(event, seen.result);
  if (away) seen.turnedAway = away;
  seen.world = worldIn(state, seen, call, before);
  readListItem(state, seen, call, before);
  if (seen.result.error?.refusal === 'tool') seen.named = safeName(event.call.tool);
  seen.neutral = neutrality(state, seen, call, seen.result, before, isTold);
  if (state.reread !== null && isRelook(seen.neutral, call, seen.result)) seen.relook = true;
  const brought = progress(
    state,
    event,
    call,
    seen.result,
    before !== undefined,
    before?.failed === true,
  );
  if (isOwnEdit(state, seen, call, before !== undefined)) seen.ownEdit = true;
  seen.progress =
    (seen.ownEdit && brought !== 'first-look') ||
    seen.neutral === 'wait' ||
    seen.neutral === 'transient-error' ||
    seen.neutral === 'batch'
      ? null
      : brought;
  state.waited = call.verb === 'wait' && !seen.result.error;
  followJobs(state, event, call, seen.result);
  followWrites(state, call, seen.result);
  if (call.folder !== null && seen.result.failure !== 'missing-file')
    enter(state.folders, call.folder);
}

const sourceOf = (
  { call, annotations }: CallProposed | CallFinished,
  { folders }: ReaderState,
  { tools, seed }: ReaderConfig,
): CallSource => ({
  call,
  annotations,
  declared: tools[call.tool],
  folders,
  seed,
});

/** Calls of one response; without a batch, calls with an equal `at`. */
const batchOf = ({ batch, at }: CallProposed | CallFinished, seed: number): string =>
  batch === undefined ? `@${at}` : hash64(batch, seed);

function neutrality(
  state: ReaderState,
  seen: Fingerprint,
  call: CallPrint,
  result: ResultPrint,
  before: Known | undefined,
  isTold: boolean,
): Neutral | null {
  if (call.verb === 'wait' && !result.error) return 'wait';
  if (result.error?.transient) return 'transient-error';
  if (state.batch.id !== seen.batch) state.batch = { id: seen.batch, keys: [], failures: [] };
  const { keys, failures } = state.batch;
  const again =
    keys.includes(call.key) || (result.error !== null && failures.includes(result.error.class));
  push(keys, call.key, MAX_BATCH);
  if (result.error) push(failures, result.error.class, MAX_BATCH);
  if (again) return 'batch';
  if (isReread(state, call, before !== undefined)) return 'reread';
  if (isPoll(state, seen, call, result, before, isTold)) return 'poll';
  return isAsked(state, seen, call) ? 'asked' : null;
}

/** The user named a count, and the call is one that may be meant: a program, or a question about state. */
function isAsked({ asked, made }: ReaderState, { world }: Fingerprint, call: CallPrint): boolean {
  if (asked.times === 0 || call.verb === 'write') return false;
  if (world?.world === 'closed' && !RUNS.has(call.verb) && !mayDiffer(call)) return false;
  const times = (recall(made, call.key) ?? 0) + 1;
  remember(made, call.key, times, MAX_MADE);
  return times > 1 && times <= asked.times;
}
/** A tool that is no look at content: a die, a measurement. */
const mayDiffer = ({ verb, asks, target }: CallPrint): boolean =>
  (verb === 'unknown' || verb === 'read') && asks !== 'content' && !target?.startsWith('file:');
const MAX_MADE = 8;

function worldIn(
  state: ReaderState,
  { result, gap, silence }: Fingerprint,
  call: CallPrint,
  before?: Known,
): Fingerprint['world'] {
  const file = call.target?.startsWith('file:') ? fileNameHash(call.targetLabel) : null;
  const changed = file !== null && state.changed.includes(file);
  return readWorld({
    call,
    result,
    gap,
    silence,
    watches: state.asked.watches === true,
    changed,
    waited: state.waited || (before !== undefined && (before.rests ?? 0) < state.rests),
    job: state.job,
    jobFile: state.job && file !== null && state.jobFiles.includes(file),
  });
}

/** A call that was not made before and differs from the last one of its tool in a single value. */
function readListItem(
  state: ReaderState,
  seen: Fingerprint,
  call: CallPrint,
  before?: Known,
): void {
  const last = recall(state.parts, call.tool);
  const { wrote } = state;
  if (call.parts.length > 0) remember(state.parts, call.tool, call.parts, MAX_PARTS_KEPT);
  if (call.shell && call.verb !== 'write') state.wrote = false;
  if (before !== undefined || last === undefined || !isNextItem(last, call.parts)) return;
  seen.nextItem = true;
  if (!wrote && call.shell && isInRow(last, call.parts, call.verb === 'verify')) seen.inRow = true;
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
const MAX_OWN = 12;

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
const MAX_PARTS_KEPT = 2;

const MAX_JOB_FILES = 16;
const MAX_CHANGED = 16;

/** What hosts say if a command goes on in the background. */
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

/** The host says that files have changed, or that a background task has ended. */
function reportChanges(state: ReaderState, changed: readonly string[], seen: Fingerprint): void {
  seen.changed = changed.slice(0, MAX_CHANGED).map(fileNameHash);
  for (const file of seen.changed)
    if (!state.changed.includes(file)) push(state.changed, file, MAX_CHANGED);
}

/**
 * It was looked at before the context was compacted, and this part of it not yet since: after a
 * compaction, an agent reads a long file again in parts.
 */
function isReread(state: ReaderState, call: CallPrint, repeated: boolean): boolean {
  if (state.reread === null || call.verb !== 'read') return false;
  const part = hash32(call.key);
  if (state.reread.includes(part)) return false;
  push(state.reread, part, MAX_TARGETS);
  return repeated || state.looked.includes(hash32(call.target ?? call.key));
}

/**
 * The same call with the same result, or another part of a known target in which every line is
 * known. What somebody has changed is worth another look.
 */
const isRelook = (neutral: Neutral | null, call: CallPrint, result: ResultPrint): boolean =>
  call.verb === 'read' &&
  result.known &&
  result.error === null &&
  (result.run > 1 ? !result.differs : neutral === 'reread' && result.novelty === 0);

/**
 * It is declared a poll, its result says that something is still in progress, or it asks again for
 * something that changes by itself.
 */
function isPoll(
  state: ReaderState,
  { world }: Fingerprint,
  call: CallPrint,
  result: ResultPrint,
  before: Known | undefined,
  isTold: boolean,
): boolean {
  // A shell command that waits inside may wait for a file that does not exist yet. A tool that
  // polls and fails was asked for something that it does not know.
  if (call.poll && (call.shell || !result.error)) return call.verb !== 'write';
  const waited = state.waited || (before !== undefined && (before.rests ?? 0) < state.rests);
  if (waited && call.verb === 'read') return true;
  if (result.error) return false;
  if (result.pending) return true;
  return (
    world?.world === 'open' &&
    // A silence that may be the model's own caps force, but does not make a poll.
    (isTold || !bySpacing(world)) &&
    (waited || before !== undefined) &&
    call.verb !== 'write' &&
    call.verb !== 'nothing'
  );
}

function progress(
  state: ReaderState,
  event: CallFinished,
  call: CallPrint,
  result: ResultPrint,
  repeated: boolean,
  failedBefore: boolean,
): Progress | null {
  const { error, failures } = result;
  const lastFailures = recall(state.failures, call.tool);
  if (failures !== null) remember(state.failures, call.tool, failures, MAX_TOOLS);
  const target = hash32(
    event.after ? `${event.after.target} ${event.after.digest}` : (call.target ?? call.key),
  );
  const firstLook = !state.looked.includes(target);
  if (!error && firstLook && (call.verb === 'read' || event.after))
    push(state.looked, target, MAX_TARGETS);
  const knownError = error !== null && state.errors.includes(error.class);
  if (error && !knownError) push(state.errors, error.class, MAX_TOOLS);
  if (result.tests !== undefined && !state.errors.includes(result.tests)) {
    push(state.errors, result.tests, MAX_TOOLS);
    result.otherTests = true;
  }
  const isMore = isMoreDone(state, call, result);

  if (failures !== null && lastFailures !== undefined && failures < lastFailures) return 'falling';
  if (isMore) return 'falling';
  if (!error && call.region?.unchanged) return null;
  if (!error && call.verb === 'write') {
    if (event.after ? firstLook : failedBefore || (!isSameEdit(state, call) && !repeated))
      return 'write';
    // The same write again is not progress, even if the file has grown or the receipt has a new id.
    if (call.target?.startsWith('file:') || (!call.shell && result.size <= RECEIPT)) return null;
  }
  if (!error && call.verb === 'read' && firstLook && call.target !== null && !result.empty)
    return 'first-look';
  if (
    !error &&
    !repeated &&
    RUNS.has(call.verb) &&
    (result.empty || result.acknowledgement || result.novelty >= SAME_BELOW)
  )
    return 'first-run';
  // Another test fails, so the one before was repaired.
  if (knownError && result.otherTests) return 'novel';
  // An equal call that fails again with other words is not progress. But a check of something else
  // that reports other problems is one of a batch of checks, and is progress.
  if (error && failedBefore && isShort(event) && !isHidden(call)) return null;
  if (knownError && isShort(event) && !(call.verb === 'verify' && !repeated && isReport(event)))
    return null;
  if (result.moved && !error) return 'moved';
  return result.novelty >= NOVEL_FROM && call.verb !== 'nothing' && result.run === 1
    ? 'novel'
    : null;
}

/**
 * Whether a failed run got further than any since the tool last succeeded. A run that did less than
 * half of that is another task.
 */
function isMoreDone({ done }: ReaderState, call: CallPrint, result: ResultPrint): boolean {
  const most = recall(done, call.tool);
  if (!result.error) {
    if (most !== undefined) done.pop();
    return false;
  }
  if (result.done === undefined) return false;
  const isAnother = most === undefined || result.done < most / 2;
  if (isAnother || result.done > most) remember(done, call.tool, result.done, MAX_DONE);
  return !isAnother && result.done > most;
}
const MAX_DONE = 8;

/** Whether the same lines were already written to the same target, anywhere in it. */
function isSameEdit({ written }: ReaderState, { target, region }: CallPrint): boolean {
  if (target === null || region?.after === undefined || (region.added?.length ?? 0) < TELLING_LINES)
    return false;
  const hash = hash32(`${target} ${region.after}`);
  if (written.includes(hash)) return true;
  push(written, hash, MAX_WRITTEN);
  return false;
}

/** A shell command without words is one that the log hides. It may differ from the one before. */
const isHidden = ({ shell, words }: CallPrint): boolean => shell && words.length === 0;

const isShort = (event: CallFinished): boolean => {
  const text = typeof event.error === 'string' ? event.error : event.result;
  return typeof text !== 'string' || text.length < SHORT_ERROR;
};

const isReport = ({ result }: CallFinished): boolean =>
  typeof result === 'string' && /\n[^\n]*\n/.test(result);

/**
 * Reads a screen action as a call whose result is the screen after it, or the effect that the
 * runner reported.
 */
function acted(
  state: ReaderState,
  event: ActionFinished,
  seen: Fingerprint,
  config: ReaderConfig,
): void {
  const call = readAction(event, event.id ?? '', config.seed);
  const action = readActionPrint(event, call, state.frames, config.seed);
  const planStep = event.planStep === undefined ? '' : hash64(String(event.planStep), config.seed);
  if (planStep !== state.planStep) Object.assign(state, { planStep, actions: [] });
  push(state.actions, action, MAX_ACTIONS);
  seen.actions = [...state.actions];
  const { url, frame, detail } = event.screen ?? {};
  const picture =
    detail ?? (frame === undefined ? undefined : sameFrame(frame, state.frames, config.seed));
  // In letters, because digits may count as noise.
  const shown = picture === undefined ? undefined : `${url ?? ''} ${tag(picture)}`;
  const result = detail === undefined ? (event.effect ?? shown) : shown;
  seen.call = call;
  seen.announced = recall(state.pending, PROPOSED_ACTION) !== undefined;
  if (seen.announced) state.pending.pop();
  if (state.screen.length > 0) seen.screen = state.screen;
  seen.batch = `@${event.at}`;
  rest(state, seen);
  const asCall: CallFinished = {
    type: 'call-finished',
    session: '',
    at: event.at,
    call: { id: call.id, tool: call.tool, args: null },
    result,
  };
  seen.result = readResult(state.results, state.seen, asCall, call, state.rests, config.seed);
  seen.neutral = call.verb === 'wait' ? 'wait' : null;
  seen.progress =
    isNewScreen(state, action.state) ||
    (event.effect !== undefined && seen.result.novelty >= NOVEL_FROM)
      ? 'screen'
      : null;
}

function isNewScreen({ screens }: ReaderState, shown: string | null): boolean {
  if (shown === null || screens.includes(shown)) return false;
  push(screens, shown, MAX_SCREENS);
  return true;
}
