import {
  createRunner,
  createScriptedBrain,
  type Proposal,
  type RunnerOptions,
  type ScreenRunResult,
  type View,
} from '@unrut/computer-use';
import type { Page } from 'playwright-core';

/**
 * The input of a scripted brain besides its view: the page itself, which a real one sees only as a
 * picture.
 */
export interface Scene {
  page: Page;
  view: View;
  /** A click in the middle of what a selector finds. */
  click(selector: string, reasoning?: string): Promise<Proposal>;
}

export type Script = (scene: Scene) => Proposal | Promise<Proposal>;

export const done = (summary = 'The entries were saved.'): Proposal => ({
  action: { type: 'done', success: true, summary },
});

/** Patient enough for pages on this machine; those on which something moves are watched first. */
const patience = { still: 40, most: 1500, idle: 0, turn: 0 };
export const WATCHES_FIRST = { ...patience, idle: 500 };

/** Lets a script drive a page that is open. */
export function runScript(
  page: Page,
  script: Script,
  options: Partial<RunnerOptions> = {},
): Promise<ScreenRunResult> {
  const brain = createScriptedBrain((view) =>
    script({ page, view, click: (selector, reasoning) => clickOn(page, selector, reasoning) }),
  );
  const task = 'Fill in the form and save it.';
  return createRunner({
    task,
    patience,
    maxSteps: 20,
    environment: {},
    brain,
    page,
    ...options,
  }).run();
}

async function clickOn(page: Page, selector: string, reasoning = ''): Promise<Proposal> {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`There is no ${selector} on ${page.url()}.`);
  return {
    action: {
      type: 'click',
      x: Math.round(box.x + box.width / 2),
      y: Math.round(box.y + box.height / 2),
    },
    reasoning,
  };
}
