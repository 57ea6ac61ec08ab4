import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scanPage } from '@unrut/ledger/report/html/scan-page';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { largeReport, loop, report, run, step } from '../report/make-report.ts';
import { sampleReport } from '../report/sample-report.ts';
import { faults } from './axe-faults.ts';
import { LAUNCH_TIMEOUT, launchChromium } from './chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'unrut-scan-page-'));
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
}, LAUNCH_TIMEOUT);
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return pathToFileURL(join(folder, name)).href;
};
const sample = write('sample.html', scanPage(sampleReport, { madeAt: Date.UTC(2026, 2, 5, 10) }));

/** A word without line breaks, and markup that would report if it ever ran. */
const HOSTILE = `${'x'.repeat(300)}</script><img src=x onerror="window.ran=1"><script>window.ran=1</script>`;
const hostileSteps = [1, 2, 3].map((at) => step(at, HOSTILE, HOSTILE + at, at + HOSTILE, HOSTILE));
const hostileLoop = loop({
  detector: HOSTILE,
  variant: HOSTILE,
  start: 1,
  firedAt: 2,
  end: 4,
  text: HOSTILE,
  repeats: hostileSteps,
});
hostileLoop.plans.push({
  step: 2,
  rung: 'stop',
  recovery: HOSTILE,
  toModel: HOSTILE,
  toHuman: HOSTILE,
});
const hostileRun = run({
  id: HOSTILE,
  file: HOSTILE,
  format: HOSTILE,
  timeline: 'u'.repeat(90),
  tokens: 1e9,
  usd: 1e6,
  loops: [hostileLoop],
});
const hostileReport = report(
  [hostileRun, { ...hostileRun, loops: [] }],
  [{ file: HOSTILE, message: HOSTILE, fatal: true }],
);
const hostile = write('hostile.html', scanPage(hostileReport, { title: HOSTILE }));

const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true };
const pages: Page[] = [];
const heard: string[] = [];

/** Opens a page and records its logs, errors and network requests. */
async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  pages.push(page);
  page.on('console', (message) => heard.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => heard.push(`error: ${error.message}`));
  page.on(
    'request',
    (request) => request.url() !== address.split('#')[0] && heard.push(`request: ${request.url()}`),
  );
  await page.goto(address);
  return page;
}

afterEach(async () => {
  for (const page of pages.splice(0)) await page.close();
  expect(heard.splice(0)).toEqual([]);
});

const openAll = (page: Page): Promise<unknown> =>
  page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');

