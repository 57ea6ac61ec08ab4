import type { Ledger } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { createTaskGuard } from '@unrut/tasks';
import { beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../browser/axe-faults.ts';
import { newPath } from '../ledger-files.ts';
import { forgive, openAll, openPage, untilShown } from './dashboard-page.ts';
import { builtDashboard, serveDashboard } from './dashboard-server.ts';
import { record } from './seeded-ledger.ts';

const HOUR = 3_600_000;
const STUCK = ['Read {"file_path":"/home/dev/project/a.ts"} -> "export const a = 1;" x6'];
/** Of a loop, so many steps are a plan whose outcome nobody knows yet. */
const NOTICED = ['Read {"file_path":"/home/dev/project/a.ts"} -> "export const a = 1;" x3'];

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

const shown = async (address: string) => {
  const page = await openPage(address);
  await untilShown(page);
  await openAll(page);
  return page;
};

/**
 * The entries of a session once more, as another program may have written them: at one time,
 * whatever that is.
 */
async function copyTo(ledger: Ledger, from: string, session: string, at: number): Promise<void> {
  const entries = (await ledger.entries({ session: from })).map((entry) => ({
    ...entry,
    id: `${session} ${entry.id}`,
    session,
    at,
  }));
  await ledger.update([session], () => ({ states: [null], entries }));
}

/**
 * What clocks and programs have been seen to send: nanoseconds, microseconds, seconds, before 1970,
 * nonsense.
 */
const TIMES: [name: string, at: number, told: string][] = [
  ['nanoseconds', 1.7e18, 'at an unknown time'],
  ['microseconds', 1.7e15, 'at an unknown time'],
  ['seconds', 1.7e9, 'd ago'],
  ['before', -1, 'at an unknown time'],
  ['huge', 1e300, 'at an unknown time'],
  ['next-year', Date.now() + 366 * 24 * HOUR, '365 d ahead of this clock'],
];

describe('times that no clock should show', () => {
  let url: string;
  beforeAll(async () => {
    const served = await newServer();
    url = served.url;
    await record(served.ledger, {
      session: 'sound',
      host: 'codex',
      until: Date.now(),
      lines: STUCK,
    });
    for (const [name, at] of TIMES) await copyTo(served.ledger, 'sound', name, at);
  });

  it.each([
    '/',
    '/cost',
    '/cost?since=24h',
    '/cost?since=0&what=usd',
    '/recoveries?since=0',
    '/detectors?since=0',
  ])('do not keep others from seeing %s', async (path) => {
    const page = await shown(url + path);
    expect(await page.locator('main').textContent()).toMatch(/codex|repeated-call/);
    expect(await faults(page)).toEqual([]);
  });

  it.each(TIMES)('are shown for what they are: %s', async (name, _, told) => {
    const page = await shown(`${url}/session?id=${name}`);
    expect(await page.locator('.facts').textContent()).toContain(told);
    expect(await page.locator('.moment').count()).toBeGreaterThan(1);
    expect(await page.locator('main').textContent()).not.toContain('NaN');
  });

  it('are in the table of costs, and not in the chart', async () => {
    const page = await shown(`${url}/cost?since=0`);
    expect(await page.getByRole('region', { name: 'By day' }).textContent()).toContain('no time');
    await page.getByText('They are in the table, not in the chart.').waitFor();
  });
});

describe('a clock that is ahead', () => {
  it('is shown plainly', async () => {
    const { url, ledger } = await newServer();
    await record(ledger, {
      session: 'clock-ahead',
      until: Date.now() + 2 * HOUR + 60_000,
      lines: STUCK,
    });
    const page = await shown(url);
    expect(await page.locator('tbody tr').textContent()).toContain('2 h ahead of this clock');
    await page.locator('tbody').getByRole('link', { name: 'clock-ahead' }).click();
    await page.getByText('last active 2 h ahead of this clock').waitFor();
  });
});

describe('a session that was only watched', () => {
  it('is nowhere said to have been dealt with', async () => {
    const { url, ledger } = await newServer();
    await record(ledger, {
      session: 'watched',
      until: Date.now(),
      lines: STUCK,
      guard: { shadow: true },
    });
    for (const [path, said] of [
      ['/', 'would have '],
      ['/session?id=watched', 'recorded what it would have done'],
      ['/recoveries', 'recorded what it would have done'],
    ] as const) {
      const page = await shown(url + path);
      const text = await page.locator('main').textContent();
      expect(text).toContain(said);
      expect(text).not.toMatch(
        /intervened|What Unrut did\b(?!,)|What the model read|For humans|it worked/,
      );
    }
  });

  it('got out by itself', async () => {
    const { url, ledger } = await newServer();
    const lines = [
      ...STUCK,
      ...Array.from(
        { length: 8 },
        (_, i) =>
          `Read {"file_path":"/home/dev/project/${i}.ts"} -> "export const v${i} = ${i * i};"`,
      ),
    ];
    await record(ledger, { session: 'watched', until: Date.now(), lines, guard: { shadow: true } });
    for (const path of ['/session?id=watched', '/recoveries']) {
      const page = await shown(url + path);
      const text = await page.locator('main').textContent();
      expect(text).toContain('it recovered on its own');
      expect(text).not.toContain('it worked');
    }
  });
});

describe('a session of which little is known', () => {
  it('does not say that nothing worked before that is known', async () => {
    const { url, ledger } = await newServer();
    await record(ledger, { session: 'fresh', until: Date.now(), lines: NOTICED });
    const page = await shown(`${url}/session?id=fresh`);
    expect(await page.locator('main').textContent()).toContain(
      'Unrut intervened once; the outcome is unknown',
    );
    await page.goto(`${url}/?open=fresh`);
    await page.locator('.acts', { hasText: 'outcome unknown' }).waitFor();
  });

  it('was going in circles when it fell silent, and is not said to continue', async () => {
    const { url, ledger } = await newServer();
    await record(ledger, { session: 'quiet', until: Date.now() - 2 * HOUR, lines: STUCK });
    const page = await shown(`${url}/session?id=quiet`);
    const text = await page.locator('main').textContent();
    expect(text).toContain('It was stuck in a loop when it went silent');
    expect(text).not.toContain('still looping');
  });
});

describe('names of sessions', () => {
  it.each(['.', '..', '%2e', 'a/../b'])('can be anything: %s', async (session) => {
    const { url, ledger } = await newServer();
    await record(ledger, { session, until: Date.now(), lines: NOTICED });
    const page = await shown(url);
    await page.locator('tbody td a').click();
    await page.locator('.moment').nth(2).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(session);
  });

  it('are shown whole where people chose them', async () => {
    const { url, ledger } = await newServer();
    const names = [
      'otlp-waiting-room',
      'nightly-run-of-the-shop',
      '550e8400-e29b-41d4-a716-446655440000',
    ];
    for (const session of names)
      await record(ledger, { session, until: Date.now(), lines: NOTICED });
    const page = await shown(url);
    expect((await page.locator('tbody td a').allTextContents()).sort()).toEqual([
      '550e8400',
      'nightly-run-of-the-shop',
      'otlp-waiting-room',
    ]);
  });
});

describe('the list of sessions', () => {
  it('says that none is like that', async () => {
    const { url, ledger } = await newServer();
    await record(ledger, { session: 'busy', until: Date.now(), lines: NOTICED });
    const page = await shown(url);
    await page.getByRole('searchbox', { name: 'Find' }).fill('lamp');
    await page.getByText('No session matches.').waitFor();
  });
});

describe('tasks of a program that ended without a word', () => {
  it('have a name, attempts that add up, and one state on both pages', async () => {
    const { url, ledger } = await newServer();
    const guard = createTaskGuard({ ledger }, { run: 'shop-run' });
    for (const [task, times] of [
      ['T1', 1],
      ['T2', 3],
    ] as const)
      for (let i = 0; i < times; i++)
        await guard.recordAttempt(task, 'blocked', ['no key'], [], `attempt-${i}`);
    const page = await shown(`${url}/tasks`);
    await page.getByRole('heading', { name: 'Tasks of shop-run' }).waitFor();
    await page.locator('.facts', { hasText: '4 attempts' }).first().waitFor();
    expect(await page.locator('.task h3').allTextContents()).toEqual([
      expect.stringMatching(/^T1 +blocked$/),
      expect.stringMatching(/^T2 +blocked$/),
    ]);
    expect(await page.locator('section[aria-labelledby=run] .state').first().textContent()).toBe(
      'running',
    );
    expect(await faults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Now' }).click();
    await page.getByRole('link', { name: 'shop-run' }).waitFor();
    expect(await page.locator('tbody .state').textContent()).toMatch(/running|stuck in a loop/);
  });
});

describe('an answer that the page does not understand', () => {
  it('is reported in a line, and leaves the other pages alone', async () => {
    const { url } = await newServer();
    const page = await openPage(`${url}/detectors`);
    await untilShown(page);
    await page.route('**/v1/stats?*', (route) => route.fulfill({ json: {} }));
    await page.getByRole('link', { name: 'Cost' }).click();
    await page.getByRole('alert').getByText('This page could not be shown').waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'What Unrut looks for' }).waitFor();
    forgive(/TypeError/);
  });
});
