import type { Candidate } from '../candidates/candidate.ts';
import type { Rung } from '../event.ts';
import type { Action } from '../recoveries/recovery.ts';
import type { LoopPrice } from '../signal.ts';

/** What should be done about a streak. Adapters perform it. */
export interface Plan {
  /** Adapters use it to report on the plan. */
  id: string;
  /** The recovery that made it. */
  recovery: string;
  /** What to do. */
  rung: Rung;
  /**
   * The plan is made because of what was spent since the last progress, not because the next repeat
   * is known to bring nothing.
   */
  byPrice?: true;
  /** The signal that it answers: `detector/variant`. */
  reason: string;
  /** What the model should read: after the result, or in its place if the call is blocked. */
  toModel: string;
  /** For the person who uses the agent. */
  toHuman: string;
  /** A command that shows an operator more. End users of a service do not have it. */
  more?: string;
  action?: Action;
  /**
   * Ranked next actions after a failure: first those that may be offered, best first, then those
   * that a gate excludes.
   */
  candidates?: Candidate[];
  target?: string;
  /** It is the first plan about this streak. */
  first?: true;
  /** Forceful plans that this session may still make. */
  budgetLeft: number;
  streak: string;
  /** What the session has spent since it last got anywhere, once an advised loop is open. */
  price?: LoopPrice;
}
