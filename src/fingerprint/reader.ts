import { UnrutError } from '../errors.ts';
import { type ActionFinished, type AgentEvent, type CallFinished, type CallProposed, isStep, type Screen } from '../event.ts';
import { hash32, hash64 } from '../hash.ts';
import type { CallPrint, ResultPrint } from '../prints.ts';
import { push, type Recent, recall, remember } from '../recent.ts';
import type { ToolDeclaration } from '../tools/profile.ts';
import { type ActionPrint, readActionPrint, sameFrame } from './action.ts';
import type { Fingerprint, Neutral, Progress } from './fingerprint.ts';
import { readIdle } from './idle.ts';
import { Seen } from './novelty.ts';
import { readOutput } from './output.ts';
import { type CallSource, readAction, readFinished, readProposed } from './read-call.ts';
import { type ResultState, readResult, SAME_BELOW, startResults } from './read-result.ts';
import { readTaskAttempt } from './task.ts';
import { ENDS_MESSAGE, endMessage, readText, startText, type TextState, vocabularyOf } from './text.ts';

/** From this share of new content on, a result is progress. */
const NOVEL_FROM = 0.2;
/** An error of a known kind that is shorter than this brings nothing but its own arguments back. */
const SHORT_ERROR = 400;
const MAX_PENDING = 16;
/** A screen has one action at a time. */
const PROPOSED_ACTION = 'action';
const MAX_TARGETS = 128;
const MAX_TOOLS = 24;
const MAX_ACTIONS = 12;
const MAX_SCREENS = 48;

export interface ReaderConfig {
  /** Keys the fingerprints. */
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
  lastAt: number | null;
  results: ResultState;
  seen: Seen;
  text: TextState;
  /** Calls proposed and not finished: when, in which batch. */
  pending: Recent<{ batch: string; gap: number }>;
  batch: { id: string; keys: string[]; failures: string[] };
  /** The last call was a wait. */
  waited: boolean;
  /** Hashes of the targets that were looked at. */
  looked: number[];
  /** Since the context was compacted: what was looked at again. */
  reread: number[] | null;
  /** The last failure count of each tool, and the last kinds of error. */
  failures: Recent<number>;
  errors: string[];
  /** The last finished actions on a screen, and the step of the agent's plan that they belong to, as a hash. */
  actions: ActionPrint[];
  planStep: string;
  /** Pictures of the screen seen of late, and states of it. */
  frames: string[];
  screens: string[];
  /** Words of the screen that the agent saw last; none where it is not described. */
  screen: number[];
}

export const startReader = (): ReaderState => ({
  steps: 0,
  ticks: 0,
  lastAt: null,
  results: startResults(),
  seen: new Seen(),
  text: startText(),
  pending: [],
  batch: { id: '', keys: [], failures: [] },
  waited: false,
  looked: [],
  reread: null,
  failures: [],
  errors: [],
  actions: [],
  planStep: '',
  frames: [],
  screens: [],
  screen: [],
});

/** The state as it comes back from JSON; what an earlier version did not have is as at the start. */
export function restoreReader(json: ReaderState): ReaderState {
  for (const count of [json.steps, json.ticks])
    if (!Number.isSafeInteger(count) || count < 0)
      throw new UnrutError('bad-snapshot', `Cannot restore: expected a number of steps, got ${JSON.stringify(count)}. Start without it.`);
  return { ...startReader(), ...json, seen: Seen.from(json.seen) };
}

const RUNS = new Set<string>(['execute', 'verify']);

