import { createClient } from '@unrut/adapters/client';
import { createPostgresLedger } from '@unrut/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { LOOPING } from '../hosts/looping-host.ts';
import { expectExact } from './accounts.ts';
import type { TestDatabase } from './databases.ts';
import { isFull } from './full.ts';
import { type Load, startLoad } from './load.ts';
import { organisationServer } from './organisation-server.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { type TcpMode, tcpProxy } from './proxies.ts';
import { runCommand } from './run-command.ts';
import { type FleetServer, startFleetServer } from './servers.ts';

const TIMES = isFull ? 10 : 1;
/** Milliseconds of silence in which every timeout of a server runs out. */
const SILENCE = isFull ? 10_000 : 6000;
const SESSIONS = isFull ? 20 : 8;
const batch = (session: number): number => (session % 2 === 0 ? 1 : 10);
/** A client gives up before the balancer does. */
const patience = 8000;
/**
 * Milliseconds after which the first event must be answered: three seconds, on a machine of three
 * times our pace.
 */
const SOON = 9000;

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
/** A test that failed may have left it stopped. */
beforeEach(() => postgres.start());
afterAll(() => postgres.remove());

/** Two servers at work on a database of their own, which they reach by a proxy. */
async function fleet() {
  const database = await postgres.newDatabase();
  const proxy = await tcpProxy(() => postgres.port);
  const ledger = database.server.replace(`:${postgres.port}/`, `:${proxy.port}/`);
  const servers = [await startFleetServer({ ledger }), await startFleetServer({ ledger })];
  const load = startLoad({
    urls: servers.map(({ url }) => url),
    sessions: SESSIONS,
    batch,
    patience,
  });
  await load.more(SESSIONS * 3);
  return { database, proxy, servers, load };
}

/** Everything that was answered is there once, and every server still is. */
async function expectSound({
  database,
  servers,
  load,
}: {
  database: TestDatabase;
  servers: FleetServer[];
  load: Load;
}): Promise<void> {
  const pids = servers.map(({ pid }) => pid);
  const result = await load.stop();
  expect(servers.map(({ isUp }) => isUp)).toEqual([true, true]);
  expect(servers.map(({ pid }) => pid)).toEqual(pids);
  const ledger = createPostgresLedger({ url: database.server });
  await expectExact(result, database.superuser, ledger);
  await ledger.close();
}

/** The first answer came soon. */
async function expectAnswer(load: Load, after: string): Promise<void> {
  const began = performance.now();
  await load.more(1);
  const took = performance.now() - began;
  if (isFull) console.info(`first answer after ${after}: ${Math.round(took)} ms`);
  expect(took).toBeLessThan(SOON);
}

describe(`under load, ${TIMES} times`, () => {
  test.each(['immediate', 'fast'] as const)(
    'the database is stopped (%s) and started: nothing is lost, no server ends',
    async (how) => {
      const { load, ...rest } = await fleet();
      for (let i = 0; i < TIMES; i++) {
        await postgres.stop(how);
        // Earlier commits are still being answered.
        await expectRefused(rest.servers);
        const answered = load.answered;
        await expectRefused(rest.servers);
        expect(load.answered).toBe(answered);
        await postgres.start();
        await expectAnswer(load, how);
        await load.more(SESSIONS);
      }
      await expectSound({ load, ...rest });
    },
  );

  test.each<TcpMode>(['silent', 'reset'])(
    'the way to the database is cut (%s): nothing is lost, no server ends',
    async (mode) => {
      const { load, proxy, ...rest } = await fleet();
      for (let i = 0; i < TIMES; i++) {
        proxy.set(mode);
        await new Promise((resolve) => setTimeout(resolve, SILENCE));
        await expectRefused(rest.servers);
        proxy.set('pass');
        await expectAnswer(load, mode);
        await load.more(SESSIONS);
      }
      await expectSound({ load, ...rest });
      proxy.close();
    },
  );
});

