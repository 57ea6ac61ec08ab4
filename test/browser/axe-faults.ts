import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const LOOKED_AT = ['color-contrast', 'heading-order', 'landmark-one-main', 'region'];

/** The violations that axe finds. Fewer elements are checked while a dialog hides the page. */
export async function faults(
  page: Page,
  lookedAt: readonly string[] = LOOKED_AT,
): Promise<unknown[]> {
  await page.evaluate(axe.source);
  // For passed checks only names are returned: describing every element takes longer than checking
  // it.
  const { violations, passes } = (await page.evaluate(
    "axe.run({ resultTypes: ['violations'] })",
  )) as axe.AxeResults;
  expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining([...lookedAt]));
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
