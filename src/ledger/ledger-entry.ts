import type { Json } from '../event.ts';

export type EntryKind = 'event' | 'signal' | 'plan' | 'outcome' | 'fault';

/** One line of the durable record. Texts in it are redacted. */
export interface LedgerEntry {
  /** Unique; appending it again changes nothing. */
  id: string;
  /** Empty for a fault that belongs to no session. */
  session: string;
  agent?: string;
  /** Epoch milliseconds, from the event. */
  at: number;
  /** Of a piece of a message only the id is needed again: no query finds it but the one for ids. */
  kind: EntryKind | 'piece';
  /** The step that it belongs to. */
  step: number;
  data: { [name: string]: Json };
}

export interface LedgerSession {
  session: string;
  /** Times of the first and the last entry; of events, with pieces, and of signals the number. */
  first: number;
  last: number;
  events: number;
  signals: number;
}
