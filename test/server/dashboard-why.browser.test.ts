import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { createTaskGuard } from '@unrut/tasks';
import { beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../browser/axe-faults.ts';
import { newPath } from '../ledger-files.ts';
import { openPage, untilShown } from './dashboard-page.ts';
import { builtDashboard, serveDashboard } from './dashboard-server.ts';
import { record } from './seeded-ledger.ts';

const READ = 'Read {"file_path":"/home/dev/project/a.ts"} -> "export const a = 1; // of three"';
const fails = (times: number): string =>
  `Bash {"command":"npm test"} -> exit 1 "FAIL cart > adds a lamp: expected 2, got 3" x${times}`;

let dashboard: string;
beforeAll(async () => {
  dashboard = await builtDashboard();
}, 120_000);

const newServer = async () => {
  const path = newPath();
  const ledger = createSqliteLedger({ path });
  const { url } = await serveDashboard({ dashboard, ledger, path });
  return { url, ledger };
};

const shown = async (address: string, width = 1400) => {
  const page = await openPage(address, { viewport: { width, height: 900 } });
  await untilShown(page);
  return page;
};

describe('why a loop is one', () => {
  it('is drawn, said in words, and fits a phone', async () => {
    const { url, ledger } = await newServer();
    await record(ledger, { session: 'stuck', until: Date.now(), lines: [READ, fails(60)] });
    for (const width of [1400, 390]) {
      const page = await shown(`${url}/session?id=stuck`, width);
      await page.getByRole('heading', { name: /^Why this (is|was) a loop$/ }).waitFor();
      const words = await page
        .getByRole('img', { name: /^Loop 1 as a picture/ })
        .getAttribute('aria-label');
      expect(words).toMatch(/npm test: 60 calls, \d+ the same, \d+ blocked\./);
      expect(words).toContain('Nothing new since step 2.');
      expect(await page.locator('.loop-picture .join').count()).toBeGreaterThan(2);
      expect(await page.locator('.loop-picture .bracket').count()).toBe(1);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await faults(page)).toEqual([]);
    }
  });

  it('says so if the agent continues after a stop', async () => {
    const { url, ledger } = await newServer();
    await record(ledger, { session: 'deaf', until: Date.now(), lines: [fails(60)] });
    const page = await shown(`${url}/session?id=deaf`);
    const said = await page.locator('.ignored').textContent();
    expect(said).toMatch(/^Unrut stopped it at step \d+, but it went on for \d+ steps\.$/);
    await page.locator('.ignored').getByRole('link').click();
    await page.locator('.moment.here', { hasText: 'Stopped the run' }).waitFor();
  });

  it('is nowhere in a session without a loop', async () => {
    const { url, ledger } = await newServer();
    await record(ledger, { session: 'honest', until: Date.now(), lines: [READ, fails(1)] });
    const page = await shown(`${url}/session?id=honest`);
    expect(await page.locator('.loop-picture, .ignored').count()).toBe(0);
  });

  it('tells what failed if it is no loop for certain', async () => {
    const { url, ledger } = await newServer();
    const down = `http_request {"method":"GET","url":"https://pay.example/v1"} -> error "503 Service Unavailable: connect ECONNREFUSED 10.0.4.17:443" x8`;
    await record(ledger, { session: 'outage', until: Date.now(), lines: [READ, down] });
    const page = await shown(`${url}/session?id=outage`);
    expect(await page.locator('.lead').textContent()).toMatch(
      /turned away \d+ times by a temporary error .* That is no loop for certain\./,
    );
  });
});

describe('where loops end', () => {
  it('is a funnel, each loop in it once', async () => {
    const { url, ledger } = await newServer();
    const freed = Array.from(
      { length: 6 },
      (_, i) => `Read {"file_path":"/home/dev/${i}.ts"} -> "export const v${i} = ${i * 7919};"`,
    );
    await record(ledger, { session: 'noted', until: Date.now(), lines: [`${READ} x3`, ...freed] });
    await record(ledger, {
      session: 'never',
      until: Date.now(),
      lines: [fails(60)],
      ended: 'stopped',
    });
    const page = await shown(`${url}/recoveries`);
    const table = page.getByRole('region', { name: 'Where loops end' });
    const rows = await table.locator('tbody tr').allTextContents();
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^after a note1/);
    expect(rows[1]).toMatch(/^never/);
    expect(await faults(page)).toEqual([]);
  });
});

describe('the header', () => {
  it('leads to tasks once there is a run', async () => {
    const { url, ledger } = await newServer();
    await record(ledger, { session: 'honest', until: Date.now(), lines: [READ] });
    const page = await shown(url);
    const nav = page.getByRole('navigation', { name: 'Pages' });
    expect(await nav.getByRole('link').allTextContents()).not.toContain('Tasks');
    const guard = createTaskGuard({ ledger }, { run: 'shop-run' });
    await guard.recordAttempt('T1', 'blocked', ['no key'], [], 'attempt-1');
    await page.reload();
    await nav.getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('heading', { name: 'Tasks of shop-run' }).waitFor();
  });

  it('leads to the detectors as settings, by keyboard too', async () => {
    const { url, ledger } = await newServer();
    await record(ledger, { session: 'honest', until: Date.now(), lines: [READ] });
    const page = await shown(url);
    const settings = page.getByRole('link', { name: 'Settings' });
    await settings.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What Unrut looks for' }).waitFor();
    expect(await settings.getAttribute('aria-current')).toBe('page');
    expect(await faults(page)).toEqual([]);
  });

  it('has no projects on a server for one person, which a project in the address does not change', async () => {
    const { url, ledger } = await newServer();
    await record(ledger, { session: 'honest', until: Date.now(), lines: [READ] });
    const page = await shown(`${url}/?project=shop`);
    await page.getByRole('link', { name: 'honest' }).waitFor();
    expect(await page.getByLabel('Project').count()).toBe(0);
  });
});
