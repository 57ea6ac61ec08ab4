import type { RunnerOptions, ScreenRunResult } from '@unrut/computer-use';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { LAUNCH_TIMEOUT, launchChromium } from '../browser/chromium.ts';
import { computerUsePages } from '../site/computer-use/pages.ts';
import { type Pages, type Site, startSite } from '../site/site.ts';
import { runScript, type Script } from './script.ts';

export { done, type Script } from './script.ts';

/** A browser and the fixture site for the tests of one file. */
export function useSite(...more: Pages[]): {
  open(path: string): Promise<Page>;
  run(
    path: string,
    script: Script,
    options?: Partial<RunnerOptions>,
  ): Promise<ScreenRunResult & { page: Page }>;
  readonly url: string;
} {
  let browser: Browser;
  let site: Site;
  const pages: Page[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
    site = await startSite(computerUsePages, ...more);
  }, LAUNCH_TIMEOUT);
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });
  const open = async (path: string): Promise<Page> => {
    for (const page of pages.splice(0)) await page.close();
    const page = await browser.newPage({ viewport: { width: 640, height: 400 } });
    pages.push(page);
    await page.goto(site.url + path);
    return page;
  };
  return {
    get url() {
      return site.url;
    },
    open,
    async run(path, script, options) {
      const page = await open(path);
      return Object.assign(await runScript(page, script, options), { page });
    },
  };
}
