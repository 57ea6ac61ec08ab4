import type { Json } from '@unrut/engine/event';
import type { LedgerKeys } from './api-key.ts';
import type { Incidents } from './incidents/incident.ts';
import type { JsonText } from './json-text.ts';
import type { EntryKind, LedgerEntry, LedgerSession } from './ledger-entry.ts';
import type { Reports } from './reports/reports.ts';

export type { EntryKind, LedgerEntry, LedgerSession } from './ledger-entry.ts';

/** An item to include in an agent's next prompt. Texts in it are redacted. */
export interface ContextEntry {
  /** Unique; adding it again has no effect. */
  id: string;
  session: string;
  /** Epoch milliseconds. */
  timestamp: number;
  entryType: string;
  /** The subject; queries select by it. */
  topic: string;
  content: string;
  relatedTasks: string[];
  /** 0..1. */
  confidence: number;
  metadata: { [name: string]: Json };
}

export interface LedgerQuery {
  session?: string;
  kind?: EntryKind;
  /** Only entries at or after this time. */
  since?: number;
  /** Only entries whose id has one of these prefixes, including message pieces. */
  under?: readonly string[];
  /** Only the newest entries, at most this many; still sorted oldest first. */
  last?: number;
}

export interface ContextQuery {
  session?: string;
  /** Only entries of these topics. */
  topics?: readonly string[];
  /** Only entries that are related to this task. */
  task?: string;
  /** Only the newest entries, at most this many; still sorted oldest first. */
  last?: number;
}

/** The saved guard state of a session. */
export interface SavedState {
  /** Changes with every save; 0 if nothing is saved. */
  version: number;
  /** The state, or null. Only while `change` runs. */
  read(): Json | null;
}

/** The writes of an update, which are atomic. */
export interface LedgerChange {
  /**
   * The new states, in the order of the sessions: values for `JSON.stringify`, or `JsonText`. If
   * undefined, the states do not change.
   */
  states?: readonly (Json | JsonText)[];
  entries?: readonly LedgerEntry[];
  /**
   * Entries that must be new. If one exists already, nothing is written and the update fails with
   * `RepeatedEntry`.
   */
  once?: readonly LedgerEntry[];
  context?: readonly ContextEntry[];
}

/**
 * Stores events, signals, plans and outcomes, and the guard's state between processes. All ledgers
 * pass `testLedger`.
 */
export interface Ledger {
  /**
   * Loads, changes and saves atomically, isolated from other writers of these sessions. `change` is
   * called once. If it is marked repeatable, it may be called again after a conflict, and only its
   * last result counts. Returns the versions of the saved states.
   */
  update(
    sessions: readonly string[],
    change: (saved: readonly SavedState[]) => LedgerChange,
    how?: { repeatable?: boolean },
  ): Promise<number[]>;
  /**
   * The spending of all sessions since a time. If a ledger lacks this method, the recorder sums
   * `reports` or entries.
   */
  spentSince?(since: number): Promise<{ usd: number; steps: number }>;
  /** Appends all entries or none. */
  append(entries: readonly LedgerEntry[]): Promise<void>;
  /** Oldest first; entries with equal times in the order of recording. */
  entries(query?: LedgerQuery): Promise<LedgerEntry[]>;
  /**
   * All entries of sessions at or after a time, in batches: by session in Postgres, in the order of
   * recording in a file. If a ledger lacks this method, `entries` returns them at once.
   */
  stream?(since: number): AsyncIterable<LedgerEntry[]>;
  /** Oldest first; entries with equal times in the order of recording. */
  context(query?: ContextQuery): Promise<ContextEntry[]>;
  /** Sessions with an event or a signal, the most recently active first. */
  sessions(): Promise<LedgerSession[]>;
  /** The guard's state of a session, or null. */
  loadState(session: string): Promise<Json | null>;
  /** For a state that does not depend on the previous one; otherwise use `update`. */
  saveState(session: string, state: Json): Promise<void>;
  /** Drops everything of one session, or of all. */
  forget(session?: string): Promise<void>;
  /**
   * The fingerprint key that all writers share. A ledger without this method belongs to one
   * machine, which has its own key.
   */
  fingerprintKey?(): Promise<string | undefined>;
  /** Keys for callers of a server; undefined if the ledger stores none. */
  keys?: LedgerKeys;
  /** Causes shared by many sessions; undefined if the ledger does not look for them. */
  incidents?: Incidents;
  /**
   * Queries over many sessions. A ledger without reports is small enough to read as a whole; see
   * `reportsOf` in `sqlite/`.
   */
  reports?: Reports;
  /** `unrut show` can read this ledger, so texts for people may refer to it. */
  isShown?: true;
  close(): Promise<void>;
}
