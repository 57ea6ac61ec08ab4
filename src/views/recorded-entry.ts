import type { AccountEntry, EventFacts } from '../account/entry.ts';
import type { EventType } from '../event.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import type { Origin } from '../ledger/record.ts';
import type { SeenBriefly } from '../ledger/seen-briefly.ts';
import { whatHappened } from '../views/what-happened.ts';

/** What is kept of an event. */
export interface RecordedEvent extends EventFacts, Origin {
  tool?: string;
  refusedBy?: string;
  seen?: SeenBriefly;
}

/** An entry of the ledger with its data as the guard records it. */
export type RecordedEntry = AccountEntry<RecordedEvent>;

export const asRecorded = (entry: LedgerEntry): RecordedEntry => entry as unknown as RecordedEntry;

/** The tool or action failed, as far as was seen. */
export const hasFailed = ({ seen }: RecordedEvent): boolean => Boolean(seen?.result?.error);

/** It only announces a call or an action. */
export const isProposal = ({ type, aside }: RecordedEvent): boolean => !aside && (type === 'call-proposed' || type === 'action-proposed');

const WORDS: { [type in EventType]?: string } = {
  'session-ended': 'the session ends',
  'task-attempted': 'a task is attempted',
  'iteration-started': 'an iteration begins',
  idle: 'nothing to do',
};

/** What an event was and what it brought, in words; nothing for a piece of a message. Entries of earlier versions tell only the tool. */
export function toldBy({ type, tool = '', seen }: RecordedEvent): { what: string; brought: string } {
  const { what, brought } = whatHappened({ type, ...seen }) ?? { what: WORDS[type] ?? seen?.call?.label ?? '', brought: '' };
  return { what: what || tool, brought };
}
