import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { startRunState } from '@unrut/tasks/run/run-state';
import { RunStore } from '@unrut/tasks/run/run-store';
import { beforeAll, describe, expect, it } from 'vitest';
import { newPath } from '../ledger-files.ts';
import { forgive, openPage, untilShown } from './dashboard-page.ts';
import { builtDashboard, serveDashboard } from './dashboard-server.ts';
import { record } from './seeded-ledger.ts';
import { lookup, tellEvents } from './served.ts';

let dashboard: string;
beforeAll(async () => {
  dashboard = await builtDashboard();
}, 120_000);

const newServer = async (options: { token?: string } = {}) => {
  const path = newPath();
  const ledger = createSqliteLedger({ path });
  const served = await serveDashboard({ dashboard, ledger, path, ...options });
  return { ...served, ledger, path };
};

/** The first looks of an agent at an order that never changes, now. */
const looks = (session: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) =>
    lookup(from + i, { session, at: Date.now() - 60_000 + (from + i) * 5000 }),
  );

describe('a page that is open', () => {
  it('shows how to connect an agent, then the agent, then that it goes in circles, without being loaded again', async () => {
    const { url } = await newServer();
    const page = await openPage(url);
    await page.getByRole('heading', { name: 'No agent is running' }).waitFor();
    const ways = await page.locator('.connect').textContent();
    for (const words of [
      'npx unrut install claude-code',
      'npx unrut mcp -- ',
      `OTEL_EXPORTER_OTLP_ENDPOINT=${url}`,
      `'${url}'`,
    ])
      expect(ways).toContain(words);

    await tellEvents(url, looks('s', 0, 1));
    await page.getByRole('heading', { name: 'The running agent is not looping' }).waitFor();
    await tellEvents(url, looks('s', 1, 4));
    await page.getByRole('heading', { name: 'The running agent is stuck in a loop' }).waitFor();
    await page.locator('td.reason', { hasText: 'lookup_order' }).waitFor();
    expect(await page.title()).toBe('The running agent is stuck in a loop – Unrut');
    await page
      .getByRole('status')
      .filter({ hasText: 'An agent is stuck in a loop: ' })
      .waitFor({ state: 'attached' });
  });

  it('begins with what many agents fail at, and lets somebody look after it', async () => {
    const { url, ledger } = await newServer();
    const fail = (agent: number, n: number): object => ({
      ...{ type: 'call-finished', session: `agent-${agent}`, at: Date.now(), id: `${agent} ${n}` },
      call: {
        ...{ id: `${agent} ${n}`, tool: 'http_request' },
        args: { method: 'POST', url: 'https://pay.example/v1/charge', body: { order: n } },
      },
      error: '503 Service Unavailable: connect ECONNREFUSED 10.0.4.17:443',
      origin: {
        host: agent < 3 ? 'claude-code' : 'own',
        team: agent % 2 === 0 ? 'shop' : 'billing',
      },
    });
    for (let n = 0; n < 6; n++)
      await tellEvents(url, [0, 1, 2, 3].map((agent) => fail(agent, n)) as never);
    await tellEvents(url, looks('fine', 0, 1));
    await ledger.incidents!.look(Date.now());
    const page = await openPage(url);
    await page.getByRole('heading', { name: '4 of 5 running agents are failing' }).waitFor();
    const incident = page.getByRole('region', { name: 'Incidents' }).getByRole('listitem');
    await incident.getByText('fails at pay.example').waitFor();
    expect(await incident.count()).toBe(1);
    const text = (await incident.textContent())!;
    for (const words of ['4 agents', 'billing, shop', '24 failed calls', 'Check pay.example.'])
      expect(text).toContain(words);
    await incident.getByRole('link', { name: 'Show these agents' }).click();
    await page.getByText('4 sessions found').waitFor();
    expect(await page.getByRole('cell', { name: 'failing', exact: true }).count()).toBe(4);
    await incident.getByRole('button', { name: 'Tell all' }).click();
    await incident.getByRole('textbox', { name: 'What to tell its agents' }).fill('Do other work.');
    await incident.getByRole('button', { name: 'Send' }).click();
    // Other programs pass nothing on.
    await incident
      .getByText('3 agents will read it with the next result. 1 other cannot be told by Unrut.')
      .waitFor();
    await incident.getByRole('button', { name: 'Acknowledge' }).click();
    await incident.getByText(/acknowledged by/).waitFor();
    await incident.getByRole('button', { name: 'Off for all' }).click();
    await incident.getByText('Unrut is off for 4 agents.').waitFor();
    await incident.getByRole('button', { name: 'Resolve' }).click();
    await incident.waitFor({ state: 'detached' });
  });

  it('tells which repository loops most, and whether the newest release loops less', async () => {
    const { url } = await newServer();
    const told = { shop: ['v41', 1, 4], billing: ['v42', 1, 2] } as const;
    for (const [repo, [release, from, to]] of Object.entries(told))
      await tellEvents(
        url,
        looks(repo, from - 1, to).map((event) => ({
          ...event,
          origin: { repo, release },
        })) as never,
      );
    const page = await openPage(`${url}/cost`);
    const groups = page.getByRole('region', { name: 'Loops by repo' });
    await groups.getByRole('rowheader', { name: 'shop' }).waitFor();
    expect(await groups.getByRole('row').nth(1).textContent()).toContain('shop');
    await page.getByText('Look at the repo shop first').waitFor();
    await page.getByRole('region', { name: 'The newest release and the one before' }).waitFor();
    await page.getByText('Not enough to tell').waitFor();
    await page.getByLabel('Group by').selectOption('release');
    await page.getByRole('region', { name: 'Loops by release' }).waitFor();
  });

  it('shows the steps of a session as they come, from every process that writes to the ledger', async () => {
    const { url, ledger } = await newServer();
    await tellEvents(url, looks('s', 0, 2));
    const page = await openPage(`${url}/session?id=s`);
    await untilShown(page);
    const steps = page.locator('.moment');
    expect(await steps.count()).toBe(2);
    await tellEvents(url, looks('s', 2, 4));
    await steps.nth(3).waitFor();
    await page.getByText('It is stuck in a loop').waitFor();
    await record(ledger, {
      session: 'other',
      until: Date.now(),
      lines: ['Glob {"pattern":"*"} -> "a.ts"'],
      host: 'codex',
    });
    await page.getByRole('link', { name: 'Now' }).click();
    await page.getByRole('heading', { name: '1 of 2 running agents is stuck in a loop' }).waitFor();
  });

  it.each([
    [
      '/cost',
      'In the last 30 days nothing was recorded.',
      'In the last 30 days 0 of 2 steps',
      /[1-9] of 4 steps/,
    ],
    [
      '/recoveries',
      'Unrut did not intervene: no loop was recorded.',
      'Unrut did not intervene: no loop was recorded.',
      'Unrut intervened twice.',
    ],
    ['/detectors', 'none of them fired', 'none of them fired', /[1-9] of them fired/],
  ])('shows its outcome on %s', async (path, nothing, little, much) => {
    const { url } = await newServer();
    const page = await openPage(url + path);
    const lead = page.locator('.lead').first();
    await lead.getByText(nothing).waitFor();
    await tellEvents(url, looks('s', 0, 2));
    await lead.getByText(little).waitFor();
    await tellEvents(url, looks('s', 2, 4));
    await lead.getByText(much).waitFor();
  });

  it('tells on /tasks of a run, and of each iteration', async () => {
    const { url, ledger } = await newServer();
    const page = await openPage(`${url}/tasks`);
    await page.getByText('No run has been recorded yet.').waitFor();
    const run = 'run-202611160903-5eed03';
    const state = startRunState('prompt', {
      folder: '/home/dev/project',
      file: 'PROMPT.md',
      args: ['PROMPT.md'],
      command: ['agent'],
    });
    const store = new RunStore(ledger, run, state, {}, (error) => {
      throw error;
    });
    for (const [i, what] of ['Wrote the parser.', 'Wrote its tests.'].entries()) {
      const iteration = i + 1;
      Object.assign(state, { iteration, tried: [...state.tried, { iteration, what }] });
      await store.observe({
        type: 'output-finished',
        session: run,
        at: Date.now(),
        iteration,
        output: what,
      });
      await page.getByText(what).waitFor();
    }
    await page.getByText('2 iterations').first().waitFor();
  });

  it('says when the server is gone, keeps what it knew, and continues when it is back', async () => {
    const { url, stop, ledger, path } = await newServer();
    await tellEvents(url, looks('s', 0, 2));
    const page = await openPage(`${url}/session?id=s`);
    await untilShown(page);
    await page.locator('.liveness', { hasText: /^Live$/ }).waitFor();
    await stop();
    await page.locator('.liveness', { hasText: 'Not live' }).waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: 'The page is not live' })
      .waitFor({ state: 'attached' });
    expect(await page.locator('.moment').count()).toBe(2);
    await page
      .getByRole('alert')
      .getByText(
        /The server does not answer\. What is shown is from .*npx unrut serve|just now|\d+ s ago/,
      )
      .waitFor();

    const again = await serveDashboard({
      dashboard,
      ledger,
      path,
      port: Number(new URL(url).port),
    });
    await tellEvents(again.url, looks('s', 2, 4));
    await page.locator('.liveness', { hasText: /^Live$/ }).waitFor();
    await page.locator('.moment').nth(3).waitFor();
    await page.getByText('The server does not answer.').waitFor({ state: 'detached' });
    forgive(/Failed to load resource|net::ERR_/);
  });
});

