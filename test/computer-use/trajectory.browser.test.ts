import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTrajectoryFolder, type Proposal, screenGuardOptions } from '@unrut/computer-use';
import { afterAll, expect, it } from 'vitest';
import { createMemoryLedger, recordTo } from '../../packages/cli/src/index.ts';
import { faults } from '../browser/axe-faults.ts';
import { coloursIn } from './colours-in.ts';
import { done, type Script, useSite } from './drive.ts';

const site = useSite();
const folder = mkdtempSync(join(tmpdir(), 'unrut-trajectory-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PASSWORD = 'correct horse 42';
const plan = {
  values: [
    { label: 'User name', value: 'grace.hopper' },
    { label: 'Password', value: PASSWORD },
  ],
};

const typed: Proposal = {
  action: { type: 'type_text', text: 'something else entirely' },
  reasoning: 'I type something else entirely.',
};
const brain: Script = ({ view, click }) => {
  if (view.url.includes('/saved')) return done(`Signed in as grace.hopper with ${PASSWORD}.`);
  if (view.step === 0) return typed;
  return view.pending.length > 0
    ? click(
        view.pending.includes('User name') ? '#user' : '#password',
        `For grace.hopper, ${PASSWORD}`,
      )
    : click('#go', 'Sign in.');
};

it('is saved with screenshots and a page to look at, and without any value that was typed', async () => {
  const kept = await openTrajectoryFolder(folder);
  const ledger = createMemoryLedger();
  const result = await site.run('/login', brain, {
    plan,
    allow: ['loop-recovery', 'returnInFocusedField'],
    guard: recordTo(ledger, screenGuardOptions()),
    ...kept,
    task: `Sign in as grace.hopper / ${PASSWORD}`,
  });
  const { page: _, ...plain } = result;
  await kept.finish(plain);
  expect(result.termination_reason).toBe('done');
  expect(result.substitutions_by_gate).toMatchObject({ 'force-fill': 2, 'loop-recovery': 1 });

  const saved = JSON.parse(readFileSync(join(folder, 'trajectory.json'), 'utf8'));
  expect(saved).toEqual({ version: 1, ...plain });
  expect(saved.trajectory.map((step: { action: object }) => step.action)).toEqual(
    expect.arrayContaining([
      { type: 'type_text', text: '<value:23 chars>' },
      expect.objectContaining({ text: '<value:12 chars>', replace: true }),
      expect.objectContaining({ text: '<value:16 chars>', replace: true }),
    ]),
  );
  const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'));
  expect(pictures).toHaveLength(result.steps + 1);
  const recorded = await ledger.entries();
  expect(recorded.length).toBeGreaterThan(5);
  const texts = ['trajectory.json', 'index.html'].map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  );
  for (const text of [...texts, JSON.stringify([recorded, await ledger.context()])]) {
    for (const value of [
      'grace.hopper',
      PASSWORD,
      'something else entirely',
      encodeURIComponent(PASSWORD),
    ])
      expect(text).not.toContain(value);
  }
});

it('shows no password in its screenshots, and none at the end', async () => {
  const page = await site.open('/login');
  const box = (await page.locator('#password').boundingBox())!;
  const steps = readdirSync(folder).filter((name) => /^\d+\.png$/.test(name));
  expect(coloursIn(join(folder, steps.at(-2)!), box)).toEqual(['136,136,136']);

  const other = join(folder, 'ends-early');
  const kept = await openTrajectoryFolder(other);
  const { trajectory } = await site.run('/login', ({ click }) => click('#password'), {
    plan,
    ...kept,
    maxSteps: 1,
  });
  expect(trajectory[0]).toMatchObject({ gate: 'force-fill', action_effect_observed: true });
  expect(coloursIn(join(other, 'final.png'), box)).toEqual(['136,136,136']);
});

it('ends with the screen after the last action', async () => {
  const other = join(folder, 'counts');
  const kept = await openTrajectoryFolder(other);
  const { page, ...result } = await site.run('/click-game', ({ click }) => click('#dot'), {
    ...kept,
    maxSteps: 2,
  });
  await kept.finish(result);
  expect(readdirSync(other).sort()).toEqual([
    '001.png',
    '002.png',
    'final.png',
    'index.html',
    'trajectory.json',
  ]);
  const [before, final] = ['002.png', 'final.png'].map((name) => readFileSync(join(other, name)));
  expect(final!.equals(before!)).toBe(false);
  expect(result.final_frame).toEqual({
    frame_hash: result.trajectory.at(-1)!.frame_hash,
    url: page.url(),
  });
  await page.goto(`file://${other}/index.html`);
  expect(await page.locator('li').last().textContent()).toMatch(
    /The end: max_steps.*\/click-game/s,
  );
  await page.locator('li').last().scrollIntoViewIfNeeded();
  await expect
    .poll(() => page.evaluate('document.querySelector("#end img").naturalWidth'))
    .toBe(640);
});

it('shows no end when the page was lost', async () => {
  const kept = await openTrajectoryFolder(join(folder, 'lost'));
  const { page: _, ...result } = await site.run(
    '/click-game',
    async ({ page, click }) => {
      const proposal = await click('#dot');
      await page.close();
      return proposal;
    },
    kept,
  );
  await kept.finish(result);
  expect(result).toMatchObject({ termination_reason: 'page_lost', final_frame: null });
  expect(readFileSync(join(folder, 'lost/index.html'), 'utf8')).not.toContain('final.png');
});

it('can be looked at, and its page sent alone', async () => {
  const page = await site.open('/saved');
  const asked: string[] = [];
  const alone = join(folder, 'alone.html');
  copyFileSync(join(folder, 'index.html'), alone);
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`file://${alone}`);
  const steps = page.locator('li');
  expect(await steps.count()).toBeGreaterThan(5);
  expect(await page.locator('li.forced figure i').count()).toBeGreaterThan(2);
  await page.locator('li.forced').last().scrollIntoViewIfNeeded();
  expect(await page.locator('li.forced').last().textContent()).toMatch(
    /Proposed\s*click at .*Done\s*press Return.*By\s*loop-recovery: press_return_for_submit/s,
  );
  expect(await faults(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.locator('li.forced').last().scrollIntoViewIfNeeded();
  await expect
    .poll(() =>
      page.evaluate('[...document.querySelectorAll("li.forced img")].at(-1).naturalWidth'),
    )
    .toBe(640);
  expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([`file://${alone}`]);
});
