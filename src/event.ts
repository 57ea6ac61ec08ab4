/**
 * The vocabulary of everything below: one thing that happened to an agent.
 *
 * Names of types and fields are shared with adapters, importers, ledgers and outside tools: they may grow, never change.
 */

/** Plain JSON: what state, evidence and ledger entries are made of. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What every event carries. */
export interface EventBase {
  /** Whose state this belongs to. For task and iteration events: the run. */
  session: string;
  /** When it happened, in epoch milliseconds. The core has no clock of its own. */
  at: number;
  /** A nested run with a context of its own inside the session. */
  agent?: string;
  /** The session that a nested run reports to, when it is not `session`. */
  parent?: string;
  /** Who speaks in a shared thread. Speakers share one state. */
  speaker?: string;
  /** Identifies the event, so that a replay counts once. */
  id?: string;
  cost?: { tokens?: number; usd?: number };
  origin?: EventOrigin;
}

/** Where an event comes from, as far as the sender knows: by this an organisation compares its sessions. At most 100 characters each. */
export interface EventOrigin {
  /** The agent's program. */
  host?: string;
  model?: string;
  /** The version of an agent or a prompt, as its team counts. */
  release?: string;
  repo?: string;
  team?: string;
  person?: string;
}

export const ORIGIN_FIELDS = ['host', 'model', 'release', 'repo', 'team', 'person'] as const satisfies readonly (keyof EventOrigin)[];
export const MAX_ORIGIN_LENGTH = 100;

export interface Call {
  id: string;
  tool: string;
  args: unknown;
}

/** Who refused a call, when it did not run. */
export type RefusedBy = 'unrut' | 'host' | 'user' | 'schema' | 'unknown-tool';

/** Refused because of what was called, not because of what it would do: the tool's name, or its arguments. */
export const refusedFor = (refusedBy: RefusedBy | undefined): 'tool' | 'arguments' | null =>
  refusedBy === 'unknown-tool' ? 'tool' : refusedBy === 'schema' ? 'arguments' : null;

/** What a tool says about itself: the hints of MCP, and our own two declarations from a tool's `_meta`. */
export interface Annotations {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
  /** Dotted paths of the arguments that identify a call; the others are ignored. */
  'unrut/identity'?: string[];
  /** Calling it again to see whether something has changed is its purpose. */
  'unrut/poll'?: boolean;
}

/** Before a tool call runs. The verdict may deliver a block or substitute that is already due. */
export interface CallProposed extends EventBase {
  type: 'call-proposed';
  call: Call;
  /** Calls of one response share a batch. Without it, calls with an equal `at` do. All of them are proposed before one finishes. */
  batch?: string;
  /** What the model took for this response, where the host can tell: its time is no waiting. */
  modelMs?: number;
  annotations?: Annotations;
  /** What the agent saw when it made the call, for tools that act on a screen. */
  screen?: Screen;
}

/** After a tool call ran, or was refused. */
export interface CallFinished extends EventBase {
  type: 'call-finished';
  call: Call;
  /** What the model sees of the answer. Missing means unknown. */
  result?: unknown;
  /** The host says that it failed: the message, or `true` when the message is the result; `false` when it says that it went well. */
  error?: unknown;
  exitCode?: number;
  refusedBy?: RefusedBy;
  /** What a write left behind, where the host can tell. */
  after?: { target: string; digest: string };
  durationMs?: number;
  batch?: string;
  annotations?: Annotations;
}

/** A streamed delta, or a whole message (`done`). */
export interface TextAdded extends EventBase {
  type: 'text-added';
  text: string;
  channel: 'answer' | 'thinking';
  /** The message ends here. A call or a user's message ends it too. */
  done?: boolean;
}

export interface IterationStarted extends EventBase {
  type: 'iteration-started';
  iteration: number;
}

/** One iteration of an outer loop has ended with this output. */
export interface OutputFinished extends EventBase {
  type: 'output-finished';
  iteration?: number;
  output: string;
  failed?: boolean;
  exitCode?: number;
  /** Whether the work moved, whatever was said: a file got content that it never had, or a check got better. Missing where nobody can tell. */
  moved?: boolean;
}

