import { type JsonObject, textOf } from '@unrut/engine/json';
import type { Returned } from './importer.ts';

/** A call as a hook shows it. Some hosts give it no id. */
export interface HookCall {
  id?: string | undefined;
  tool: string;
  args: unknown;
}

/** One thing that a payload reports. */
export type HookTold =
  | { what: 'person' | 'says' | 'thinks'; text: string }
  | { what: 'calls'; call: HookCall }
  | { what: 'returned'; call: HookCall; returned: Returned }
  /** `tells`: a text for the agent is possible at this moment. */
  | { what: 'compacted'; tells?: true; again?: true }
  | { what: 'ended'; outcome?: string | undefined };

/** A call by what a payload names. */
export const hookCall = (id: unknown, tool: unknown, args: unknown): HookCall => ({
  id: textOf(id) || undefined,
  tool: textOf(tool),
  args,
});

/** A text; undefined if it is empty. */
export const spoken = (what: 'person' | 'says' | 'thinks', text: unknown): HookTold[] =>
  textOf(text).trim() === '' ? [] : [{ what, text: textOf(text) }];

/**
 * The content of a payload, and its run. An empty `told` means that the event is known but contains
 * no step.
 */
export interface HookPayload {
  session?: string | undefined;
  agent?: string | undefined;
  at?: unknown;
  /** The host's id of the turn. */
  turn?: string | undefined;
  told: readonly HookTold[];
  /** Files that the host reports as changed by themselves. */
  changed?: readonly string[];
  /** Another hook of this host, which fires for every tool, reports the same call. */
  isDetail?: boolean;
  /** All calls of one response, which other hooks may have reported one by one before. */
  isBatch?: boolean;
  /** The agent has come to rest: what comes next is not the model's time. */
  isRest?: boolean;
  /** At rest: a background task, a nested agent or a schedule will wake it. */
  isWaiting?: boolean;
  /** Something other than a person starts a turn: a schedule, or the end of a background task. */
  isWoken?: boolean;
  /** The host reports no call that failed: one that is proposed again without an end has failed. */
  hidesFailures?: boolean;
  /**
   * The host may report the same event in another spelling too, if another settings file names the
   * hook. The first spelling seen counts.
   */
  spelling?: string;
}

/** Reads the payloads of one family of hosts; undefined for any other payload. */
export type HookDialect = (payload: JsonObject) => HookPayload | undefined;