/** Turns an event into what the detectors see, and remembers what is needed to compare the next one with it. */
export function fingerprintEvent(state: ReaderState, event: AgentEvent, config: ReaderConfig): Fingerprint {
  const seen: Fingerprint = {
    type: event.type,
    step: state.steps,
    tick: state.ticks,
    at: event.at,
    gap: state.lastAt === null ? 0 : Math.max(0, event.at - state.lastAt),
    speaker: event.speaker === undefined ? '' : hash64(event.speaker, config.seed),
    batch: '',
    announced: false,
    neutral: null,
    progress: null,
  };
  switch (event.type) {
    case 'call-proposed':
      proposed(state, event, seen, config);
      break;
    case 'call-finished':
      finished(state, event, seen, config);
      break;
    case 'action-proposed':
      seen.call = { ...readAction(event, event.id ?? '', config.seed), ...(event.instead ? { instead: event.instead } : {}) };
      // A screen agent waits by an action of its own: silence is thinking.
      seen.gap = 0;
      remember(state.pending, PROPOSED_ACTION, { batch: '', gap: 0 }, MAX_PENDING);
      look(state, event.screen, config.seed);
      break;
    case 'action-finished':
      acted(state, event, seen, config);
      look(state, event.screen, config.seed);
      break;
    case 'text-added':
      seen.text = readText(state.text, event, config.seed);
      break;
    case 'output-finished':
      seen.output = readOutput(event.output, config.seed);
      break;
    case 'task-attempted':
      seen.task = readTaskAttempt(event, config.seed);
      break;
    case 'idle':
      seen.idle = readIdle(event, config.seed);
      break;
    case 'context-compacted':
      state.reread = [];
      break;
    case 'user-spoke':
      state.actions = [];
      break;
  }
  if (ENDS_MESSAGE.includes(event.type)) {
    const ended = endMessage(state.text, undefined, config.seed);
    if (ended) seen.text = ended;
  }
  if (isStep(event.type, event.type === 'text-added' && event.done === true)) {
    if (isStep(event.type, seen.text?.channel === 'answer' && seen.text.message !== null)) state.steps++;
    state.ticks++;
    state.lastAt = event.at;
  } else if (state.lastAt === null) state.lastAt = event.at;
  return seen;
}

function proposed(state: ReaderState, event: CallProposed, seen: Fingerprint, config: ReaderConfig): void {
  seen.call = readProposed(sourceOf(event, config));
  seen.batch = batchOf(event, config.seed);
  remember(state.pending, hash64(event.call.id, config.seed), { batch: seen.batch, gap: seen.gap }, MAX_PENDING);
  look(state, event.screen, config.seed);
}

/** Keeps the words for the screen that the next call or act is made on. */
function look(state: ReaderState, screen: Screen | undefined, seed: number): void {
  if (screen || state.screen.length > 0) state.screen = vocabularyOf(screen?.description ?? '', seed);
}

function finished(state: ReaderState, event: CallFinished, seen: Fingerprint, config: ReaderConfig): void {
  const call = readFinished(sourceOf(event, config));
  const waiting = recall(state.pending, hash64(event.call.id, config.seed));
  if (waiting) state.pending.pop();
  seen.announced = waiting !== undefined;
  seen.gap = waiting ? waiting.gap : Math.max(0, seen.gap - Math.max(0, event.durationMs ?? 0));
  seen.batch = event.batch === undefined && waiting ? waiting.batch : batchOf(event, config.seed);
  seen.call = call;
  if (state.screen.length > 0) seen.screen = state.screen;
  if (event.after) seen.after = hash64(String(event.after.digest), config.seed);
  if (event.refusedBy === 'unrut') {
    seen.neutral = 'own';
    return;
  }
  const repeated = state.results.calls.some(([key]) => key === call.key);
  seen.result = readResult(state.results, state.seen, event, call, config.seed);
  seen.neutral = neutrality(state, seen, call, seen.result);
  const brought = progress(state, event, call, seen.result, repeated);
  seen.progress = seen.neutral === 'wait' || seen.neutral === 'transient-error' || seen.neutral === 'batch' ? null : brought;
  state.waited = call.verb === 'wait';
}

const sourceOf = ({ call, annotations }: CallProposed | CallFinished, { tools, seed }: ReaderConfig): CallSource => ({
  call,
  annotations,
  declared: tools[call.tool],
  seed,
});

/** Calls of one response; without a batch, calls of one moment. */
const batchOf = ({ batch, at }: CallProposed | CallFinished, seed: number): string =>
  batch === undefined ? `@${at}` : hash64(batch, seed);

function neutrality(state: ReaderState, seen: Fingerprint, call: CallPrint, result: ResultPrint): Neutral | null {
  if (call.verb === 'wait') return 'wait';
  if (result.error?.transient) return 'transient-error';
  if (state.batch.id !== seen.batch) state.batch = { id: seen.batch, keys: [], failures: [] };
  const { keys, failures } = state.batch;
  const again = keys.includes(call.key) || (result.error !== null && failures.includes(result.error.class));
  push(keys, call.key, 32);
  if (result.error) push(failures, result.error.class, 32);
  if (again) return 'batch';
  if (isReread(state, call)) return 'reread';
  return isPoll(state, call, result) ? 'poll' : null;
}

