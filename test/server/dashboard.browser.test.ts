import type { SessionAnswer } from '@unrut/server/api/answers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../browser/axe-faults.ts';
import { newPath } from '../ledger-files.ts';
import { forgive, openAll, openPage, PHONE, untilShown } from './dashboard-page.ts';
import { builtDashboard, serveDashboard } from './dashboard-server.ts';
import { record, SEEDED, seedLedger } from './seeded-ledger.ts';

let url: string;
beforeAll(async () => {
  const path = newPath();
  const { ledger } = await seedLedger(path);
  ({ url } = await serveDashboard({ dashboard: await builtDashboard(), ledger, path }));
  stuckAgain = (session, host = 'opencode') =>
    record(ledger, { session, host, until: Date.now(), lines: [STUCK] });
  return () => ledger.close();
}, 120_000);

/** What was seeded falls silent after five minutes; this is stuck now. */
let stuckAgain: (session: string, host?: string) => Promise<void>;
const STUCK = 'Bash {"command":"npm test"} -> exit 1 "FAIL cart > adds a lamp" x6';

const looping = `/session?id=${SEEDED.looping}`;

/** Every page: its address, its headline, and what a reader must find on it. */
const PAGES: [path: string, headline: string, ...found: string[]][] = [
  [
    '/',
    '2 of 3 running agents are stuck in a loop',
    'shop-api',
    'failed 5 times in a row',
    'asked a human',
    'Connect another agent',
  ],
  [
    looping,
    'codex in shop-api',
    'It is stuck in a loop: 5 of 9 steps',
    'It needs you',
    'What the model read',
    'What repeats, side by side',
    'Asked a human, step',
  ],
  [
    `/session?id=${SEEDED.recovered}`,
    'gemini-cli in docs-site',
    'It looped once',
    'it worked',
    'Count lamps once',
  ],
  [
    '/recoveries',
    'What gets agents out of loops',
    'refuse-repeat',
    'failing-test',
    'read-failing-test',
    'npm test',
  ],
  [
    '/cost',
    'What loops cost',
    'tokens and $',
    'By agent',
    'Sessions that wasted most',
    'codex',
    'no name given (client or telemetry)',
    'it alone wasted',
  ],
  [
    '/tasks',
    'Tasks',
    'Then run it again: unrut run',
    '1 of 3 tasks is done',
    'Attempts 1 to 6',
    'Pay by card',
    'UNBLOCK AUTHORITY GRANTED',
    'PROMPT.md in shop',
  ],
  [`/tasks?run=${SEEDED.prompt}`, 'Tasks', 'PROMPT.md in shop', 'Wrote the parser.'],
  [
    '/detectors',
    'What Unrut looks for',
    'repeated-call',
    'UNRUT_DETECTORS_REPEATED_CALL_THRESHOLD',
    'unrut.config.json',
  ],
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

  it.each(PAGES)(
    'has nothing that axe finds fault with, in the light and in the dark: %s',
    async (path) => {
      const page = await shown(path);
      await openAll(page);
      for (const [width, colorScheme] of [
        [1440, 'light'],
        [1440, 'dark'],
        [390, 'light'],
        [390, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        expect(await faults(page), `${colorScheme}, ${width} px`).toEqual([]);
      }
    },
  );

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
      'window.usable = [...document.querySelectorAll("main a, main input, main select, main summary, main button")].filter((each) => each.checkVisibility())',
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
    await page.getByRole('link', { name: 'codex 0f3a91bc' }).first().press('Enter');
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
    expect(await told('Home')).toMatch(/^[\d:]{8} the user speaks$/);
    expect(await told('ArrowRight')).toMatch(/ Step 0: Glob/);
    for (let i = 0; i < 2; i++) await told('ArrowRight');
    expect(await told('ArrowRight')).toMatch(/ Step 3: npm test failed: .*; in loop 1$/);
    expect(await told('End')).toMatch(/ Step 8: .*; in loop 1; Unrut asks a human$/);
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
    await strip.dispatchEvent('pointerleave');
    expect(await strip.getAttribute('aria-valuetext')).toBe(told);
    await strip.hover({ position: { x: 5.5 * 32, y: 40 } });
    await page.locator('.readout', { hasText: 'Step 4' }).waitFor();
  });
});

