import type { Returned } from '../importers/importer.ts';
import type { JsonObject } from '../json.ts';

/** A call as a hook shows it. Some hosts give it no id. */
export interface HookCall {
  id?: string | undefined;
  tool: string;
  args: unknown;
}

/** One thing that a payload tells. */
export type HookTold =
  | { what: 'person' | 'says' | 'thinks'; text: string }
  | { what: 'calls'; call: HookCall }
  | { what: 'returned'; call: HookCall; returned: Returned }
  | { what: 'compacted' }
  | { what: 'ended'; outcome?: string | undefined };

/** What a payload tells, and of which run. Nothing told: the event is known and holds no step. */
export interface HookPayload {
  session?: string | undefined;
  agent?: string | undefined;
  at?: unknown;
  /** The host's name for the turn that this belongs to. */
  turn?: string | undefined;
  told: readonly HookTold[];
  /** The event is not known, although the dialect is. */
  unknown?: string;
  /** Hooks of this host that show every tool show the same call too. */
  isDetail?: boolean;
  /** All calls of one response, each of which hooks of its own may have shown before. */
  isBatch?: boolean;
  /** The host tells the same in another spelling too, when another settings file names the hook. The first one seen counts. */
  spelling?: string;
}

/** Reads the payloads that one family of hosts hands to its hooks; gives nothing for those of another. */
export type HookDialect = (payload: JsonObject) => HookPayload | undefined;
