import { beforeAll, expect, it } from 'vitest';
import { faults } from '../browser/axe-faults.ts';
import { newPath } from '../ledger-files.ts';
import { openPage, untilShown } from './dashboard-page.ts';
import { builtDashboard, serveDashboard } from './dashboard-server.ts';
import { SEEDED, seedLedger } from './seeded-ledger.ts';

let url: string;
beforeAll(async () => {
  const path = newPath();
  const { ledger } = await seedLedger(path);
  ({ url } = await serveDashboard({ dashboard: await builtDashboard(), ledger, path }));
  return () => ledger.close();
}, 120_000);

it.each([
  ['/', 'running agents are stuck in a loop'],
  [`/session?id=${SEEDED.looping}`, 'It is stuck in a loop'],
])('the dashboard shows %s in a browser, and axe finds no fault with it', async (path, words) => {
  const page = await openPage(url + path);
  await untilShown(page);
  expect(await page.locator('main').textContent()).toContain(words);
  expect(await faults(page)).toEqual([]);
});
