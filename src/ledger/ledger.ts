import type { Json } from '../event.ts';

/** One line of the durable record. Texts in it are redacted. */
export interface LedgerEntry {
  /** Unique; appending it again changes nothing. */
  id: string;
  session: string;
  agent?: string;
  /** Epoch milliseconds, from the event. */
  at: number;
  kind: 'event' | 'signal' | 'plan' | 'outcome' | 'fault';
  /** The step that it belongs to. */
  step: number;
  data: { [name: string]: Json };
}

export interface LedgerQuery {
  session?: string;
  kind?: LedgerEntry['kind'];
  /** Only entries at or after this time. */
  since?: number;
  /** The newest so many, still oldest first. */
  last?: number;
}

export interface LedgerSession {
  session: string;
  first: number;
  last: number;
  events: number;
  signals: number;
}

/** Where events, signals, plans and outcomes are kept, and the guard's state between processes. All ledgers pass `testLedger`. */
export interface Ledger {
  /** All of them or none. */
  append(entries: readonly LedgerEntry[]): Promise<void>;
  /** Oldest first; entries of one time in the order they came. */
  entries(query?: LedgerQuery): Promise<LedgerEntry[]>;
  /** The most recently active first. */
  sessions(): Promise<LedgerSession[]>;
  /** The guard's state of a session, or null. */
  loadState(session: string): Promise<Json | null>;
  saveState(session: string, state: Json): Promise<void>;
  /** Drops everything of one session, or of all. */
  forget(session?: string): Promise<void>;
  close(): Promise<void>;
}
