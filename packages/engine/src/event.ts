/**
 * The vocabulary of the whole project: an event is one thing that happened to an agent.
 *
 * Adapters, importers, ledgers and outside tools share these names of types and fields: new ones
 * may be added, existing ones never change.
 */

/** Plain JSON. State, evidence and ledger entries consist of it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The fields that every event has. */
export interface EventBase {
  /** The session whose state the event updates. For task and iteration events: the run. */
  session: string;
  /** When it happened, in epoch milliseconds. The core has no clock of its own. */
  at: number;
  /**
   * The nested agent that the event is about, if any. It runs inside the session with its own
   * context.
   */
  agent?: string;
  /** The session that a nested run reports to, if that is not `session`. */
  parent?: string;
  /** Who speaks in a shared thread. All speakers share one state. */
  speaker?: string;
  /** Identifies the event, so that a replayed event counts once. */
  id?: string;
  cost?: { tokens?: number; usd?: number };
  /**
   * What all sessions of this user have spent since midnight, before this event. A recorder adds it
   * if the budget limits the day.
   */
  spentToday?: { usd?: number; steps?: number };
  /**
   * What the host reports to have changed by itself since the last event: paths of files, or ids of
   * background tasks that ended.
   */
  changed?: string[];
  origin?: EventOrigin;
}

/**
 * Where an event comes from, as far as the sender knows. Organisations compare their sessions by
 * it. At most 100 characters each.
 */
export interface EventOrigin {
  /** The program that runs the agent. */
  host?: string;
  model?: string;
  /** The version of the agent or the prompt, as its team numbers it. */
  release?: string;
  repo?: string;
  team?: string;
  person?: string;
}

export const ORIGIN_FIELDS = [
  'host',
  'model',
  'release',
  'repo',
  'team',
  'person',
] as const satisfies readonly (keyof EventOrigin)[];
export const MAX_ORIGIN_LENGTH = 100;

export interface Call {
  id: string;
  tool: string;
  args: unknown;
}

/** Who refused a call that did not run. */
export type RefusedBy = 'unrut' | 'host' | 'user' | 'schema' | 'unknown-tool';

/**
 * What the call was refused for, if that was its tool's name or its arguments and not what it would
 * have done; otherwise null.
 */
export const refusedFor = (refusedBy: RefusedBy | undefined): 'tool' | 'arguments' | null =>
  refusedBy === 'unknown-tool' ? 'tool' : refusedBy === 'schema' ? 'arguments' : null;

/**
 * What a tool declares about itself: the hints of MCP, and two declarations of our own from the
 * tool's `_meta`.
 */
export interface Annotations {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
  /** Dotted paths of the arguments that identify a call; other arguments are ignored. */
  'unrut/identity'?: string[];
  /** The tool is meant to be called again and again, to see whether something has changed. */
  'unrut/poll'?: boolean;
  /** The arguments that say which thing the tool changes in place, the thing itself last. */
  'unrut/patch'?: string[];
  /** The arguments that say which such thing the tool shows. */
  'unrut/look'?: string[];
}

/**
 * Sent before a tool call runs. The verdict may deliver a block or substitute that is already due,
 * or a stop: then the call must not run.
 */
export interface CallProposed extends EventBase {
  type: 'call-proposed';
  call: Call;
  /**
   * Calls of one response share a batch; without this field, calls with an equal `at` do. All are
   * proposed before any finishes.
   */
  batch?: string | undefined;
  /**
   * How long the model took for this response, in milliseconds, if the host knows: that time does
   * not count as waiting.
   */
  modelMs?: number | undefined;
  annotations?: Annotations | undefined;
  /** What the agent saw when it made the call, for tools that act on a screen. */
  screen?: Screen | undefined;
}

