import type { Candidate } from '../candidates/candidate.ts';
import type { Rung } from '../event.ts';
import type { Action } from '../recoveries/recovery.ts';

/** What should be done about a streak, for an adapter to perform. */
export interface Plan {
  /** Names the plan when an adapter reports on it. */
  id: string;
  recovery: string;
  rung: Rung;
  /** The signal it answers: `detector/variant`. */
  reason: string;
  toModel: string;
  toHuman: string;
  action?: Action;
  /** Ranked next actions after a failure: those on offer, best first, then those that a gate excludes. */
  candidates?: Candidate[];
  target?: string;
  /** Forceful plans that this session may still make. */
  budgetLeft: number;
  streak: string;
}
