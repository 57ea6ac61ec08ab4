import type { EventType, Rung } from '../event.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import type { Origin } from '../ledger/record.ts';
import type { SeenBriefly } from '../ledger/seen-briefly.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { Plan } from '../policy/plan.ts';
import { whatHappened } from '../report/step-text.ts';
import type { Fault, Signal } from '../signal.ts';

/** What is kept of an event. */
export interface RecordedEvent extends Origin {
  type: EventType;
  tool?: string;
  refusedBy?: string;
  cost?: { tokens?: number; usd?: number };
  seen?: SeenBriefly;
  /** Of `plan-performed`: which plan, the rung that was reached, and whether nothing was. */
  plan?: string;
  rung?: Rung;
  failed?: boolean;
  /** It is only kept: the detectors were not shown it. */
  aside?: true;
}

/** What is kept of a plan. */
export type RecordedPlan = Plan & { shadow: boolean };

/** An entry of the ledger with its data as the guard records it. */
export type RecordedEntry = Omit<LedgerEntry, 'kind' | 'data'> &
  (
    | { kind: 'event'; data: RecordedEvent }
    | { kind: 'signal'; data: Signal }
    | { kind: 'plan'; data: RecordedPlan }
    | { kind: 'outcome'; data: Outcome }
    | { kind: 'fault'; data: Fault }
  );

export const asRecorded = (entry: LedgerEntry): RecordedEntry => entry as unknown as RecordedEntry;

const STEPS: ReadonlySet<EventType> = new Set<EventType>(['call-finished', 'action-finished', 'output-finished', 'task-attempted', 'idle']);

/** It is a step of the run: a call, an action, a whole message, an iteration, an attempt. */
export const isStep = ({ type, seen, aside }: RecordedEvent): boolean =>
  !aside && (STEPS.has(type) || (type === 'text-added' && Boolean(seen?.text?.message)));

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
