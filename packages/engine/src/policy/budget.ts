import type { Rung } from '../event.ts';
import { type Recent, recall, remember } from '../recent.ts';
import { affordable } from './ladder-conditions.ts';
import { climbTo } from './ladder-table.ts';

/** The ladder says which rungs interfere. Notes, hints, questions and the stop are free. */
const isForceful = (rung: Rung): boolean => climbTo(rung).open.includes(affordable);
/**
 * A second refusal may be bad luck, but a third for the same target means that refusing does not
 * work.
 */
const PER_TARGET = 2;
const PER_SESSION = 5;

export interface Budget {
  session: number;
  targets: Recent<number>;
}

export const startBudget = (): Budget => ({ session: 0, targets: [] });

export const budgetLeft = (budget: Budget): number => PER_SESSION - budget.session;

const nameOf = (recovery: string, target: string): string => `${recovery} ${target}`;

export function affords(budget: Budget, rung: Rung, recovery: string, target: string): boolean {
  if (!isForceful(rung)) return true;
  return (
    budget.session < PER_SESSION &&
    (recall(budget.targets, nameOf(recovery, target)) ?? 0) < PER_TARGET
  );
}

/** Forceful plans use up the budget for good: a message from the user does not refill it. */
export function spend(budget: Budget, rung: Rung, recovery: string, target: string): void {
  if (!isForceful(rung)) return;
  budget.session++;
  const name = nameOf(recovery, target);
  remember(budget.targets, name, (recall(budget.targets, name) ?? 0) + 1, PER_SESSION);
}