/** Sent after a tool call ran, or was refused. */
export interface CallFinished extends EventBase {
  type: 'call-finished';
  call: Call;
  /** The answer as the model sees it. Missing means unknown. */
  result?: unknown;
  /**
   * The host's word that the call failed: the message, or `true` if the result holds it. `false`
   * means that the call succeeded.
   */
  error?: unknown;
  exitCode?: number | undefined;
  refusedBy?: RefusedBy | undefined;
  /**
   * If a permission is missing: what a person could add to the host's settings, such as `add
   * "Bash(npm test)" to permissions.allow in .claude/settings.json`.
   */
  allow?: string | undefined;
  /** Digest of the target's content after a write, if the host knows it. */
  after?: { target: string; digest: string } | undefined;
  durationMs?: number | undefined;
  batch?: string | undefined;
  annotations?: Annotations | undefined;
}

/** A streamed piece of a message, or a whole message (`done`). */
export interface TextAdded extends EventBase {
  type: 'text-added';
  text: string;
  channel: 'answer' | 'thinking';
  /** The message ends here. A call or a user's message ends it too. */
  done?: boolean;
  /**
   * The agent ends its turn with this message: `idle` if nothing else runs for it; `waiting` if a
   * background task, a nested agent or a schedule will wake it.
   */
  rest?: 'idle' | 'waiting';
}

/** An iteration of an outer loop begins. */
export interface IterationStarted extends EventBase {
  type: 'iteration-started';
  /** Its number, from 1. */
  iteration: number;
}

/** One iteration of an outer loop has ended with this output. */
export interface OutputFinished extends EventBase {
  type: 'output-finished';
  iteration?: number;
  /** All that the agent printed. */
  output: string;
  failed?: boolean;
  exitCode?: number;
  /**
   * Whether the work moved, regardless of the output: a file got content that it never had, or a
   * check improved. Missing means unknown.
   */
  moved?: boolean;
}

/** What a screen shows. */
export interface Screen {
  url?: string;
  /** Perceptual hash of the picture, or a digest of the accessibility tree. */
  frame?: string;
  /**
   * Digest of everything shown, except what moves by itself. If given, it alone decides whether
   * anything changed.
   */
  detail?: string;
  focused?: unknown;
  viewport?: { width: number; height: number };
  /** A description of the screen in words, by the host or the model. */
  description?: string;
}

/** What the two events about an action on a screen share. */
export interface ActionBase extends EventBase {
  /** What was done to the screen: `type` and its parameters. */
  action: { type: string; [parameter: string]: unknown };
  target?: { role?: string; name?: string };
  /** The screen before (proposed) or after (finished) the action. */
  screen?: Screen;
  planStep?: string | number;
}

/** Sent before an action on a screen is performed. */
export interface ActionProposed extends ActionBase {
  type: 'action-proposed';
  /** What the host prefers to do if the action is part of a loop. */
  instead?: { [name: string]: Json };
}

/** Sent after an action on a screen was performed. */
export interface ActionFinished extends ActionBase {
  type: 'action-finished';
  /** What the runner saw happen. Missing means unknown. */
  effect?: unknown;
}

/** An attempt at a task of an orchestrator has ended. */
export interface TaskAttempted extends EventBase {
  type: 'task-attempted';
  /** The task's id. */
  task: string;
  /** What the task is about: one that deploys, deletes or pays gets no authority over blockers. */
  title?: string;
  /** It may be granted such authority all the same. */
  unblock?: boolean;
  /** `pending`, `in_progress`, `needs_review`, `needs_improvement`, `blocked` or `done`. */
  status: string;
  /** What kept the attempt from finishing. Their order does not matter. */
  blockers: string[];
  /** What it finished. */
  work: string[];
  /** The session in which the agent made the attempt. */
  attemptSession: string;
  complexity?: number | string;
}

/** A tick that found nothing to do. */
export interface Idle extends EventBase {
  type: 'idle';
  /** Why there is nothing to do. */
  reason: string;
}

/** An adapter reports what it actually did with a plan. */
export interface PlanPerformed extends EventBase {
  type: 'plan-performed';
  /** The plan's id. */
  plan: string;
  rung: Rung;
  failed?: boolean;
}

/** A real person spoke; a reminder from the harness is not one. */
export interface UserSpoke extends EventBase {
  type: 'user-spoke';
  text?: string;
}

