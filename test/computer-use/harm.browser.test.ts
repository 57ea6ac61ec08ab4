import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOnce } from '../../bench/recovery/arms.ts';
import { TRAPS } from '../../bench/recovery/tasks.ts';
import { type Deed, startWorlds, type Worlds } from '../../bench/recovery/world.ts';
import { guardPage } from '../../src/computer-use/index.ts';
import { LAUNCH_TIMEOUT, launchChromium } from '../browser/chromium.ts';
import { done, runScript } from './script.ts';

let browser: Browser;
let worlds: Worlds;
let page: Page;
beforeAll(async () => {
  browser = await launchChromium();
  worlds = await startWorlds();
  page = await browser.newPage({ viewport: { width: 480, height: 360 } });
}, LAUNCH_TIMEOUT);
afterAll(async () => {
  await browser?.close();
  await worlds?.close();
});

const patience = { still: 10, most: 250, idle: 0, turn: 0 };
const CLICKS = 5;

/** Clicks each field that the plan knows, then, five times each, what looks like the way and is not. */
async function clickAround(name: string): Promise<{ deeds: readonly Deed[]; forced: string[] }> {
  const task = TRAPS.find((each) => each.name === name)!;
  const { url, deeds } = worlds.begin(task);
  await page.goto(url);
  const values = Object.entries(task.plan ?? {}).map(([label, value]) => ({ label, value }));
  const fields = task.next.flatMap((move) => /^fill\("(#\w+)"/.exec(move)?.[1] ?? []).slice(0, values.length);
  const clicks = [...fields, ...task.decoys!.flatMap((decoy) => Array<string>(CLICKS).fill(decoy))];
  const { trajectory } = await runScript(
    page,
    async ({ view, click }) => {
      const next = clicks[view.step];
      if (next === undefined) return done();
      return (await page.locator(next).isVisible()) ? click(next, 'Save the changes.') : { action: { type: 'wait', seconds: 0 } };
    },
    { plan: { values }, patience, escalate: async () => true, maxSteps: 40, off: ['done-gate'], allow: ['loop-recovery'] },
  );
  return { deeds, forced: trajectory.filter(({ gate }) => gate !== '').map((step) => step.loop_recovery_reason || step.gate) };
}

describe('clicks that do nothing, after the values are typed, set nothing off', () => {
  it.each(TRAPS.filter(({ name }) => name !== 'slow save').map(({ name }) => name))('%s', async (name) => {
    const { deeds, forced } = await clickAround(name);
    expect(deeds).toEqual([]);
    expect(forced.filter((code) => !['force-fill', 'tab_to_next_field'].includes(code))).toEqual([]);
  });
});

it('nor do they on a guarded page', async () => {
  const { url, deeds } = worlds.begin(TRAPS[0]!);
  await page.goto(url);
  const guarded = guardPage(page, { patience, environment: {}, allow: ['loop-recovery'] });
  await guarded.page.click('#n');
  for (let i = 0; i < CLICKS; i++) {
    guarded.says('Save the changes.');
    await guarded.page.click('#save');
  }
  expect([deeds, guarded.substitutions]).toEqual([[], []]);
});

it('in 40 runs of agents that err, nobody comes to harm', async () => {
  const runs = [];
  for (let i = 0; i < 40; i++) runs.push(await runOnce(page, worlds, TRAPS[i % TRAPS.length]!, 'default', 1000 + i, 16));
  expect(runs.filter(({ harm }) => harm.length > 0)).toEqual([]);
  // They are agents that loop, and are helped where that is safe.
  expect(runs.filter(({ reached }) => reached).length).toBeGreaterThan(10);
  expect(runs.some(({ forced }) => Object.keys(forced).length > 0)).toBe(true);
});
