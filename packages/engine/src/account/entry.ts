import { type EventType, isStep, type Rung } from '../event.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { Plan } from '../policy/plan.ts';
import type { Fault, Signal } from '../signal.ts';

/** What is kept of an event, as far as it counts. */
export interface EventFacts {
  type: EventType;
  cost?: { tokens?: number; usd?: number };
  seen?: { text?: { channel?: 'answer' | 'thinking'; message: object | null } };
  /** Of `plan-performed`: which plan, the rung that was reached, and whether nothing was. */
  plan?: string;
  rung?: Rung;
  failed?: boolean;
  /** Of `session-ended`: it says that all was done. */
  well?: true;
  /** It is only kept: the detectors were not shown it. */
  aside?: true;
}

/** What is kept of a plan. */
export type RecordedPlan = Plan & { shadow: boolean };

/**
 * One line of the record, as the account reads it: an event, or what was seen in it, planned, found
 * out or went wrong.
 */
export type AccountEntry<Event extends EventFacts = EventFacts> = {
  session: string;
  /** The nested agent that it belongs to. */
  agent?: string;
  /** Epoch milliseconds. */
  at: number;
  step: number;
} & (
  | { kind: 'event'; data: Event }
  | { kind: 'signal'; data: Signal }
  | { kind: 'plan'; data: RecordedPlan }
  | { kind: 'outcome'; data: Outcome }
  | { kind: 'fault'; data: Fault }
);

/** A step of the agent, by what is kept of the event. */
export const isRecordedStep = ({ type, seen, aside }: EventFacts): boolean =>
  !aside && isStep(type, Boolean(seen?.text?.message) && seen?.text?.channel !== 'thinking');
