import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { newPath } from '../ledger-files.ts';
import { faults, forgive, openAll, openPage, PHONE, untilShown } from './dashboard-page.ts';
import { builtDashboard, serveDashboard } from './dashboard-server.ts';
import { SEEDED, seedLedger } from './seeded-ledger.ts';

let url: string;
beforeAll(async () => {
  const path = newPath();
  const { ledger } = await seedLedger(path);
  ({ url } = await serveDashboard({ dashboard: await builtDashboard(), ledger, path }));
  return () => ledger.close();
}, 120_000);

const looping = `/session?id=${SEEDED.looping}`;

/** Every page: its address, its headline, and what a reader must find on it. */
const PAGES: [path: string, headline: string, ...found: string[]][] = [
  ['/', '2 of 3 running agents are stuck in a loop', 'codex in shop-api', 'npm test failed 5 times in a row', 'Connect another agent'],
  [looping, 'codex in shop-api', 'It is stuck in a loop: 5 of 9 steps', 'What the model read', 'The repeats side by side', 'escalate'],
  [`/session?id=${SEEDED.recovered}`, 'gemini-cli in docs-site', 'It looped once', 'it worked', 'Count lamps once'],
  ['/recoveries', 'What gets agents out of circles', 'refuse-repeat', 'failing-test', 'read-failing-test', 'npm test'],
  ['/cost', 'What loops cost', 'tokens and $', 'By agent', 'Sessions that wasted most', 'codex'],
  ['/tasks', 'Tasks', '1 of 3 tasks is done', 'Pay by card', 'UNBLOCK AUTHORITY GRANTED', 'PROMPT.md in shop'],
  [`/tasks?run=${SEEDED.prompt}`, 'Tasks', 'PROMPT.md in shop', 'Wrote the parser.'],
  ['/detectors', 'What Unrut looks for', 'repeated-call', 'UNRUT_DETECTORS_REPEATED_CALL_THRESHOLD', 'unrut.config.json'],
];

const shown = async (path: string, options = {}): Promise<Page> => {
  const page = await openPage(url + path, options);
  await untilShown(page);
  return page;
};