export interface Screen {
  url?: string;
  /** Perceptual hash of the picture, or a digest of the accessibility tree. */
  frame?: string;
  /** Digest of all that is shown, what moves by itself left out. Where given it decides whether anything changed. */
  detail?: string;
  focused?: unknown;
  viewport?: { width: number; height: number };
  /** Somebody's words for what the screen shows. */
  description?: string;
}

export interface ActionBase extends EventBase {
  /** What was done to the screen: `type` and its parameters. */
  action: { type: string; [parameter: string]: unknown };
  target?: { role?: string; name?: string };
  /** The screen before (proposed) or after (finished) the action. */
  screen?: Screen;
  planStep?: string | number;
}

export interface ActionProposed extends ActionBase {
  type: 'action-proposed';
  /** What the host would rather do, if the action goes round in a loop. */
  instead?: { [name: string]: Json };
}

export interface ActionFinished extends ActionBase {
  type: 'action-finished';
  /** What the runner saw happen; missing means unknown. */
  effect?: unknown;
}

export interface TaskAttempted extends EventBase {
  type: 'task-attempted';
  task: string;
  status: string;
  blockers: string[];
  work: string[];
  attemptSession: string;
  complexity?: number | string;
}

/** A tick found nothing to do. */
export interface Idle extends EventBase {
  type: 'idle';
  reason: string;
}

/** An adapter reports what it really did with a plan. */
export interface PlanPerformed extends EventBase {
  type: 'plan-performed';
  /** The plan's id. */
  plan: string;
  rung: Rung;
  failed?: boolean;
}

/** A real person, not a harness reminder. */
export interface UserSpoke extends EventBase {
  type: 'user-spoke';
  text?: string;
}

/** The tools that the agent has from now on, where the host knows: advice then names those that exist. */
export interface ToolsListed extends EventBase {
  type: 'tools-listed';
  tools: ListedTool[];
}

export interface ListedTool {
  name: string;
  annotations?: Annotations;
  /** The names of its arguments, and whether each must be given: advice then fits them. */
  takes?: Readonly<Record<string, boolean>>;
}

/** The history was summarised. */
export interface ContextCompacted extends EventBase {
  type: 'context-compacted';
}

export interface SessionEnded extends EventBase {
  type: 'session-ended';
  outcome?: string;
}

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

const STEP_TYPES: ReadonlySet<EventType> = new Set(['call-finished', 'action-finished', 'output-finished', 'task-attempted', 'idle']);

/**
 * A **step** is one thing that the agent has done: a call or an action that has ended, also by a refusal, a whole message, the output of
 * an iteration, an attempt at a task, an idle tick. What a person says, reasoning, proposals and pieces of a message are no steps: they
 * belong to the step that comes next.
 *
 * Steps are numbered from 0 in the order in which they end, in each session and in each nested agent of it. The reader of the guard
 * (`fingerprint/reader.ts`) numbers them; everybody else takes the number from `Verdict.step`, or from the ledger's entries.
 */
export const isStep = (type: EventType, endsMessage: boolean): boolean => STEP_TYPES.has(type) || (type === 'text-added' && endsMessage);

/** How much force a recovery uses, least first. */
export const RUNGS = ['note', 'hint', 'substitute', 'block', 'redirect', 'escalate', 'stop'] as const;
export type Rung = (typeof RUNGS)[number];

/** What a host can do. */
export type Capability = Rung;

