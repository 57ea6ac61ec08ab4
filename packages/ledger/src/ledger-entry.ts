import type { Json } from '@unrut/engine/event';

export const ENTRY_KINDS = ['event', 'signal', 'plan', 'outcome', 'fault'] as const;

export type EntryKind = (typeof ENTRY_KINDS)[number];

/** One line of the durable record. Texts in it are redacted. */
export interface LedgerEntry {
  /** Unique; appending it again has no effect. */
  id: string;
  /** Empty for a fault that belongs to no session. */
  session: string;
  agent?: string;
  /** Epoch milliseconds, from the event. */
  at: number;
  /** Of a message piece, only the id is used again; queries other than the one by id skip it. */
  kind: EntryKind | 'piece';
  /** The step that it belongs to. */
  step: number;
  data: { [name: string]: Json };
}

export interface LedgerSession {
  session: string;
  /** Times of the first and last entry; number of events, including pieces, and of signals. */
  first: number;
  last: number;
  events: number;
  signals: number;
}

/** Sums up a session's entries; there must be at least one. */
export function spanOf(
  session: string,
  entries: readonly Pick<LedgerEntry, 'at' | 'kind'>[],
): LedgerSession {
  const span = { session, first: entries[0]!.at, last: entries[0]!.at, events: 0, signals: 0 };
  for (const { at, kind } of entries) {
    span.first = Math.min(span.first, at);
    span.last = Math.max(span.last, at);
    if (kind === 'event' || kind === 'piece') span.events++;
    if (kind === 'signal') span.signals++;
  }
  return span;
}
