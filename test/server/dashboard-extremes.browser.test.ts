import type { AgentEvent } from '@unrut/engine/event';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../browser/axe-faults.ts';
import { newPath } from '../ledger-files.ts';
import { openAll, openPage, PHONE, untilShown } from './dashboard-page.ts';
import { builtDashboard, serveDashboard } from './dashboard-server.ts';
import { record } from './seeded-ledger.ts';
import { tellEvents } from './served.ts';

/**
 * Markup that would tell if it ever ran, a mark that turns text around, and a word that wraps
 * nowhere by itself.
 */
const HOSTILE = `</script><img src=x onerror="window.ran=1"><script>window.ran=1</script><a href="javascript:window.ran=1">\u202egnp.</a>${'x'.repeat(200)}`;

let url: string;
beforeAll(async () => {
  const path = newPath();
  const ledger = createSqliteLedger({ path });
  ({ url } = await serveDashboard({ dashboard: await builtDashboard(), ledger, path }));
  const lines = Array.from(
    { length: 5 },
    () => `tool ${JSON.stringify({ [HOSTILE]: HOSTILE })} -> error ${JSON.stringify(HOSTILE)}`,
  );
  await record(ledger, {
    session: HOSTILE,
    host: HOSTILE,
    folder: HOSTILE,
    until: Date.now(),
    lines,
  });
  await record(ledger, { session: 'tame', host: 'codex', until: Date.now() - 86_400_000, lines });
  const stubborn = [
    ...lines.slice(0, 1),
    'Bash {"command":"npm test"} -> exit 1 "FAIL cart > adds a lamp" x254',
  ];
  await record(ledger, {
    session: 'stubborn',
    host: 'codex',
    until: Date.now(),
    lines: stubborn,
    cost: { tokens: 100, usd: 0.01 },
  });
  const steps = longSession(10_000);
  for (let from = 0; from < steps.length; from += 1000)
    await tellEvents(url, steps.slice(from, from + 1000));
  return () => ledger.close();
}, 240_000);

/** Reads one file after another, and twice stares at one. */
function longSession(steps: number): AgentEvent[] {
  const stuckAt = (i: number): string | undefined =>
    i > 4000 && i < 4010 ? 'lamp' : i > 9000 && i < 9006 ? 'chair' : undefined;
  return Array.from({ length: steps }, (_, i) => ({
    type: 'call-finished',
    session: 'long',
    at: Date.now() - (steps - i) * 2000,
    call: { id: `c${i}`, tool: 'Read', args: { file_path: `${stuckAt(i) ?? `file-${i}`}.ts` } },
    result: `export const value = ${stuckAt(i) ? 7 : i * i};`,
  }));
}

describe('texts of agents', () => {
  it.each([
    '/',
    `/session?id=${encodeURIComponent(HOSTILE)}`,
    '/recoveries',
    '/cost',
    '/detectors',
  ])('are shown as texts, and break nothing: %s', async (path) => {
    const page = await openPage(url + path, PHONE);
    await untilShown(page);
    await openAll(page);
    expect(
      await page.evaluate(
        '[window.ran, document.querySelectorAll("main img, main script").length]',
      ),
    ).toEqual([undefined, 0]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await page.locator('main').textContent()).not.toContain('\u202e');
  });

  it('are all there', async () => {
    const page = await openPage(`${url}/session?id=${encodeURIComponent(HOSTILE)}`);
    await untilShown(page);
    expect(await page.locator('main').textContent()).toContain(
      '<img src=x onerror="window.ran=1">',
    );
    expect(await page.locator('h1').textContent()).toContain('</script>');
    expect(await faults(page)).toEqual([]);
  });
});

describe('an agent that is refused again and again', () => {
  it('is one card that says so once, on a page of a few screens, and its sums meet', async () => {
    const page = await openPage(`${url}/session?id=stubborn`);
    await untilShown(page);
    expect(await page.locator('details.loop').count()).toBe(1);
    expect(await page.locator('details.loop .in-short').textContent()).toMatch(
      /Blocked the call 2\d\d times, steps \d+–254/,
    );
    expect(await page.locator('details.loop .plan').count()).toBeLessThanOrEqual(5);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(4 * 900);
    const [told] =
      /[\d,]+ of 255 steps/.exec((await page.locator('.lead').textContent()) ?? '') ?? [];
    expect(await page.locator('details.loop .cost').textContent()).toContain(
      `${told?.split(' ')[0]} steps`,
    );
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(5 * 900);
  });
});

describe('a session of 10,000 steps', () => {
  it('stays usable: its loops are found, quiet stretches are folded, and any part of it can be reached', async () => {
    const page = await openPage(`${url}/session?id=long`);
    await untilShown(page);
    expect(await page.locator('.lead').textContent()).toContain('It looped twice');
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(8000);
    expect(await page.locator('.moments > .fold').first().textContent()).toMatch(
      /\d+ steps in which nothing repeated/,
    );
    await page.getByRole('link', { name: 'Show where loop 1 starts' }).click();
    await page.locator('[aria-current=step]', { hasText: 'lamp.ts' }).waitFor();
    await page.getByRole('link', { name: 'Earlier steps' }).first().click();
    await page.waitForURL(/[?&]at=3999(&|$)/);
    await page.locator('[aria-current=step]', { hasText: 'file-3999.ts' }).waitFor();
    const strip = page.getByRole('slider');
    await strip.press('Home');
    expect(await strip.getAttribute('aria-valuetext')).toMatch(
      / \d+ moments, mostly a call that made progress$/,
    );
    await strip.press('Enter');
    await page.locator('[aria-current=step]', { hasText: 'file-0.ts' }).waitFor();
  });
});