/** Looked at before the context was compacted, and not yet since. */
function isReread(state: ReaderState, call: CallPrint): boolean {
  if (state.reread === null || call.verb !== 'read') return false;
  const target = hash32(call.target ?? call.key);
  if (state.reread.includes(target)) return false;
  push(state.reread, target, MAX_TARGETS);
  return state.looked.includes(target) || state.results.calls.some(([key]) => key === call.key);
}

/** Declared, or waiting inside or before it, or a look whose answer is that something is still going on. */
function isPoll(state: ReaderState, call: CallPrint, result: ResultPrint): boolean {
  if (call.poll) return call.verb !== 'write';
  if (state.waited && call.verb === 'read') return true;
  return !result.error && (result.pending || (state.waited && call.verb === 'unknown'));
}

function progress(state: ReaderState, event: CallFinished, call: CallPrint, result: ResultPrint, repeated: boolean): Progress | null {
  const { error, failures } = result;
  const lastFailures = recall(state.failures, call.tool);
  if (failures !== null) remember(state.failures, call.tool, failures, MAX_TOOLS);
  const target = hash32(event.after ? `${event.after.target} ${event.after.digest}` : (call.target ?? call.key));
  const firstLook = !state.looked.includes(target);
  if (!error && firstLook && (call.verb === 'read' || event.after)) push(state.looked, target, MAX_TARGETS);
  const knownError = error !== null && state.errors.includes(error.class);
  if (error && !knownError) push(state.errors, error.class, MAX_TOOLS);

  if (failures !== null && lastFailures !== undefined && failures < lastFailures) return 'falling';
  if (!error && call.verb === 'write' && (event.after ? firstLook : !repeated)) return 'write';
  if (!error && call.verb === 'read' && firstLook && call.target !== null && !result.empty) return 'first-look';
  if (!error && !repeated && RUNS.has(call.verb) && (result.empty || result.acknowledgement || result.novelty >= SAME_BELOW))
    return 'first-run';
  if (knownError && isShort(event)) return null;
  if (result.moved && !error) return 'moved';
  return result.novelty >= NOVEL_FROM && call.verb !== 'nothing' && result.run === 1 ? 'novel' : null;
}

const isShort = (event: CallFinished): boolean => {
  const text = typeof event.error === 'string' ? event.error : event.result;
  return typeof text !== 'string' || text.length < SHORT_ERROR;
};

/** A screen action is a call whose result is the screen that it left, or what the runner saw happen. */
function acted(state: ReaderState, event: ActionFinished, seen: Fingerprint, config: ReaderConfig): void {
  const call = readAction(event, event.id ?? '', config.seed);
  const action = readActionPrint(event, call, state.frames, config.seed);
  const planStep = event.planStep === undefined ? '' : hash64(String(event.planStep), config.seed);
  if (planStep !== state.planStep) Object.assign(state, { planStep, actions: [] });
  push(state.actions, action, MAX_ACTIONS);
  seen.actions = [...state.actions];
  const { url, frame, detail } = event.screen ?? {};
  const picture = detail ?? (frame === undefined ? undefined : sameFrame(frame, state.frames, config.seed));
  const shown = picture === undefined ? undefined : `${url ?? ''} ${picture}`;
  const result = event.effect ?? shown;
  seen.call = call;
  seen.gap = 0;
  seen.announced = recall(state.pending, PROPOSED_ACTION) !== undefined;
  if (seen.announced) state.pending.pop();
  if (state.screen.length > 0) seen.screen = state.screen;
  seen.batch = `@${event.at}`;
  const asCall: CallFinished = {
    type: 'call-finished',
    session: '',
    at: event.at,
    call: { id: call.id, tool: call.tool, args: null },
    result,
  };
  seen.result = readResult(state.results, state.seen, asCall, call, config.seed);
  seen.neutral = call.verb === 'wait' ? 'wait' : null;
  seen.progress = isNewScreen(state, action.state) || (event.effect !== undefined && seen.result.novelty >= NOVEL_FROM) ? 'screen' : null;
}

function isNewScreen({ screens }: ReaderState, shown: string | null): boolean {
  if (shown === null || screens.includes(shown)) return false;
  push(screens, shown, MAX_SCREENS);
  return true;
}
