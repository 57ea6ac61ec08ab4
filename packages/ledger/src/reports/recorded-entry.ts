import type { AccountEntry, EventFacts } from '@unrut/engine/account/entry';
import type { Verdict } from '@unrut/engine/guard';
import type { Drawn } from '@unrut/engine/trial';
import type { LedgerEntry } from '../ledger-entry.ts';
import type { Origin } from '../record.ts';
import type { SeenBriefly } from '../seen-briefly.ts';

/** What is kept of an event. */
export interface RecordedEvent extends EventFacts, Origin {
  tool?: string;
  refusedBy?: string;
  /** A message that ends a turn. */
  rest?: true;
  /** The host reports where turns end; told with the message that begins one. */
  turns?: true;
  /** A proposed call that waits on purpose, or for a nested agent. */
  open?: 'wait' | 'agent';
  seen?: SeenBriefly;
  /** With its first event: the arm that its session was drawn for. */
  drawn?: Drawn;
  /** What was spent of the budget then. */
  budget?: Verdict['budget'];
}

/** An entry of the ledger with its data as the guard records it. */
export type RecordedEntry = AccountEntry<RecordedEvent>;

export const asRecorded = (entry: LedgerEntry): RecordedEntry => entry as unknown as RecordedEntry;

/** The tool or action failed, as far as was seen. */
export const hasFailed = ({ seen }: RecordedEvent): boolean => Boolean(seen?.result?.error);

/** It only announces a call or an action. */
export const isProposal = ({ type, aside }: RecordedEvent): boolean =>
  !aside && (type === 'call-proposed' || type === 'action-proposed');
