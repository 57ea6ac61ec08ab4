import { guardPage, type Proposal } from '@unrut/computer-use';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOnce } from '../../bench/recovery/arms.ts';
import { TRAPS } from '../../bench/recovery/tasks.ts';
import {
  type Deed,
  type RecoveryTask,
  startWorlds,
  type Worlds,
} from '../../bench/recovery/world.ts';
import { LAUNCH_TIMEOUT, launchChromium } from '../browser/chromium.ts';
import { isFull } from '../full-runs.ts';
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

/**
 * Traps for which the bench has no agent: the way forward is a choice, or only the plan knows it.
 */
const MORE: readonly RecoveryTask[] = [
  {
    name: 'a town from a list',
    task: 'Choose Bremen.',
    html: `<form action="{base}/save" method="post"><label for="town">Town</label><input id="town" name="town" autocomplete="off">
<ul id="list"><li id="one">Bremen</li><li>Bremerhaven</li></ul><button>Save</button></form>`,
    plan: { Town: 'Brem' },
    goal: { act: 'save', data: { town: 'Bremen' } },
    next: ['fill("#town", "Brem")'],
    decoys: ['#one', '#town'],
  },
  {
    name: 'a password that is asked for twice',
    task: 'Register.',
    html: `<h1>Register</h1><form action="{base}/register" method="post"><label for="user">User name</label><input id="user" name="user"><label for="pass">Password</label><input id="pass" name="pass" type="password">
<a id="show" href="#" onclick="return false">Show password</a><label for="again">Repeat password</label><input id="again" name="again" type="password"><button>Register</button></form>`,
    plan: { 'User name': 'ada', Password: 'difference engine' },
    goal: {
      act: 'register',
      data: { user: 'ada', pass: 'difference engine', again: 'difference engine' },
    },
    next: ['fill("#user", "ada")', 'fill("#pass", "difference engine")'],
    decoys: ['#show', 'h1'],
  },
];
const ALL = [...TRAPS.filter(({ name }) => name !== 'slow save'), ...MORE];

/**
 * Clicks each field that the plan knows, then, five times each, what looks like the way and is not.
 */
async function clickAround(
  task: RecoveryTask,
): Promise<{ deeds: readonly Deed[]; forced: string[] }> {
  const { url, deeds } = worlds.begin(task);
  await page.goto(url);
  const values = Object.entries(task.plan ?? {}).map(([label, value]) => ({ label, value }));
  const fields = task.next
    .flatMap((move) => /^fill\("(#\w+)"/.exec(move)?.[1] ?? [])
    .slice(0, values.length);
  const clicks = [...fields, ...task.decoys!.flatMap((decoy) => Array<string>(CLICKS).fill(decoy))];
  const { trajectory } = await runScript(
    page,
    async ({ view, click }) => {
      const next = clicks[view.step];
      if (next === undefined) return done();
      return (await page.locator(next).isVisible())
        ? click(next, 'Save the changes.')
        : { action: { type: 'wait', seconds: 0 } };
    },
    {
      plan: { values },
      patience,
      escalate: async () => true,
      maxSteps: 40,
      off: ['done-gate'],
      allow: ['loop-recovery'],
    },
  );
  return {
    deeds,
    forced: trajectory
      .filter(({ gate }) => gate !== '')
      .map((step) => step.loop_recovery_reason || step.gate),
  };
}

describe('clicks that do nothing, after the values are typed, set nothing off', () => {
  it.each(ALL)('$name', async (task) => {
    const { deeds, forced } = await clickAround(task);
    expect(deeds).toEqual([]);
    expect(forced.filter((code) => !['force-fill', 'tab_to_next_field'].includes(code))).toEqual(
      [],
    );
  });
});

it('a password that is asked for twice is typed twice', async () => {
  const { url } = worlds.begin(MORE[1]!);
  await page.goto(url);
  const values = [{ label: 'Password', value: 'difference engine' }];
  await runScript(
    page,
    ({ view, click }) => (view.step < 2 ? click(['#pass', '#again'][view.step]!) : done()),
    {
      plan: { values },
      patience,
      off: ['done-gate'],
    },
  );
  expect([await page.inputValue('#pass'), await page.inputValue('#again')]).toEqual([
    'difference engine',
    'difference engine',
  ]);
});

it('right clicks never end in Return, whatever is allowed', async () => {
  const { url, deeds } = worlds.begin(TRAPS[0]!);
  await page.goto(url);
  const result = await runScript(
    page,
    async ({ view, click }) => {
      const { action } = await click(view.step === 0 ? '#n' : '#save', 'Save the changes.');
      return {
        action: view.step === 0 ? action : { ...action, button: 'right' as const },
        reasoning: 'Save the changes.',
      } as Proposal;
    },
    {
      patience,
      maxSteps: 7,
      allow: ['loop-recovery', 'returnInFocusedField', 'press_return_for_submit'],
      escalate: async () => true,
    },
  );
  expect([deeds, result.loop_recoveries_by_reason]).toEqual([[], {}]);
});

it('clicks that do nothing set nothing off on a guarded page either', async () => {
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

it('in many runs of agents that err, nobody comes to harm', async () => {
  const runs = [];
  const count = isFull ? 40 : TRAPS.length;
  for (let i = 0; i < count; i++)
    runs.push(await runOnce(page, worlds, TRAPS[i % TRAPS.length]!, 'default', 1000 + i, 16));
  expect(runs.filter(({ harm }) => harm.length > 0)).toEqual([]);
  // These agents loop, and are helped where that is safe.
  expect(runs.filter(({ reached }) => reached).length).toBeGreaterThan(count / 4);
  expect(runs.some(({ forced }) => Object.keys(forced).length > 0)).toBe(true);
});