/**
 * The tools that the agent has from now on, if the host knows them. Advice then names only tools
 * that exist.
 */
export interface ToolsListed extends EventBase {
  type: 'tools-listed';
  tools: ListedTool[];
}

export interface ListedTool {
  name: string;
  annotations?: Annotations;
  /** The names of its arguments, and whether each is required. Advice then fits them. */
  takes?: Readonly<Record<string, boolean>>;
}

/** The history was summarised. */
export interface ContextCompacted extends EventBase {
  type: 'context-compacted';
  /**
   * The host tells of the same compaction once more, at a moment at which the agent can be told
   * something.
   */
  again?: boolean;
}

export interface SessionEnded extends EventBase {
  type: 'session-ended';
  outcome?: string;
}

/** What agents and their programs say when all was done. */
const WELL = new Set(['done', 'success', 'succeeded', 'completed', 'complete', 'finished', 'ok']);

/** The session ended, and says that it has done what it was to do. */
export const endsWell = (event: AgentEvent): boolean =>
  event.type === 'session-ended' &&
  typeof event.outcome === 'string' &&
  WELL.has(event.outcome.toLowerCase());

export type AgentEvent =
  | CallProposed
  | CallFinished
  | TextAdded
  | IterationStarted
  | OutputFinished
  | ActionProposed
  | ActionFinished
  | TaskAttempted
  | Idle
  | PlanPerformed
  | UserSpoke
  | ToolsListed
  | ContextCompacted
  | SessionEnded;

export type EventType = AgentEvent['type'];

const STEP_TYPES: ReadonlySet<EventType> = new Set([
  'call-finished',
  'action-finished',
  'output-finished',
  'task-attempted',
  'idle',
]);

/**
 * A **step** is one thing that the agent has done: a finished or refused call or action, a whole
 * message, the output of an iteration, an attempt at a task, an idle tick. What a person says,
 * reasoning, proposals and pieces of a message are not steps: they belong to the step that follows.
 *
 * Steps are numbered from 0 in the order in which they end, separately for each session and each
 * nested agent. The guard's reader (`fingerprint/reader.ts`) numbers them; all other code takes the
 * number from `Verdict.step` or from the ledger's entries.
 */
export const isStep = (type: EventType, endsMessage: boolean): boolean =>
  STEP_TYPES.has(type) || (type === 'text-added' && endsMessage);

/** How much force a recovery uses, least first. */
export const RUNGS = [
  'note',
  'hint',
  'substitute',
  'block',
  'redirect',
  'escalate',
  'stop',
] as const;
export type Rung = (typeof RUNGS)[number];

/** A rung that a host can perform. */
export type Capability = Rung;

const isText = (value: unknown): value is string => typeof value === 'string';
const isCall = (value: unknown): boolean => {
  const call = value as Partial<Call> | null;
  return typeof call === 'object' && call !== null && isText(call.id) && isText(call.tool);
};
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** The fields that an event of this type must have, with a check for each. */
const REQUIRED: Record<EventType, Record<string, (value: unknown) => boolean>> = {
  'call-proposed': { call: isCall },
  'call-finished': { call: isCall },
  'text-added': { text: isText, channel: (v) => v === 'answer' || v === 'thinking' },
  'iteration-started': { iteration: Number.isFinite },
  'output-finished': { output: isText },
  'action-proposed': { action: (v) => isText((v as { type?: unknown } | null)?.type) },
  'action-finished': { action: (v) => isText((v as { type?: unknown } | null)?.type) },
  'task-attempted': {
    task: isText,
    status: isText,
    blockers: isTexts,
    work: isTexts,
    attemptSession: isText,
  },
  idle: { reason: isText },
  'plan-performed': { plan: isText, rung: (v) => RUNGS.includes(v as Rung) },
  'user-spoke': {},
  'tools-listed': {
    tools: (v) =>
      Array.isArray(v) && v.every((tool) => isText((tool as { name?: unknown } | null)?.name)),
  },
  'context-compacted': {},
  'session-ended': {},
};