describe('every page', () => {
  it.each(PAGES)('says what it is about: %s', async (path, headline, ...found) => {
    const page = await shown(path);
    await openAll(page);
    expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual([headline]);
    expect(await page.title()).toMatch(/ – Unrut$/);
    const text = await page.locator('main').textContent();
    for (const words of found) expect(text).toContain(words);
    expect(await page.locator('.liveness').textContent()).toBe('Live');
  });

  it.each(PAGES)('has nothing that axe finds fault with, in the light and in the dark: %s', async (path) => {
    const page = await shown(path);
    await openAll(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await faults(page), colorScheme).toEqual([]);
    }
  });

  it.each(PAGES)('fits on a phone with everything open: %s', async (path) => {
    const page = await shown(path, PHONE);
    await openAll(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});

describe('the keyboard', () => {
  it('skips to the page, and reaches everything that can be used', async () => {
    const page = await shown('/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the page');
    await page.keyboard.press('Enter');
    await page.evaluate(
      'window.usable = [...document.querySelectorAll("main a, main input, main select, main summary")].filter((each) => each.checkVisibility())',
    );
    const count = (await page.evaluate('usable.length')) as number;
    expect(count).toBeGreaterThan(10);
    for (let i = 0; i < count; i++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('usable.indexOf(document.activeElement)')).toBe(i);
    }
  });

  it('goes to a page, which takes the focus', async () => {
    const page = await shown('/');
    await page.getByRole('link', { name: 'codex in shop-api' }).first().press('Enter');
    await page.getByRole('heading', { level: 1, name: 'codex in shop-api' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });

  it('goes along a timeline, which tells each moment, and shows the one that is chosen', async () => {
    const page = await shown(looping);
    const strip = page.getByRole('slider');
    const told = async (key: string): Promise<string | null> => {
      await strip.press(key);
      return strip.getAttribute('aria-valuetext');
    };
    expect(await told('Home')).toBe('the user speaks');
    expect(await told('ArrowRight')).toMatch(/^Step 0: Glob/);
    for (let i = 0; i < 2; i++) await told('ArrowRight');
    expect(await told('ArrowRight')).toMatch(/^Step 3: npm test failed: .*; loop 1 starts here$/);
    expect(await told('End')).toMatch(/^Step 8: .*; loop 1 ends here$/);
    await told('Home');
    await told('ArrowRight');
    await strip.press('Enter');
    await page.waitForURL(/[?&]at=1(&|$)/);
    expect(await page.locator('[aria-current=step]').textContent()).toContain('Glob');
  });
});

describe('a pointer at rest', () => {
  it('does not take the place in a timeline that the keys have come to', async () => {
    const page = await shown(looping);
    const strip = page.getByRole('slider');
    await strip.press('Home');
    await strip.press('ArrowRight');
    const told = await strip.getAttribute('aria-valuetext');
    await page.locator('.strip > i').nth(5).dispatchEvent('pointerover');
    await strip.dispatchEvent('pointerleave');
    expect(await strip.getAttribute('aria-valuetext')).toBe(told);
    await page.locator('.strip > i').nth(5).hover();
    await page.locator('.readout', { hasText: 'Step 4' }).waitFor();
  });
});

describe('a link', () => {
  it('shows the very step, also of a nested agent', async () => {
    const page = await shown(`/session?id=${SEEDED.nested}&step=4&agent=sub-1`);
    expect(await page.locator('[aria-current=step]').textContent()).toMatch(/4[\s\S]*sub-1[\s\S]*npm test/);
    expect(await page.locator('[aria-current=step]').count()).toBe(1);
  });

  it('opens a session whatever its name', async () => {
    const page = await shown('/');
    await page.getByRole('searchbox', { name: 'Find' }).fill('team/');
    await page.getByText('1 session found').waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('team/');
    await page.locator('section[aria-labelledby=earlier] h3 a').click();
    await page.getByText(SEEDED.odd, { exact: true }).waitFor();
    await page.reload();
    await page.getByText(SEEDED.odd, { exact: true }).waitFor();
    await page.goBack();
    expect(await page.getByRole('searchbox', { name: 'Find' }).inputValue()).toBe('team/');
  });

  it('keeps what was chosen', async () => {
    const page = await shown('/cost');
    await page.getByRole('combobox', { name: 'Count' }).selectOption('money');
    await page.getByRole('combobox', { name: 'Period' }).selectOption('the last 7 days');
    await page.waitForURL('**/cost?what=usd&since=7d');
    await page.reload();
    await page.getByRole('columnheader', { name: 'All money' }).first().waitFor();
    expect(await page.locator('main .lead').textContent()).toContain('In the last 7 days');
  });

  it('to what is not there says so', async () => {
    const page = await openPage(`${url}/session?id=nobody`);
    await page.getByRole('alert').getByText('No such session').waitFor();
    forgive(/404/);
  });

  it('pages through earlier sessions', async () => {
    const page = await shown('/');
    const names = (): Promise<string[]> => page.locator('section[aria-labelledby=earlier] h3').allTextContents();
    const latest = await names();
    expect(latest).toHaveLength(10);
    await page.getByRole('link', { name: 'The 10 before' }).click();
    await page.getByRole('link', { name: 'The latest' }).waitFor();
    expect(await names()).not.toEqual(latest);
    await page.getByRole('link', { name: 'The latest' }).click();
    await expect.poll(names).toEqual(latest);
  });
});

describe('the chart of costs', () => {
  it('has the same figures as its table', async () => {
    const page = await shown('/cost');
    expect(
      await page
        .getByRole('img', { name: /Wasted steps by day.*table/ })
        .locator('canvas')
        .count(),
    ).toBe(1);
    await openAll(page);
    const rows = await page.getByRole('region', { name: 'By day' }).locator('tbody tr').count();
    expect(rows).toBeGreaterThan(5);
    await page.locator('.waste .u-over').hover({ position: { x: 120, y: 100 } });
    expect(await page.locator('.waste .readout').textContent()).toMatch(/^\d{4}-\d\d-\d\d: \d+ of \d+ wasted \(\d+%\)$/);
  });
});
