import type { AgentEvent } from '@unrut/engine/event';
import { createRecorder } from '@unrut/ledger/recorder';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../browser/axe-faults.ts';
import { newPath } from '../ledger-files.ts';
import { openPage, untilShown } from './dashboard-page.ts';
import { builtDashboard, serveDashboard } from './dashboard-server.ts';

const SESSIONS = 1000;
const TOOLS = ['Read', 'Grep', 'WebFetch', 'Edit', 'Glob'];

/** Sessions of five steps, of which every seventh looks at one thing all the time. */
const ordinary = (i: number, now: number): AgentEvent[] =>
  Array.from({ length: 5 }, (_, step) => ({
    type: 'call-finished',
    session: `ordinary-${i}`,
    at: now - i * 1000 - (5 - step) * 1000,
    cost: { tokens: 100, usd: 0.01 },
    call: {
      id: `${step}`,
      tool: TOOLS[i % TOOLS.length]!,
      args: { file_path: i % 7 === 0 ? 'same.ts' : `${step}.ts` },
    },
    result: i % 7 === 0 ? 'same' : `export const part = ${step * 7919 + i};`,
  }));

/** Twenty bursts of one loop, with new work between them. */
const relapsing = (now: number): AgentEvent[] =>
  Array.from({ length: 1000 }, (_, i) => ({
    type: 'call-finished',
    session: 'relapsing',
    at: now - (1000 - i) * 2000,
    cost: { tokens: 100, usd: 0.01 },
    call: {
      id: `${i}`,
      tool: 'Read',
      args: { file_path: i % 50 < 6 ? 'lamp.ts' : `file-${i}.ts` },
    },
    result: i % 50 < 6 ? 'export const lamp = 7;' : `export const value = ${i * i};`,
  }));

/** The same call, again and again. */
const stuck = (session: string, times: number, usd: number, now: number): AgentEvent[] =>
  Array.from({ length: times }, (_, i) => ({
    type: 'call-finished',
    session,
    at: now - (times - i) * 1000,
    cost: { tokens: 100, usd },
    call: { id: `${i}`, tool: 'Bash', args: { command: 'npm test' } },
    error: 'FAIL cart > adds a lamp',
  }));

let url: string;
beforeAll(async () => {
  const path = newPath();
  const ledger = createSqliteLedger({ path });
  const recorder = createRecorder(ledger);
  const now = Date.now();
  const origin = { host: 'codex', folder: 'shop' };
  for (let from = 0; from < SESSIONS; from += 100)
    await recorder.record(Array.from({ length: 100 }, (_, i) => ordinary(from + i, now)).flat(), {
      origin,
    });
  for (const events of [
    relapsing(now),
    stuck('cheap', 200, 0.0001, now),
    stuck('dear', 5, 40, now),
  ])
    await recorder.record(events, { origin });
  ({ url } = await serveDashboard({ dashboard: await builtDashboard(), ledger, path }));
  return () => ledger.close();
}, 240_000);

const shown = async (path: string): Promise<Page> => {
  const page = await openPage(url + path, { viewport: { width: 1440, height: 900 } });
  await untilShown(page);
  return page;
};

const heightOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollHeight');

describe('a thousand sessions', () => {
  it('are a table of a few screens, which grows when asked', async () => {
    const page = await shown('/');
    expect(await page.locator('tbody tr').count()).toBe(50);
    expect(await heightOf(page)).toBeLessThan(3 * 900);
    await page.getByText('50 of 1,003').waitFor();
    await page.getByRole('button', { name: 'Show 50 more' }).click();
    await page.locator('tbody tr').nth(99).waitFor();
  });

  it('have those that need a human named above them', async () => {
    const page = await shown('/');
    expect(await page.locator('.advice').textContent()).toMatch(
      /codex in shop and \d+ others need you: interrupt them/,
    );
  });

  it('are distinguished where they have one agent and one project', async () => {
    const page = await shown('/cost');
    const names = await page
      .getByRole('region', { name: 'Sessions that wasted most' })
      .locator('tbody th')
      .allTextContents();
    expect(names[0]).toBe('codex in shop dear');
    expect(new Set(names).size).toBe(10);
  });

  it.each([
    ['steps', 'cheap', /it alone wasted 19\d steps/],
    ['usd', 'dear', /it alone wasted \$\d+\.\d\d/],
  ])('have one that wasted most, counted in %s', async (what, session, told) => {
    const page = await shown(`/cost?what=${what}`);
    const first = page
      .getByRole('region', { name: 'Sessions that wasted most' })
      .locator('tbody tr')
      .first();
    expect(await first.locator('code').textContent()).toBe(session);
    expect(await page.locator('.advice').textContent()).toMatch(told);
    expect(await page.locator('.advice a').getAttribute('href')).toContain(`id=${session}`);
  });

  it('have their recoveries in a few screens, sorted as asked, with what was seldom tried folded', async () => {
    const page = await shown('/recoveries?sort=best');
    expect(await heightOf(page)).toBeLessThan(5 * 900);
    const worked = await page
      .getByRole('region', { name: 'By tool', exact: true })
      .locator('tbody td:last-child')
      .allTextContents();
    const shares = worked.map((text) => Number.parseInt(text, 10) || 0);
    expect(shares).toEqual(shares.toSorted((one, other) => other - one));
  });

  it.each(['/', '/cost', '/recoveries', '/session?id=relapsing', '/?open=cheap'])(
    'have nothing on %s that axe finds fault with, at both widths, light and dark',
    async (path) => {
      const page = await shown(path);
      for (const width of [1440, 390])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          expect(await faults(page), `${colorScheme}, ${width} px`).toEqual([]);
        }
    },
  );
});

describe('a session of twenty loops', () => {
  it('shows five, folds the others, and all add up to what it says first', async () => {
    const page = await shown('/session?id=relapsing');
    expect(await page.locator('.advice').textContent()).toContain('keeps falling back into loops');
    const loops = page.locator('section[aria-labelledby=loops]');
    const bursts = loops.locator('> details.loop');
    const [said] = /([\d,]+) of 1,000 steps/
      .exec((await page.locator('.lead').textContent())!)!
      .slice(1);
    const wasted = (await loops.locator('details.loop .cost').allTextContents()).map((text) =>
      Number.parseInt(text, 10),
    );
    expect(wasted.reduce((sum, each) => sum + each, 0)).toBe(Number(said!.replace(',', '')));
    expect(await bursts.count()).toBeLessThanOrEqual(6);
    expect(await heightOf(page)).toBeLessThan(4 * 900);
  });
});
