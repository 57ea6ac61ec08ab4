import { describe, expect, test } from 'vitest';
import { RUNGS, type Rung } from '../event.ts';
import { affords, type Budget, budgetLeft, spend, startBudget } from './budget.ts';

/** A budget from which plans were paid, each of another recovery or target unless said. */
function spentOn(...plans: [rung: Rung, recovery: string, target: string][]): Budget {
  const budget = startBudget();
  for (const plan of plans) spend(budget, ...plan);
  return budget;
}
const refusals = (count: number): [Rung, string, string][] =>
  Array.from({ length: count }, (_, i) => ['block', 'refuse', `t${i}`]);

describe('the budget', () => {
  test('begins untouched', () => expect(startBudget()).toEqual({ session: 0, targets: [] }));

  test.each(RUNGS)('of a session is spent on %s only if that rung interferes', (rung) => {
    const interferes = ['substitute', 'block', 'redirect'].includes(rung);
    expect(budgetLeft(spentOn([rung, 'r', 't']))).toBe(interferes ? 4 : 5);
    expect(affords(spentOn(...refusals(5)), rung, 'r', 't')).toBe(!interferes);
  });

  test.each([
    [0, 5, true],
    [4, 1, true],
    [5, 0, false],
  ])('after %d forceful plans has %d left, and affords another: %s', (count, left, affordable) => {
    const budget = spentOn(...refusals(count));
    expect(budgetLeft(budget)).toBe(left);
    expect(affords(budget, 'block', 'refuse', 'new')).toBe(affordable);
  });

  test.each([
    [0, true],
    [1, true],
    [2, false],
  ])('after %d plans of one recovery for one target affords another: %s', (count, affordable) => {
    const budget = spentOn(
      ...Array.from({ length: count }, () => ['block', 'refuse', 't'] as [Rung, string, string]),
    );
    expect(affords(budget, 'block', 'refuse', 't')).toBe(affordable);
  });

  test('counts each recovery and each target separately', () => {
    const budget = spentOn(['block', 'refuse', 't'], ['block', 'refuse', 't']);
    expect(affords(budget, 'block', 'refuse', 'other')).toBe(true);
    expect(affords(budget, 'block', 'another', 't')).toBe(true);
  });

  test('does not count free plans for the target', () => {
    const budget = spentOn(['hint', 'refuse', 't'], ['hint', 'refuse', 't']);
    expect(budget).toEqual({ session: 0, targets: [] });
    expect(affords(budget, 'block', 'refuse', 't')).toBe(true);
  });
});