export const EVENT_TYPES = Object.keys(REQUIRED) as EventType[];
const CHECKS = new Map(
  Object.entries(REQUIRED).map(([type, fields]) => [type, Object.entries(fields)]),
);
const TEXTS = ['agent', 'parent', 'speaker', 'id', 'batch'] as const;
const NAMES = ['session', 'parent', 'agent'] as const;

/**
 * Names with NUL or lone surrogates would collide in a ledger, and runs store their own state under
 * names that contain `\u0001`.
 */
function isName(text: string): boolean {
  if (text === lastName) return true;
  if (!text.isWellFormed() || /[\0\u0001]/.test(text)) return false;
  lastName = text;
  return true;
}
/** A cache: nearly every event has the same session as the one before. */
let lastName = '';

/** Says why `origin` is not valid, or returns undefined if it is. */
export function whyNotAnOrigin(origin: unknown): string | undefined {
  if (origin === undefined) return undefined;
  if (typeof origin !== 'object' || origin === null || Array.isArray(origin))
    return 'expected origin to be an object, got something else';
  for (const field of ORIGIN_FIELDS) {
    const given = (origin as Record<string, unknown>)[field] ?? '';
    if (!isText(given) || given.length > MAX_ORIGIN_LENGTH)
      return `expected origin.${field} of type string with at most ${MAX_ORIGIN_LENGTH} characters, got ${isText(given) ? given.length : typeof given}`;
  }
  return undefined;
}

/** Says in one line why `value` is not an event, or returns undefined if it is one. */
export function whyNotAnEvent(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null)
    return `expected an event object, got ${value === null ? 'null' : typeof value}`;
  const event = value as Partial<EventBase> & { type?: unknown };
  const checks = CHECKS.get(event.type as string);
  if (!checks) {
    return `expected a type of ${EVENT_TYPES.join(', ')}; got ${isText(event.type) ? event.type.slice(0, 40) : typeof event.type}`;
  }
  const wrong = whyNotABase(event) ?? whyNotNamed(event) ?? whyNotAnOrigin(event.origin);
  if (wrong !== undefined) return `${event.type}: ${wrong}`;
  for (const [field, holds] of checks) {
    if (!holds((value as Record<string, unknown>)[field]))
      return `${event.type}: the field ${field} is missing or of the wrong kind`;
  }
  return undefined;
}

/** Checks session and time. */
function whyNotABase(event: Partial<EventBase>): string | undefined {
  if (!isText(event.session))
    return `expected a session of type string, got ${typeof event.session}`;
  for (const name of ['session', 'parent'] as const)
    if (event[name] === '') return `expected a ${name} with a name, got an empty one`;
  if (typeof event.at !== 'number' || !Number.isFinite(event.at))
    return `expected at in epoch milliseconds, got ${typeof event.at}`;
  return undefined;
}

/** Checks the texts and names that any event may have. */
function whyNotNamed(event: Partial<EventBase>): string | undefined {
  for (const field of TEXTS) {
    const given = (event as Record<string, unknown>)[field];
    if (given !== undefined && !isText(given))
      return `expected ${field} of type string, got ${typeof given}`;
  }
  if (event.changed !== undefined && !isTexts(event.changed))
    return 'expected changed to be a list of strings, got something else';
  for (const name of NAMES)
    if (event[name] !== undefined && !isName(event[name]))
      return `expected ${name} in Unicode without control characters, got other text`;
  return undefined;
}

/** JSON has no undefined, so a null field counts as missing. Only `result` may be null. */
export function withoutNulls(event: AgentEvent): AgentEvent {
  if (typeof event !== 'object' || event === null) return event;
  for (const name in event) {
    if (event[name as keyof AgentEvent] !== null || name === 'result') continue;
    return Object.fromEntries(
      Object.entries(event).filter(([each, value]) => value !== null || each === 'result'),
    ) as unknown as AgentEvent;
  }
  return event;
}

/** The session that a nested run reports to; undefined for an event of a top-level session. */
export function parentOf({ session, agent, parent }: AgentEvent): string | undefined {
  if (parent !== undefined && parent !== session) return parent;
  return agent === undefined ? undefined : session;
}
