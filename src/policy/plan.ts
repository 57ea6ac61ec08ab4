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
  /** Ranked next actions, where there are any. */
  candidates?: unknown[];
  target?: string;
  /** Forceful plans that this session may still make. */
  budgetLeft: number;
  streak: string;
}
