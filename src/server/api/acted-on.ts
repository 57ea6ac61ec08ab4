import { addUp, type HourFigures } from '../../ledger/reports/hour-figures.ts';
import { type Acted, noOutcomes } from '../../ledger/reports/session-summary.ts';

/** How often something was really done, and what became of that. Plans that were only recorded are in rows of their own. */
export function actedOn(plans: HourFigures['plans']): Acted {
  const sum: Acted = { plans: 0, ...noOutcomes() };
  for (const row of plans.values()) if (row.shadow === 0) addUp(sum, row);
  return sum;
}

/** The same rows, but nothing came of what was only recorded. */
export const withoutShadowOutcomes = (plans: HourFigures['plans']): HourFigures['plans'] =>
  new Map([...plans].map(([name, row]) => [name, row.shadow === 0 ? row : { ...row, ...noOutcomes() }]));