describe.each([
  ['one token or keys', {}],
  ['organisations', { UNRUT_SECRET: 'a-secret-of-at-least-32-characters' }],
])('a server for %s', (_, env) => {
  test('a server for organisations says so while the database is away, and not where it is', async () => {
    const server = await organisationServer({}, { database: await postgres.newDatabase() });
    const authorization = `Bearer ${await server.addKey(1, { scopes: ['admin'] })}`;
    const ask = (path: string, body?: object) =>
      fetch(server.url + path, {
        headers: { authorization },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
    expect((await ask('/v1/projects')).status).toBe(200);
    await postgres.stop('immediate');
    const event = { type: 'user-spoke', session: 'away', at: 1_794_800_000_000 };
    for (const [path, body] of [
      ['/v1/events', event],
      ['/v1/events?project=default', event],
      ['/v1/projects'],
      ['/v1/sessions'],
      ['/v1/audit'],
      ['/v1/act', { session: 'away', act: 'off' }],
    ] as const) {
      const answer = await ask(path, body);
      const text = await answer.text();
      expect([answer.status, answer.headers.get('retry-after')], `${path}: ${text}`).toEqual([
        503,
        '1',
      ]);
      expect(text).not.toContain(String(postgres.port));
    }
  });

  test('hooks wait once for a database that hangs, and are answered again when it is back', async () => {
    const database = await postgres.newDatabase();
    const proxy = await tcpProxy(() => postgres.port);
    const ledger = database.server.replace(`:${postgres.port}/`, `:${proxy.port}/`);
    const { url } = await startFleetServer({ ledger });
    let n = 0;
    const hook = async (): Promise<string> => {
      const payloads = LOOPING['claude-code'].after(++n).map((payload) => JSON.stringify(payload));
      const answers: string[] = [];
      for (const body of payloads)
        answers.push(
          await (await fetch(`${url}/v1/hooks/claude-code`, { method: 'POST', body })).text(),
        );
      return answers.join('');
    };
    await hook();
    proxy.set('silent');
    const began = performance.now();
    for (let i = 0; i < 10; i++) expect(await hook()).toMatch(/^({})+$/);
    // Each of them waited three seconds before.
    expect(performance.now() - began).toBeLessThan(15_000);
    proxy.set('pass');
    await vi.waitFor(async () => expect(await hook()).toContain('hookSpecificOutput'), {
      timeout: 60_000,
      interval: 100,
    });
    proxy.close();
  });

  test('knows the keys that it has seen while the database is away, and its senders lose nothing', async () => {
    const database = await postgres.newDatabase();
    const added = await runCommand(['key', 'add', 'ana'], database.server);
    const headers = { authorization: `Bearer ${added.stdout.trim()}` };
    const server = await startFleetServer({
      ledger: database.server,
      env,
      args: ['--public-url', 'https://unrut.example', '--rate', '1000000'],
    });
    const client = createClient({ url: server.url, token: added.stdout.trim(), pause: 50 });
    const send = (from: number) => {
      for (let i = from; i < from + 5; i++)
        void client.observe({ type: 'user-spoke', session: 'one', at: 1_790_000_000_000 + i });
    };
    send(0);
    await expect.poll(() => client.flush(), { timeout: 30_000 }).toBe(0);
    await postgres.stop('fast');
    send(5);
    // Longer than any server remembers a key without asking.
    const end = performance.now() + SILENCE;
    while (performance.now() < end) await expectRefused([server], headers);
    send(10);
    await postgres.start();
    await expect.poll(() => client.flush(), { timeout: 60_000 }).toBe(0);
    expect(client.dropped).toBe(0);
    const ledger = createPostgresLedger({ url: database.server });
    expect(await ledger.entries({ session: 'one', kind: 'event' })).toHaveLength(15);
    await ledger.close();
    await client.close();
    const stranger = await fetch(`${server.url}/v1/events`, {
      method: 'POST',
      headers: { authorization: 'Bearer unrut_no' },
      body: '[]',
    });
    expect(stranger.status).toBe(401);
  });
});

/**
 * `/readyz` is red, `/livez` green, hooks are left alone, and events are refused with a word on
 * when to come again.
 */
async function expectRefused(
  servers: readonly FleetServer[],
  headers: Record<string, string> = {},
): Promise<void> {
  for (const { url } of servers) {
    const statusOf = async (path: string): Promise<number> =>
      (await fetch(url + path, { headers })).status;
    await expect.poll(() => statusOf('/readyz'), { timeout: 30_000 }).toBe(503);
    expect(await statusOf('/livez')).toBe(200);
    const hook = await fetch(`${url}/v1/hooks/claude-code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        session_id: 'h',
        cwd: '/',
        hook_event_name: 'UserPromptSubmit',
        prompt: 'Hello',
      }),
    });
    expect([hook.status, await hook.text()]).toEqual([200, '{}']);
    const event = { type: 'user-spoke', session: 'refused', at: 1_790_000_000_000, id: 'r' };
    const refused = await fetch(`${url}/v1/events`, {
      method: 'POST',
      headers,
      body: JSON.stringify(event),
    });
    expect([
      refused.status,
      Number(refused.headers.get('retry-after')) > 0,
      ((await refused.json()) as { code: string }).code,
    ]).toEqual([...[503, true, 'ledger-unusable']]);
  }
}