describe('a page in the browser', () => {
  it.each([
    ['sample', sample],
    ['hostile', hostile],
    ['empty', write('empty.html', scanPage(report([])))],
    ['long', write('long.html', scanPage(largeReport({ runs: 1, steps: 50_000, loops: 100 })))],
    ['large', write('large.html', scanPage(largeReport({ runs: 300, steps: 600, loops: 2 })))],
  ])('opens without a complaint, and without asking for anything: %s', async (_, address) => {
    const page = await open(address);
    expect(await page.evaluate('[document.readyState, window.ran]')).toEqual([
      'complete',
      undefined,
    ]);
  });

  it.each([
    ['sample', sample],
    ['hostile', hostile],
  ])('fits on a phone with everything open: %s', async (_, address) => {
    const page = await open(address, PHONE);
    await openAll(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)(
    'has nothing that axe finds fault with: %s, %i px wide',
    async (colorScheme, width) => {
      const page = await open(sample, { colorScheme, viewport: { width, height: 900 } });
      await openAll(page);
      expect(await faults(page)).toEqual([]);
    },
  );

  it.each(['light', 'dark'] as const)('can be read well in the %s', async (colorScheme) => {
    const page = await open(sample, { colorScheme });
    await openAll(page);
    const selectors = [
      'h1',
      '.lead',
      '.note',
      '.cost',
      '.why',
      '.in-short',
      'blockquote',
      'mark',
      '.same',
      '.readout',
      '.facts',
      'button',
    ];
    const contrasts = (await page.evaluate(
      `${CONTRAST}; ${JSON.stringify(selectors)}.map(contrastOf)`,
    )) as number[];
    for (const [i, contrast] of contrasts.entries())
      expect(contrast, selectors[i]).toBeGreaterThan(4.5);
    const [paper] = (await page.evaluate(
      `${CONTRAST}; [luminance(backgroundOf(document.body))]`,
    )) as number[];
    expect(paper! > 0.5).toBe(colorScheme === 'light');
  });
});

/** Contrast as WCAG defines it, of the first element that matches. */
const CONTRAST = `
const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
const luminance = (colour) => {
  const [r, g, b] = channels(colour).slice(0, 3).map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const backgroundOf = (element) => {
  const colour = getComputedStyle(element).backgroundColor;
  return channels(colour)[3] === 0 ? backgroundOf(element.parentElement) : colour;
};
const contrastOf = (selector) => {
  const element = document.querySelector(selector);
  const [low, high] = [getComputedStyle(element).color, backgroundOf(element)].map(luminance).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}`;

describe('the worst loop', () => {
  it('begins with the worst loop: its sentence, its run, and its repeats side by side', async () => {
    const page = await open(sample);
    expect(await page.locator('p.lead').first().textContent()).toMatch(/^Worst: .+, in .+\.$/);
    const repeats = page.getByRole('region', { name: /^Worst loop/ }).first();
    const list = page.locator('#runs');
    expect((await repeats.boundingBox())!.y).toBeLessThan((await list.boundingBox())!.y);
  });

  it('shows the repeats of the only loop once', async () => {
    const [only] = sampleReport.trajectories.filter(({ loops }) => loops.length > 0);
    const one = { ...only!, loops: only!.loops.slice(0, 1) };
    const page = await open(write('one.html', scanPage(report([one]))));
    expect(await page.getByRole('region', { name: /^Worst loop/ }).count()).toBe(0);
    expect(await page.locator('.side-by-side').count()).toBe(1);
  });
});

describe('the keyboard', () => {
  it('reaches everything that can be used', async () => {
    const page = await open(sample);
    await openAll(page);
    await page.evaluate(`
      window.usable = [...document.querySelectorAll('a[href], button:enabled, input, select, summary, [tabindex="0"]')].filter((each) => each.checkVisibility());`);
    const count = (await page.evaluate('usable.length')) as number;
    const reached = new Set<number>();
    for (let i = 0; i < count; i++) {
      await page.keyboard.press('Tab');
      reached.add((await page.evaluate('usable.indexOf(document.activeElement)')) as number);
    }
    expect(count).toBeGreaterThan(30);
    expect([...reached].sort((one, other) => one - other)).toEqual(
      Array.from({ length: count }, (_, i) => i),
    );
  });

  it('opens and closes every loop', async () => {
    const page = await open(sample);
    const loops = await page.locator('details.loop').all();
    expect(loops).toHaveLength(7);
    for (const each of loops) {
      const before = await each.getAttribute('open');
      await each.locator('> summary').press('Enter');
      expect(await each.getAttribute('open')).not.toBe(before);
      await each.locator('> summary').press('Space');
      expect(await each.getAttribute('open')).toBe(before);
    }
  });

  it('goes along a timeline, which tells each step, and from there to the loop', async () => {
    const page = await open(sample);
    const strip = page.locator('#run-3').getByRole('slider');
    const told = async (key: string): Promise<string | null> => {
      await strip.press(key);
      const text = await strip.getAttribute('aria-valuetext');
      expect(await page.locator('#run-3 .readout').textContent()).toBe(text);
      return text;
    };
    await strip.focus();
    expect(await told('Home')).toBe('a user message');
    expect(await told('ArrowRight')).toBe('a message');
    expect(await told('PageUp')).toMatch(/^Step 11: npm test .*; in loop 1$/);
    await told('ArrowRight');
    expect(await told('ArrowRight')).toMatch(
      /^Step 13: npm test .*; in loop 1; Unrut warns the agent$/,
    );
    expect(await told('End')).toBe('a message');
    for (const key of ['PageDown', 'ArrowLeft']) await told(key);
    await strip.press('Enter');
    await page.waitForFunction('location.hash === "#run-3-loop-2"');
    await expect.poll(() => page.locator('#run-3-loop-2 .evidence').isVisible()).toBe(true);
  });
});

describe('the tools of a page', () => {
  const shown = (page: Page): Promise<string[]> =>
    page.evaluate(
      '[...document.querySelectorAll(".run")].filter((run) => run.checkVisibility()).map((run) => run.id)',
    );

  it('find runs by any of their words, and say how many', async () => {
    const page = await open(sample);
    const find = page.getByRole('searchbox', { name: 'Find' });
    await find.fill('WEB_SEARCH heat');
    expect((await shown(page))[0]).toBe('run-2');
    expect(await page.getByRole('status').textContent()).toBe('1 run found');
    await find.fill('zebra');
    expect(await page.getByRole('status').textContent()).toBe('No run matches.');
    await find.fill('');
    expect(await shown(page)).toHaveLength(9);
  });

  it.each([
    ['largest wasted share', 'run-5 run-2 run-3 run-8 run-6'],
    ['longest', 'run-8 run-3 run-5 run-2 run-6'],
    ['order of the files', 'run-2 run-3 run-5 run-6 run-8'],
  ])('sort runs by %s, and back', async (label, expected) => {
    const page = await open(sample);
    const sort = page.getByRole('combobox', { name: 'Sort by' });
    const worstFirst = await shown(page);
    await sort.selectOption({ label });
    expect((await shown(page)).slice(0, 5).join(' ')).toBe(expected);
    await sort.selectOption({ label: 'most wasted steps' });
    expect(await shown(page)).toEqual(worstFirst);
  });

  it('open all loops, and close them again', async () => {
    const page = await open(sample);
    await page.getByRole('button', { name: 'Open all loops' }).click();
    expect(await page.locator('details.loop[open]').count()).toBe(7);
    await page.getByRole('button', { name: 'Close all loops' }).click();
    expect(await page.locator('details.loop[open]').count()).toBe(0);
  });
});

describe('the address of a loop', () => {
  it('opens it, also when its run has been filtered away', async () => {
    const page = await open(`${sample}#run-3-loop-2`);
    await page.locator('#run-3-loop-2 .evidence').waitFor({ state: 'visible' });
    await page.getByRole('searchbox', { name: 'Find' }).fill('book');
    expect(await page.locator('#run-2').count()).toBe(0);
    await page.evaluate('location.hash = "run-2-loop-1"');
    await page.locator('#run-2-loop-1 .evidence').waitFor({ state: 'visible' });
  });
});

describe('what is read on a page', () => {
  it('has the parts in order, each loop with its plans and the repeats lined up', async () => {
    const page = await open(sample);
    await page.getByRole('button', { name: 'Open all loops' }).click();
    expect(await page.locator('h1').textContent()).toBe('4 of 9 runs looped');
    expect(await page.locator('h2').allTextContents()).toEqual([
      'Runs with loops',
      'Runs without loops',
      'What could not be read',
    ]);
    // The worst loop is named first, and leads to its picture.
    const worst = page.locator('h1 + p.lead a');
    expect(await worst.textContent()).not.toBe('');
    expect(await page.locator((await worst.getAttribute('href'))!).count()).toBe(1);
    expect(
      await page.locator('article.run').evaluateAll((runs) => runs.map(({ id }) => id)),
    ).toEqual([5, 8, 3, 2, 6].map((n) => `run-${n}`));
    const loop = (await page.locator('#run-3-loop-1').textContent())!.replace(/\s+/g, ' ');
    for (const words of [
      'npm test failed 7 times in a row in the same way',
      'Steps 11–18.',
      'Detected: at step 13',
      'By: repeated-error, repeated-call, stalling',
      'Would have warned the agent, step 13',
      'Would have asked a human, step 17',
      'A human would have read: Unrut: npm test failed 6 times with the same error',
    ])
      expect(loop).toContain(words);
    const heads = await page.locator('#run-3-loop-2 thead').allTextContents();
    expect(heads.map((head) => head.match(/Step \d+/g)?.join(' '))).toEqual([
      'Step 31 Step 34 Step 40',
      'Step 32 Step 35 Step 41',
      'Step 33 Step 36 Step 42',
    ]);
    expect(await page.locator('#run-3-loop-2 mark').allTextContents()).toEqual(
      expect.arrayContaining(['41ms', '43ms', 'brought back what it had been']),
    );
    expect(await page.locator('#run-5-loop-1 thead').first().textContent()).toMatch(
      /Step 10 28 s later11 moreStep 33 5 min 22 s later/,
    );
  });

  it.each([
    ['says what is the same', ['a b c d', 'a b c d'], 'a b c d the same'],
    ['says when only white space differs', ['a b', 'a\nb'], 'a b nearly the same'],
    ['says when nothing came back', ['a b', '', ''], 'a b nothing nothing'],
    [
      'folds what did not change around what did',
      [`${'x '.repeat(300)}1`, `${'x '.repeat(300)}2`],
      `1 ⋯ ${'x '.repeat(24)}2`,
    ],
    ['marks what is gone', ['a b c d', 'a b d'], 'a b c d a b c d'],
  ])('%s', async (_, outputs, expected) => {
    const repeats = outputs.map((output, i) => step(i, 'read', 'file', output));
    const looping = loop({ detector: 'cycle', start: 0, firedAt: 1, end: 3, text: '', repeats });
    const page = await open(
      write(
        'diff.html',
        scanPage(
          report([run({ id: 'x', file: 'x', format: 'x', timeline: 'nnnn', loops: [looping] })]),
        ),
      ),
    );
    const cells = await page
      .locator('.side-by-side tr', { hasText: 'Output' })
      .locator('td')
      .allTextContents();
    expect(cells.join(' ').replace(/\s+/g, ' ')).toContain(expected);
  });
});

it('a page without script has the text of the report', async () => {
  const page = await open(sample, { javaScriptEnabled: false });
  expect(await page.locator('noscript pre').textContent()).toContain('103 of 939 steps wasted');
});

it('on paper every loop is open, in dark ink on white', async () => {
  const page = await open(sample, { colorScheme: 'dark', viewport: { width: 720, height: 1000 } });
  await page.emulateMedia({ media: 'print' });
  const shut = 'document.querySelectorAll("details.loop:not([open])").length';
  const unseen =
    '[...document.querySelectorAll(".evidence")].filter((each) => !each.checkVisibility()).length';
  expect(await page.evaluate(shut)).toBeGreaterThan(0);
  expect(await page.evaluate(unseen)).toBe(0);
  expect(
    await page.evaluate(`${CONTRAST}; luminance(backgroundOf(document.documentElement)) > 0.9`),
  ).toBe(true);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(720);
});