const isText = (value: unknown): value is string => typeof value === 'string';
const isCall = (value: unknown): boolean => {
  const call = value as Partial<Call> | null;
  return typeof call === 'object' && call !== null && isText(call.id) && isText(call.tool);
};
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** The fields without which an event of this type means nothing. */
const REQUIRED: Record<EventType, Record<string, (value: unknown) => boolean>> = {
  'call-proposed': { call: isCall },
  'call-finished': { call: isCall },
  'text-added': { text: isText, channel: (v) => v === 'answer' || v === 'thinking' },
  'iteration-started': { iteration: Number.isFinite },
  'output-finished': { output: isText },
  'action-proposed': { action: (v) => isText((v as { type?: unknown } | null)?.type) },
  'action-finished': { action: (v) => isText((v as { type?: unknown } | null)?.type) },
  'task-attempted': { task: isText, status: isText, blockers: isTexts, work: isTexts, attemptSession: isText },
  idle: { reason: isText },
  'plan-performed': { plan: isText, rung: (v) => RUNGS.includes(v as Rung) },
  'user-spoke': {},
  'tools-listed': { tools: (v) => Array.isArray(v) && v.every((tool) => isText((tool as { name?: unknown } | null)?.name)) },
  'context-compacted': {},
  'session-ended': {},
};

export const EVENT_TYPES = Object.keys(REQUIRED) as EventType[];
const CHECKS = new Map(Object.entries(REQUIRED).map(([type, fields]) => [type, Object.entries(fields)]));
const TEXTS = ['agent', 'parent', 'speaker', 'id', 'batch'] as const;
const NAMES = ['session', 'parent', 'agent'] as const;

/** No ledger tells other names apart, and runs keep their own state under names with `\u0001` in them. */
const isName = (text: string): boolean => text.isWellFormed() && !/[\0\u0001]/.test(text);

/** Says why `origin` cannot be an event's, or nothing when it can. */
export function whyNotAnOrigin(origin: unknown): string | undefined {
  if (origin === undefined) return undefined;
  if (typeof origin !== 'object' || origin === null || Array.isArray(origin)) return 'expected origin to be an object, got something else';
  for (const field of ORIGIN_FIELDS) {
    const given = (origin as Record<string, unknown>)[field] ?? '';
    if (!isText(given) || given.length > MAX_ORIGIN_LENGTH)
      return `expected origin.${field} of type string with at most ${MAX_ORIGIN_LENGTH} characters, got ${isText(given) ? given.length : typeof given}`;
  }
  return undefined;
}

/** Says in one line why `value` is no event, or nothing when it is one. */
export function whyNotAnEvent(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return `expected an event object, got ${value === null ? 'null' : typeof value}`;
  const event = value as Partial<EventBase> & { type?: unknown };
  const checks = CHECKS.get(event.type as string);
  if (!checks) {
    return `expected a type of ${EVENT_TYPES.join(', ')}; got ${isText(event.type) ? event.type.slice(0, 40) : typeof event.type}`;
  }
  if (!isText(event.session)) return `${event.type}: expected a session of type string, got ${typeof event.session}`;
  for (const name of ['session', 'parent'] as const)
    if (event[name] === '') return `${event.type}: expected a ${name} with a name, got an empty one`;
  if (typeof event.at !== 'number' || !Number.isFinite(event.at))
    return `${event.type}: expected at in epoch milliseconds, got ${typeof event.at}`;
  for (const field of TEXTS) {
    const given = (value as Record<string, unknown>)[field];
    if (given !== undefined && !isText(given)) return `${event.type}: expected ${field} of type string, got ${typeof given}`;
  }
  for (const name of NAMES)
    if (event[name] !== undefined && !isName(event[name]))
      return `${event.type}: expected ${name} in Unicode without control characters, got other text`;
  const wrong = whyNotAnOrigin(event.origin);
  if (wrong !== undefined) return `${event.type}: ${wrong}`;
  for (const [field, holds] of checks) {
    if (!holds((value as Record<string, unknown>)[field])) return `${event.type}: the field ${field} is missing or of the wrong kind`;
  }
  return undefined;
}

/** JSON has no undefined: a field that is null is a field that is missing. Only a result may be null. */
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

/** The session that a nested run reports to; nothing for an event of a session itself. */
export function parentOf({ session, agent, parent }: AgentEvent): string | undefined {
  if (parent !== undefined && parent !== session) return parent;
  return agent === undefined ? undefined : session;
}