describe('a link', () => {
  it('shows the very step, also of a nested agent', async () => {
    const page = await shown(`/session?id=${SEEDED.nested}&step=4&agent=sub-1`);
    expect(await page.locator('[aria-current=step]').textContent()).toMatch(
      /4[\s\S]*sub-1[\s\S]*npm test/,
    );
    expect(await page.locator('[aria-current=step]').count()).toBe(1);
  });

  it('opens a session whatever its name', async () => {
    const page = await shown('/');
    await page.getByRole('searchbox', { name: 'Find' }).fill('team/');
    await page.getByText('1 session found').waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('team/');
    await page.locator('tbody td a').click();
    await page.getByRole('heading', { level: 1, name: SEEDED.odd }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: SEEDED.odd }).waitFor();
    await page.goBack();
    expect(await page.getByRole('searchbox', { name: 'Find' }).inputValue()).toBe('team/');
  });

  it('keeps what was chosen', async () => {
    const page = await shown('/cost');
    await page.getByRole('combobox', { name: 'Count' }).selectOption('tokens');
    await page.getByRole('combobox', { name: 'Period' }).selectOption('the last 7 days');
    await page.waitForURL('**/cost?what=tokens&since=7d');
    await page.reload();
    await page.getByRole('columnheader', { name: 'All tokens' }).first().waitFor();
    expect(await page.locator('main .lead').textContent()).toContain('In the last 7 days');
  });

  it.each([
    ['a session', '/session?id=nobody', 'There is no such session'],
    ['a page', '/nonsense', 'There is no such page'],
  ])('to %s that is not there says so, and leads on', async (_, path, headline) => {
    const page = await openPage(url + path);
    await page.getByRole('heading', { level: 1, name: headline }).waitFor();
    await page.getByRole('link', { name: 'What agents are doing now' }).click();
    await page.getByRole('heading', { level: 1, name: /running/ }).waitFor();
    forgive(/404/);
  });
});

