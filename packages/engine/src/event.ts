/**
 * The vocabulary of the whole project: an event is one thing that happened to an agent.
 *
 * Adapters, importers, ledgers and outside tools share these names of types and fields: new ones
 * may be added, existing ones never change.
 */

import type { Annotations, EventOrigin, ListedTool, Screen } from './event-parts.ts';

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
  /** What the response that led to the event cost. Once per response. */
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
  /** Where the event comes from: the release, the team, the person. */
  origin?: EventOrigin;
}

/** A tool call, as the model made it. */
export interface Call {
  /** As in the response; the same for `call-proposed` and `call-finished`. */
  id: string;
  tool: string;
  /** An object or a string. */
  args: unknown;
}

/** Who refused a call that did not run. */
export type RefusedBy = 'unrut' | 'host' | 'user' | 'schema' | 'unknown-tool';

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

/** The session that a nested run reports to; undefined for an event of a top-level session. */
export function parentOf({ session, agent, parent }: AgentEvent): string | undefined {
  if (parent !== undefined && parent !== session) return parent;
  return agent === undefined ? undefined : session;
}
