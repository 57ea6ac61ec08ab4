import type { AccountEntry, EventFacts } from '@unrut/engine/account/entry';
import type { Verdict } from '@unrut/engine/guard';
import type { Drawn } from '@unrut/engine/trial';
import type { LedgerEntry } from '../ledger-entry.ts';
import type { Origin } from '../record.ts';
import type { SeenBriefly } from '../seen-briefly.ts';

/** The recorded data of an event. */
export interface RecordedEvent extends EventFacts, Origin {
  tool?: string;
  refusedBy?: string;
  /** A message that ends a turn. */
  rest?: true;
  /** The host reports the ends of turns; recorded with the message that begins one. */
  turns?: true;
  /** A proposed call that waits on purpose, or for a nested agent. */
  open?: 'wait' | 'agent';
  seen?: SeenBriefly;
  /** With a session's first event: its arm in a trial. */
  drawn?: Drawn;
  /** The budget's state at that time. */
  budget?: Verdict['budget'];
}

/** A ledger entry with the data that the guard records. */
export type RecordedEntry = AccountEntry<RecordedEvent>;

export const asRecorded = (entry: LedgerEntry): RecordedEntry => entry as unknown as RecordedEntry;

/** Whether the tool or action is known to have failed. */
export const hasFailed = ({ seen }: RecordedEvent): boolean => Boolean(seen?.result?.error);

/** It only announces a call or an action. */
export const isProposal = ({ type, aside }: RecordedEvent): boolean =>
  !aside && (type === 'call-proposed' || type === 'action-proposed');