describe('the list of sessions', () => {
  const agents = (page: Page): Promise<string[]> =>
    page.locator('tbody tr td:nth-child(2)').allTextContents();

  it('is sorted and filtered as the address says, and says so in the address', async () => {
    const page = await shown('/?sort=wasted&loops=1');
    const wasted = await page.locator('tbody b').allTextContents();
    expect(wasted.length).toBeGreaterThan(5);
    expect(await page.getByRole('columnheader', { name: 'Wasted' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    await page.getByRole('checkbox', { name: 'Loops only' }).uncheck();
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('cursor');
    await page.getByText('1 session found').waitFor();
    expect(page.url()).toMatch(/\?sort=wasted&host=cursor$/);
    await page.reload();
    await expect.poll(() => agents(page)).toEqual([expect.stringContaining('cursor')]);
    await page.getByRole('columnheader', { name: 'State' }).getByRole('link').click();
    await page.waitForURL('**/?host=cursor');
  });

  it('is gone through by keys, with the session next to it', async () => {
    const page = await shown('/');
    const chosen = (): Promise<string | null> => page.locator('tr[aria-current]').textContent();
    await page.keyboard.press('j');
    const first = await chosen();
    await page
      .getByRole('complementary', { name: 'The chosen session' })
      .getByText('The last steps')
      .waitFor();
    await page.keyboard.press('j');
    expect(await chosen()).not.toBe(first);
    await page.keyboard.press('k');
    expect(await chosen()).toBe(first);
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('tr[aria-current]').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('docs-site');
    await page.getByText('1 session found').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'gemini-cli in docs-site' }).waitFor();
  });

  it('lets a loop be acknowledged until there is another', async () => {
    await stuckAgain('seen');
    await stuckAgain('unseen');
    const page = await shown('/session?id=seen');
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByRole('button', { name: 'Acknowledged', pressed: true }).waitFor();
    await page.goto(`${url}/?host=opencode`);
    await page.locator('tr.looping.seen').waitFor();
    expect(await page.locator('tr.looping.seen td a').allTextContents()).toEqual(['opencode seen']);
    expect(await page.locator('tr.looping:not(.seen) td a').allTextContents()).toEqual([
      'opencode unseen',
    ]);
  });
});

describe('what a person can do about a session', () => {
  it('is done where one sees it: a false alarm, off and on, and a stop after a second look', async () => {
    await stuckAgain('acted-on', 'claude-code');
    const page = await shown('/?open=acted-on');
    const pane = page.getByRole('complementary', { name: 'The chosen session' });
    await pane.getByRole('button', { name: 'False alarm' }).click();
    await pane.getByRole('status').filter({ hasText: 'Noted as a false alarm' }).waitFor();
    await pane.getByRole('button', { name: 'Off for this session' }).click();
    await pane.getByRole('button', { name: 'Switch Unrut on' }).click();
    await pane.getByRole('button', { name: 'Off for this session' }).waitFor();
    await pane.getByRole('button', { name: 'Stop', exact: true }).click();
    expect(await pane.getByText('It will be stopped').count()).toBe(0);
    await pane.getByRole('button', { name: 'Really stop the run?' }).click();
    await pane.locator('.note', { hasText: 'It will be stopped at its next call.' }).waitFor();
    expect(await faults(page)).toEqual([]);
    const { control } = (await (
      await fetch(`${url}/v1/sessions/acted-on`)
    ).json()) as SessionAnswer;
    expect(control).toEqual({ isOff: false, canStop: true, isStopping: true });
  });

  it('has no stop where the program does not obey', async () => {
    const page = await shown(looping);
    await page.getByRole('button', { name: 'Off for this session' }).waitFor();
    expect(await page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0);
  });
});

describe('the palette', () => {
  it('goes to pages and sessions, and sets the theme, which stays', async () => {
    const page = await shown('/');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('docs-si');
    await page.getByRole('option', { name: 'gemini-cli in docs-site' }).waitFor();
    expect(await faults(page, [])).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'gemini-cli in docs-site' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('theme: dark');
    await page.keyboard.press('Enter');
    await page.reload();
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe(
      'dark',
    );
  });
});

describe('copying', () => {
  it('gives a command, and a loop as an issue', async () => {
    const page = await shown(looping, { permissions: ['clipboard-read', 'clipboard-write'] });
    const copied = (): Promise<unknown> => page.evaluate('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'Copy command' }).click();
    await page.getByRole('button', { name: 'Copied' }).first().waitFor();
    expect(await copied()).toBe(`npx unrut show ${SEEDED.looping}`);
    await page.getByRole('button', { name: 'Copy as issue' }).click();
    await expect
      .poll(copied)
      .toMatch(
        /^Agent loop: .*npm test[\s\S]*5 steps, \$0\.12 wasted[\s\S]*Asked a human[\s\S]*unrut show/,
      );
  });
});

describe('sums', () => {
  it('of recoveries meet what was tried, row by row and table by table', async () => {
    const page = await shown('/recoveries?since=0');
    await openAll(page);
    const tables = page.locator('section.scrolls');
    const totals: number[] = [];
    for (const caption of ['What was done', 'By what was seen', 'By tool']) {
      let total = 0;
      for (const table of await tables
        .filter({ has: page.locator(`caption:has-text("${caption}")`) })
        .all())
        for (const row of await table.locator('tbody tr').all()) {
          const tried = Number(await row.locator('td').first().textContent());
          const told =
            (await row.locator('.worked .words').allTextContents()).join().match(/\d+/g) ?? [];
          expect(
            told.reduce((sum, each) => sum + Number(each), 0),
            (await row.textContent()) ?? '',
          ).toBe(tried);
          expect(await row.locator('th').textContent()).not.toBe('');
          total += tried;
        }
      totals.push(total);
    }
    expect(new Set(totals).size, String(totals)).toBe(1);
    expect(await page.locator('.lead').textContent()).toContain(`intervened ${totals[0]} times`);
  });

  it('of attempts at tasks meet those of the run', async () => {
    const page = await shown('/tasks');
    const told = (await page.locator('section[aria-labelledby=run] .facts').textContent()) ?? '';
    const each = await page.locator('.task summary').allTextContents();
    const sum = each.reduce((all, text) => all + Number.parseInt(text, 10), 0);
    expect(told).toContain(`${sum} attempts`);
  });
});

describe('the chart of costs', () => {
  it('has the same figures as its table', async () => {
    const page = await shown('/cost');
    expect(
      await page
        .getByRole('img', { name: /Wasted money by day.*table/ })
        .locator('canvas')
        .count(),
    ).toBe(1);
    await openAll(page);
    const rows = await page.getByRole('region', { name: 'By day' }).locator('tbody tr').count();
    expect(rows).toBeGreaterThan(5);
    await page.locator('.waste .u-over').hover({ position: { x: 120, y: 100 } });
    expect(await page.locator('.waste .readout').textContent()).toMatch(
      /^\d{4}-\d\d-\d\d: \$[\d.]+ of \$[\d.]+ wasted \(\d+%\)$/,
    );
  });
});