describe('a server that answers, but with no', () => {
  const answering = async (status: number, message: string) => {
    const { url } = await newServer();
    const page = await openPage(url);
    await page.route('**/v1/**', (route) =>
      route.fulfill({
        status,
        contentType: 'application/problem+json',
        body: JSON.stringify({ error: { code: 'no', message } }),
      }),
    );
    await page.reload();
    await page.locator('.liveness', { hasText: 'Not live' }).waitFor();
    forgive(/Failed to load resource/);
    return page;
  };

  it.each([
    [403, 'You may not look at anything here. Ask an admin of your organisation for a role'],
    [503, 'The server cannot use its ledger. It answers, but its database or disk does not'],
    [500, 'The server answers with an error. Its log says why.'],
  ])('%i is not said to be away', async (status, words) => {
    const page = await answering(status, 'The reason.');
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
    await page.getByText('The reason.').first().waitFor();
    expect(await page.getByText('npx unrut serve').count()).toBe(0);
    expect(await page.getByText('The server does not answer').count()).toBe(0);
  });
});

describe('a server where people sign in', () => {
  const signingIn = async (path: string) => {
    const { url } = await newServer();
    const page = await openPage(`${url}${path}`);
    await page.route('**/v1/**', (route) =>
      route.fulfill({ status: 401, headers: { 'x-unrut-sign-in': '/v1/sign-in' }, body: '{}' }),
    );
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Unrut' }).waitFor();
    forgive(/Failed to load resource/);
    return page;
  };
  const address = async (page: Awaited<ReturnType<typeof openPage>>) =>
    page.getByRole('link', { name: 'Sign in', exact: true }).getAttribute('href');

  it('asks them to, and keeps the page that they wanted', async () => {
    const page = await signingIn('/cost?since=7d');
    expect(await address(page)).toBe('/v1/sign-in?to=%2Fcost%3Fsince%3D7d');
    expect(await page.getByText('UNRUT_TOKEN').count()).toBe(0);
    await page.getByLabel('Key').waitFor();
  });

  it('says why a sign-in failed', async () => {
    const page = await signingIn('/?sign-in=unverified-email');
    await page
      .getByRole('alert')
      .filter({ hasText: 'your email address is not verified' })
      .waitFor();
    expect(await address(page)).toBe('/v1/sign-in?to=%2F');
  });
});

