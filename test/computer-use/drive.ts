import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import {
  createRunner,
  createScriptedBrain,
  type Proposal,
  type RunnerOptions,
  type RunResult,
  type View,
} from '../../src/computer-use/index.ts';
import { LAUNCH_TIMEOUT, launchChromium } from '../browser/chromium.ts';
import { computerUsePages } from '../site/computer-use/pages.ts';
import { type Pages, type Site, startSite } from '../site/site.ts';

/** What a scripted brain is given beside its view: the page itself, which a real one sees only as a picture. */
export interface Scene {
  page: Page;
  view: View;
  /** A click in the middle of what a selector finds. */
  click(selector: string, reasoning?: string): Promise<Proposal>;
}

export type Script = (scene: Scene) => Proposal | Promise<Proposal>;

export const done = (summary = 'The entries were saved.'): Proposal => ({ action: { type: 'done', success: true, summary } });

/** Patient enough for pages on this machine. */
const patience = { still: 60, most: 1500, idle: 500 };

/** A browser and the fixture site for the tests of one file. */
export function useSite(...more: Pages[]): {
  open(path: string): Promise<Page>;
  run(path: string, script: Script, options?: Partial<RunnerOptions>): Promise<RunResult & { page: Page }>;
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
    const page = await browser.newPage({ viewport: { width: 1024, height: 640 } });
    pages.push(page);
    await page.goto(site.url + path);
    return page;
  };
  return {
    get url() {
      return site.url;
    },
    open,
    async run(path, script, options = {}) {
      const page = await open(path);
      const brain = createScriptedBrain((view) =>
        script({ page, view, click: (selector, reasoning) => clickOn(page, selector, reasoning) }),
      );
      const runner = createRunner({
        task: 'Fill in the form and save it.',
        patience,
        maxSteps: 20,
        environment: {},
        brain,
        page,
        ...options,
      });
      return Object.assign(await runner.run(), { page });
    },
  };
}

async function clickOn(page: Page, selector: string, reasoning = ''): Promise<Proposal> {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`There is no ${selector} on ${page.url()}.`);
  return { action: { type: 'click', x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) }, reasoning };
}
