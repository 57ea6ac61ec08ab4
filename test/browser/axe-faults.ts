import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const LOOKED_AT = ['color-contrast', 'heading-order', 'landmark-one-main', 'region'];

/** What axe finds fault with. What it must have looked at is less where a dialog hides the page. */
export async function faults(
  page: Page,
  lookedAt: readonly string[] = LOOKED_AT,
): Promise<unknown[]> {
  await page.evaluate(axe.source);
  // Of what passes its name is enough: to describe every element that does takes longer than to
  // judge them.
  const { violations, passes } = (await page.evaluate(
    "axe.run({ resultTypes: ['violations'] })",
  )) as axe.AxeResults;
  expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining([...lookedAt]));
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
