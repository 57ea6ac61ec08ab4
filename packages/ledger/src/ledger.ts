import type { Json } from '@unrut/engine/event';
import type { LedgerKeys } from './api-key.ts';
import type { Incidents } from './incidents/incident.ts';
import type { JsonText } from './json-text.ts';
import type { EntryKind, LedgerEntry, LedgerSession } from './ledger-entry.ts';
import type { Reports } from './reports/reports.ts';

export type { EntryKind, LedgerEntry, LedgerSession } from './ledger-entry.ts';

/** Something that an agent's next prompt should include. Texts in it are redacted. */
export interface ContextEntry {
  /** Unique; adding it again changes nothing. */
  id: string;
  session: string;
  /** Epoch milliseconds. */
  timestamp: number;
  entryType: string;
  /** What it is about; queries select by it. */
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
  /** Only entries whose id begins with one of these, pieces among them. */
  under?: readonly string[];
  /** The newest so many, still oldest first. */
  last?: number;
}

export interface ContextQuery {
  session?: string;
  /** Only entries of these topics. */
  topics?: readonly string[];
  /** Only entries that are related to this task. */
  task?: string;
  /** The newest so many, still oldest first. */
  last?: number;
}

/** The guard's state of a session as the ledger has it. */
export interface SavedState {
  /** Another number after every save; 0 when nothing is saved. */
  version: number;
  /** The state, or null. Only while `change` runs. */
  read(): Json | null;
}

/** What an update writes: all of it or nothing. */
export interface LedgerChange {
  /**
   * The new states, in the order of the sessions. `JSON.stringify` writes each; a `JsonText` is
   * text already. None leaves them as they are.
   */
  states?: readonly (Json | JsonText)[];
  entries?: readonly LedgerEntry[];
  /**
   * Entries that must be new: when one is there already, nothing is written, and the update fails
   * with a `RepeatedEntry`.
   */
  once?: readonly LedgerEntry[];
  context?: readonly ContextEntry[];
}

/**
 * Where events, signals, plans and outcomes are kept, and the guard's state between processes. All
 * ledgers pass `testLedger`.
 */
export interface Ledger {
  /**
   * Loads, changes and saves in one step, while nobody else changes these sessions. `change` is
   * called once; where it is said to be repeatable, it may be called again when somebody else was
   * faster, and only what it gave last counts. Returns the versions of the states that were saved.
   */
  update(
    sessions: readonly string[],
    change: (saved: readonly SavedState[]) => LedgerChange,
    how?: { repeatable?: boolean },
  ): Promise<number[]>;
  /**
   * What all sessions have spent since a time. Without it, `reports` or the entries are added up.
   */
  spentSince?(since: number): Promise<{ usd: number; steps: number }>;
  /** All of them or none. */
  append(entries: readonly LedgerEntry[]): Promise<void>;
  /** Oldest first; entries of one time in the order they came. */
  entries(query?: LedgerQuery): Promise<LedgerEntry[]>;
  /**
   * All entries of sessions at or after a time, some at a time, however many there are: session by
   * session in Postgres, in the order in which they came in a file. Without it, `entries` gives
   * them at once.
   */
  stream?(since: number): AsyncIterable<LedgerEntry[]>;
  /** Oldest first; entries of one time in the order they came. */
  context(query?: ContextQuery): Promise<ContextEntry[]>;
  /** Those with an event or a signal, the most recently active first. */
  sessions(): Promise<LedgerSession[]>;
  /** The guard's state of a session, or null. */
  loadState(session: string): Promise<Json | null>;
  /** For a state that does not depend on the one before; else `update`. */
  saveState(session: string, state: Json): Promise<void>;
  /** Drops everything of one session, or of all. */
  forget(session?: string): Promise<void>;
  /**
   * The key of fingerprints that all who write to it share. A ledger without it is of one machine,
   * which has its own.
   */
  fingerprintKey?(): Promise<string | undefined>;
  /** Of those who may ask a server; a ledger without it knows none. */
  keys?: LedgerKeys;
  /** One cause over many sessions; a ledger without it finds none. */
  incidents?: Incidents;
  /**
   * Answers about many sessions; a ledger without it is small enough to be read as a whole. See
   * `reportsOf` in `sqlite/`.
   */
  reports?: Reports;
  /** `unrut show` reads it, so people are told to look there. */
  isShown?: true;
  close(): Promise<void>;
}
