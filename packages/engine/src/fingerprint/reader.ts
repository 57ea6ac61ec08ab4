import type { ActionProposed, AgentEvent, CallFinished, CallProposed } from '../event.ts';
import { isStep } from '../event.ts';
import type { Screen } from '../event-parts.ts';
import { hash64 } from '../hash.ts';
import { push, remember } from '../recent.ts';
import { redact } from '../redact/redact.ts';
import { readChant } from './chant.ts';
import type { Fingerprint } from './fingerprint.ts';
import { readIdle } from './idle.ts';
import { MAX_BATCH } from './neutral/question.ts';
import { readOutput } from './output.ts';
import { PROPOSED_ACTION, readActionFinished } from './read-acted.ts';
import { batchOf, fileNameHash, readAction, readProposed, sourceOf } from './read-call.ts';
import { readCallFinished } from './read-finished.ts';
import type { ReaderConfig, ReaderState } from './reader-state.ts';
import { readRequested } from './requested.ts';
import { readRest } from './rest.ts';
import { readTaskAttempt } from './task.ts';
import { ENDS_MESSAGE, endMessage, readText, vocabularyOf } from './text.ts';
import { silenceWithout, waitIn } from './waits.ts';

const MAX_PENDING = 16;
/** A line of settings that is longer is not read by anybody. */
const MAX_ALLOW = 400;
/** The user wants copies of something, and does not say how many. */
const ANY_NUMBER = 1_000_000;
const MAX_CHANGED = 16;

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

/** How each kind of event is read. Kinds that are not listed have nothing to be read. */
const READERS: {
  [Type in AgentEvent['type']]?: (
    state: ReaderState,
    event: EventOf<Type>,
    seen: Fingerprint,
    config: ReaderConfig,
  ) => void;
} = {
  'call-proposed': readCallProposed,
  'call-finished'(state, event, seen, config) {
    readCallFinished(state, event, seen, config);
    readExtras(state, event, seen, config);
  },
  'action-proposed': readActionProposed,
  'action-finished'(state, event, seen, config) {
    readActionFinished(state, event, seen, config);
    look(state, event.screen, config.seed);
  },
  'text-added'(state, event, seen, { seed }) {
    seen.text = readText(state.text, event, seed);
    if (event.rest) seen.rest = readRest(event, state.asked.waits && !state.asked.until);
  },
  'output-finished'(_, { output, moved }, seen, { seed }) {
    seen.output = readOutput(output, seed);
    if (moved !== undefined) seen.output.moved = moved;
    if (moved) Object.assign(seen, { progress: 'moved', progressRule: 'work-moved' });
  },
  'task-attempted'(_, event, seen, { seed }) {
    seen.task = readTaskAttempt(event, seed);
  },
  idle(_, event, seen, { seed }) {
    seen.idle = readIdle(event, seed);
  },
  'context-compacted'(state, { again }) {
    if (!again) state.reread = [];
  },
  'user-spoke'(state, { text }) {
    Object.assign(state, {
      actions: [],
      asked: readRequested(text),
      made: [],
      own: [],
      misses: 0,
      sought: [],
    });
  },
};

/**
 * Turns an event into what the detectors see, and remembers what is needed to compare later events
 * with it.
 */
export function fingerprintEvent(
  state: ReaderState,
  event: AgentEvent,
  config: ReaderConfig,
): Fingerprint {
  const seen = blankPrint(state, event, config.seed);
  if (event.cost) seen.cost = event.cost;
  if (event.changed) reportChanges(state, event.changed, seen);
  if (state.asked.waits) seen.mayWait = true;
  if (state.asked.copies) seen.requested = ANY_NUMBER;
  else if (state.asked.times > 1) seen.requested = state.asked.times;
  if (state.job) seen.job = true;
  const read = READERS[event.type] as
    | ((state: ReaderState, event: AgentEvent, seen: Fingerprint, config: ReaderConfig) => void)
    | undefined;
  read?.(state, event, seen, config);
  if (ENDS_MESSAGE.includes(event.type)) {
    const ended = endMessage(state.text, undefined, config.seed);
    if (ended) seen.text = ended;
  }
  countEvent(state, event, seen);
  return seen;
}

function blankPrint(state: ReaderState, event: AgentEvent, seed: number): Fingerprint {
  const silence = state.lastAt === null ? 0 : Math.max(0, event.at - state.lastAt);
  return {
    type: event.type,
    step: state.steps,
    tick: state.ticks,
    at: event.at,
    silence,
    gap: silence,
    speaker: event.speaker === undefined ? '' : hash64(event.speaker, seed),
    batch: '',
    announced: false,
    neutral: null,
    progress: null,
  };
}

/** Counts steps and ticks, and remembers when the agent last did something. */
function countEvent(state: ReaderState, event: AgentEvent, { text }: Fingerprint): void {
  if (isStep(event.type, event.type === 'text-added' && event.done === true)) {
    if (isStep(event.type, text?.channel === 'answer' && text.message !== null)) state.steps++;
    state.ticks++;
    state.lastAt = event.at;
  } else if (state.lastAt === null || event.type === 'text-added') state.lastAt = event.at;
}

/** A sentence that fills an argument, and what a person could allow. */
function readExtras(
  { asked }: ReaderState,
  event: CallFinished,
  seen: Fingerprint,
  { seed }: ReaderConfig,
): void {
  const chant = asked.times === 0 && !asked.copies ? readChant(event.call.args, seed) : null;
  if (chant) seen.chant = chant;
  if (event.allow) seen.allow = redact(event.allow.slice(0, MAX_ALLOW));
}

function readCallProposed(
  state: ReaderState,
  event: CallProposed,
  seen: Fingerprint,
  config: ReaderConfig,
): void {
  seen.call = readProposed(sourceOf(event, state.folders, config));
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

function readActionProposed(
  state: ReaderState,
  event: ActionProposed,
  seen: Fingerprint,
  { seed }: ReaderConfig,
): void {
  seen.call = {
    ...readAction(event, event.id ?? '', seed),
    ...(event.instead ? { instead: event.instead } : {}),
  };
  seen.gap = waitIn(seen.silence, state.silences);
  const { silence, gap } = seen;
  remember(state.pending, PROPOSED_ACTION, { batch: '', silence, gap }, MAX_PENDING);
  look(state, event.screen, seed);
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

/** The host says that files have changed, or that a background task has ended. */
function reportChanges(state: ReaderState, changed: readonly string[], seen: Fingerprint): void {
  seen.changed = changed.slice(0, MAX_CHANGED).map(fileNameHash);
  for (const file of seen.changed)
    if (!state.changed.includes(file)) push(state.changed, file, MAX_CHANGED);
}
