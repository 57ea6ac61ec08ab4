import type { Json } from '@unrut/engine/event';

export const ENTRY_KINDS = ['event', 'signal', 'plan', 'outcome', 'fault'] as const;

export type EntryKind = (typeof ENTRY_KINDS)[number];

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

/** What entries add to the figures of their sessions. */
export function tallied(
  entries: Iterable<Pick<LedgerEntry, 'session' | 'at' | 'kind'>>,
): Map<string, LedgerSession> {
  const tallies = new Map<string, LedgerSession>();
  for (const { session, at, kind } of entries) {
    const tally = tallies.get(session) ?? { session, first: at, last: at, events: 0, signals: 0 };
    tally.first = Math.min(tally.first, at);
    tally.last = Math.max(tally.last, at);
    if (kind === 'event' || kind === 'piece') tally.events++;
    if (kind === 'signal') tally.signals++;
    tallies.set(session, tally);
  }
  return tallies;
}
