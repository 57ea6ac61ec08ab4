import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { LAUNCH_TIMEOUT, launchChromium } from '../browser/chromium.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
}, LAUNCH_TIMEOUT);
afterAll(() => browser?.close());

const open: Page[] = [];
const heard: string[] = [];
afterEach(async () => {
  for (const page of open.splice(0)) await page.context().close();
  expect(heard.splice(0)).toEqual([]);
});

export const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
};

/**
 * Opens a page of the dashboard. What it complains of, and what it asks of anybody but its server,
 * fails the test.
 */
export async function openPage(
  address: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  open.push(page);
  const { origin } = new URL(address);
  page.on('console', (message) => heard.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => heard.push(`error: ${error.message}`));
  page.on(
    'request',
    (request) =>
      new URL(request.url()).origin !== origin && heard.push(`request: ${request.url()}`),
  );
  await page.goto(address);
  return page;
}

/**
 * What the pages were heard to complain of until now: where a server is gone on purpose, the
 * browser says so.
 */
export const forgive = (complaint: RegExp): void => {
  expect(heard.splice(0).filter((each) => !complaint.test(each))).toEqual([]);
};

/** Waits until the answers of the API are shown. */
export async function untilShown(page: Page): Promise<void> {
  await page.locator('main [aria-busy=false]').first().waitFor();
  await page.getByText('Loading…').first().waitFor({ state: 'detached' });
}

export const openAll = (page: Page): Promise<unknown> =>
  page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
