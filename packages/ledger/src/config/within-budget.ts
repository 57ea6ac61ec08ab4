import type { BudgetOptions } from '@unrut/engine/policy/spending';
import { keyText } from '@unrut/engine/schema/sentences';
import { type Layer, leavesOf, valueAt } from './layers.ts';

/** A project may lower the user's limits and set new ones. Only the user can raise a limit. */
export function withinBudget(
  project: Layer,
  budget: BudgetOptions | undefined,
  problems: string[],
): Layer {
  const values = structuredClone(project.values);
  for (const path of leavesOf(budget ?? {}, ['budget'])) {
    const own = valueAt({ budget }, path);
    const given = valueAt(values, path);
    if (typeof own !== 'number' || typeof given !== 'number' || given <= own) continue;
    const holder = valueAt(values, path.slice(0, -1)) as Record<string, unknown>;
    delete holder[path.at(-1)!];
    problems.push(
      `${project.source}: ${keyText(path)}: ignored, because ${given} is more than the ${own} of your own settings. A project can only lower it.`,
    );
  }
  return { source: project.source, values };
}