describe('a page in the background', () => {
  /** A headless browser has no background, so the page is told that it is there. */
  const hide = (isHidden: boolean): string =>
    `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`;

  it('does not listen, and catches up when it is looked at', async () => {
    const { url } = await newServer();
    await tellEvents(url, looks('s', 0, 2));
    const page = await openPage(`${url}/session?id=s`);
    await untilShown(page);
    await page.locator('.liveness', { hasText: /^Live$/ }).waitFor();
    const cutOff = page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/v1/stream'),
    );
    await page.evaluate(hide(true));
    await cutOff;
    await tellEvents(url, looks('s', 2, 4));
    await page.evaluate(hide(false));
    await page.locator('.moment').nth(3).waitFor();
    expect(await page.locator('.liveness').textContent()).toBe('Live');
  });
});

describe('a server with a token', () => {
  const token = 'a-token-of-some-length';

  it('asks for it, says when it is wrong, and keeps it for the tab alone', async () => {
    const { url, ledger } = await newServer({ token });
    await record(ledger, {
      session: 's',
      host: 'codex',
      folder: 'shop',
      until: Date.now(),
      lines: ['Glob {"pattern":"*"} -> "a.ts"'],
    });
    const page = await openPage(`${url}/session?id=s`);
    await page.getByRole('heading', { name: 'This server asks for a token' }).waitFor();
    await page.getByLabel('Token').fill('another-of-some-length');
    await page.getByLabel('Token').press('Enter');
    await page.getByRole('alert').getByText('The server refused the token').waitFor();
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Show the dashboard' }).click();
    await page.getByRole('heading', { name: 'codex in shop' }).waitFor();
    await page.locator('.liveness', { hasText: /^Live$/ }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'codex in shop' }).waitFor();
    expect(page.url()).not.toContain(token);
    expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).toBe('{}');
    forgive(/401/);
  });
});
