import { spawn } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { AgentEvent } from '@unrut/engine/event';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { describe, expect, test, vi } from 'vitest';
import { createGuard } from '../../packages/cli/src/index.ts';
import { root } from '../../scripts/build.ts';
import { bundledPrograms } from '../bundled-programs.ts';
import { newFolder, newPath } from '../ledger-files.ts';
import { lookup, served, startProgram } from '../server/served.ts';
import { type Any, connecting, LANGUAGES, stranger } from './speakers.ts';

const { cli } = bundledPrograms();

const told = ({ signals, plan, shadow, outcomes, step }: Any) => ({
  signals,
  plan,
  shadow,
  outcomes,
  step,
});

test('the decorators for tools in Python pass their own tests', async () => {
  const { url } = await served(newPath());
  const child = spawn('python3', ['-m', 'unittest', 'discover', '-v', '-s', 'tests'], {
    cwd: join(root, 'clients/python'),
    env: { ...process.env, UNRUT_URL: url, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const said: string[] = [];
  child.on('error', (error) => said.push(`python3 cannot be started: ${error}`));
  child.stderr.on('data', (data) => said.push(String(data)));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(said.join('')).toMatch(/Ran [1-9]\d* tests[^\n]*\n\nOK/);
  expect(code).toBe(0);
});

describe.each(LANGUAGES)('the client in %s', (_, open) => {
  const connected = connecting(open);

  test('has the verdicts of a guard in its own process', async () => {
    const { url } = await served(newPath());
    const client = await connected({ url: `${url}/`, attended: true });
    const guard = createGuard();
    for (let i = 0; i < 8; i++)
      expect(told(await client.observe(lookup(i)))).toEqual(told(guard.observe(lookup(i))));
  });

  test('only records in shadow, and plans only what the host can do', async () => {
    const { url } = await served(newPath());
    const shadow = await connected({ url, shadow: true });
    const able = await connected({ url, can: ['note'] });
    const rungs: unknown[] = [];
    for (let i = 0; i < 8; i++) {
      const recorded = await shadow.observe(lookup(i));
      expect(recorded.plan).toBeNull();
      rungs.push(recorded.shadow?.rung);
      const { plan } = await able.observe(lookup(i, { session: 'other' }));
      expect(plan?.rung ?? 'note').toBe('note');
    }
    expect(rungs).toContain('note');
  });

  test('says that the user was asked only if the program does that', async () => {
    const { url } = await served(newPath());
    const texts = async (session: string, options: Any): Promise<string> => {
      const client = await connected({ url, ...options });
      const said: string[] = [];
      for (let i = 0; i < 12; i++)
        said.push((await client.observe(lookup(i, { session }))).plan?.toModel ?? '');
      return said.join('\n');
    };
    expect(await texts('a', {})).not.toContain('asks a human');
    expect(await texts('b', { attended: true })).toContain('asks a human');
  });

  test('counts an event once, however often it is sent', async () => {
    const { url, ledger } = await served(newPath());
    const client = await connected({ url });
    const first = await client.observe(lookup(0));
    const again = await client.observe(lookup(0));
    expect([first.repeated, again.repeated]).toEqual([undefined, true]);
    expect((await ledger.sessions())[0]!.events).toBe(1);
  });

  test('adds where events come from, unless they say so', async () => {
    const { url, ledger } = await served(newPath());
    const client = await connected({ url, origin: { host: 'mine', team: 'payments' } });
    await client.observe(lookup(0));
    await client.observe({ ...lookup(1), origin: { host: 'other' } });
    const kept = (await ledger.entries({ kind: 'event' })).map(({ data: { host, team } }) => ({
      host,
      team,
    }));
    expect(kept).toEqual([
      { host: 'mine', team: 'payments' },
      { host: 'other', team: 'payments' },
    ]);
  });

  test('keeps events while the server is away, says so, and sends them in order later', async () => {
    let isAway = true;
    const bodies: string[] = [];
    const url = await stranger(async (request, response) => {
      const body = (await request.toArray()).join('');
      if (isAway) return void response.destroy();
      const events: AgentEvent[] = JSON.parse(body);
      bodies.push(...events.map(({ id }) => id!));
      response.end(JSON.stringify({ verdicts: events.map(() => ({ signals: [] })) }));
    });
    const client = await connected({ url, pause: 20 });
    for (let i = 0; i < 3; i++) {
      const { plan, faults } = await client.observe(lookup(i));
      expect(plan).toBeNull();
      expect(faults[0].message).toMatch(/events are kept and sent later/);
    }
    expect(await client.counts()).toEqual({ waiting: 3, dropped: 0 });
    isAway = false;
    expect(await client.flush()).toBe(0);
    expect(bodies).toEqual([0, 1, 2].map((i) => lookup(i).id));
    expect(await client.close()).toBe(0);
    expect((await client.observe(lookup(4))).faults[0].message).toMatch(/closed/);
  });

  test('waits no longer than its timeout', async () => {
    const url = await stranger(() => {});
    const client = await connected({ url, timeout: 0.3, pause: 20 });
    const since = performance.now();
    expect((await client.observe(lookup(0))).faults).toHaveLength(1);
    expect(performance.now() - since).toBeLessThan(5000);
  });

  test('drops what the server refuses for good, and keeps what it cannot read yet', async () => {
    const refuses = await stranger((_, response) => {
      response.writeHead(401).end('{"error":{"message":"expected a token."}}');
    });
    const client = await connected({ url: refuses });
    expect((await client.observe(lookup(0))).faults[0].message).toMatch(/401: expected a token/);
    expect(await client.counts()).toEqual({ waiting: 0, dropped: 1 });
    const nonsense = await stranger((_, response) => void response.end('<html>'));
    const other = await connected({ url: nonsense, pause: 20, most: 2 });
    for (let i = 0; i < 4; i++) expect((await other.observe(lookup(i))).plan).toBeNull();
    expect(await other.counts()).toEqual({ waiting: 2, dropped: 2 });
  });

  test('sends the events of a session together, with a header that tells sessions apart', async () => {
    let isAway = true;
    const seen: { header: unknown; sessions: string[] }[] = [];
    const url = await stranger(async (request, response) => {
      const events: { session: string }[] = JSON.parse((await request.toArray()).join(''));
      if (isAway) return void response.destroy();
      const { 'x-unrut-session': header } = request.headers;
      seen.push({ header, sessions: events.map(({ session }) => session) });
      response.end(JSON.stringify({ verdicts: events.map(() => ({ signals: [] })) }));
    });
    const client = await connected({ url, pause: 20 });
    for (let i = 0; i < 40; i++) await client.observe(lookup(i, { session: `s${i % 20}` }));
    await client.observe({ ...lookup(40, { session: 'child' }), parent: 's0' });
    isAway = false;
    expect(await client.flush()).toBe(0);
    const byHeader = Map.groupBy(seen, ({ header }) => header);
    expect(byHeader.size).toBe(20);
    const families = [...byHeader.values()].map((requests) =>
      [...new Set(requests.flatMap(({ sessions }) => sessions))].sort().join(),
    );
    expect(families.sort()).toEqual(
      ['child,s0', ...Array.from({ length: 19 }, (_, i) => `s${i + 1}`)].sort(),
    );
    expect(seen.some(({ header }) => String(header).includes('s1'))).toBe(false);
  });

  test('sends at most 100 events at once, in order', async () => {
    let isAway = true;
    const sizes: number[] = [];
    const { url, ledger } = await served(newPath());
    const counting = await stranger(async (request, response) => {
      const body = (await request.toArray()).join('');
      if (isAway) return void response.destroy();
      sizes.push(JSON.parse(body).length);
      response.end(await (await fetch(`${url}/v1/events`, { method: 'POST', body })).text());
    });
    const client = await connected({ url: counting, pause: 60 });
    for (let i = 0; i < 249; i++) await client.observe(lookup(i));
    isAway = false;
    expect(await client.flush()).toBe(0);
    expect(sizes).toEqual([100, 100, 49]);
    expect((await ledger.sessions())[0]!.events).toBe(249);
    expect((await client.observe(lookup(249))).step).toBe(249);
  });

  test('shows the token, also as a file has it', async () => {
    const token = 'correct-horse-battery';
    const { url } = await served(newPath(), { token });
    for (const [i, each] of [token, `${token}\n`].entries()) {
      const client = await connected({ url, token: each });
      expect((await client.observe(lookup(i))).faults).toEqual([]);
    }
    const without = await connected({ url });
    expect((await without.observe(lookup(2))).faults).toEqual([
      { where: 'client', message: expect.stringContaining('refused with 401') },
    ]);
    expect(await without.counts()).toEqual({ waiting: 0, dropped: 1 });
  });

  test.each([
    ['a token of two lines', { token: 'hidden-a\nhidden-b' }],
    ['a token that no header can carry', { token: 'hidden-\u2013' }],
    ['a password in the address', { url: 'http://user:hidden@127.0.0.1:4717' }],
    ['an address without a protocol', { url: 'localhost:4717' }],
    ['an address of another kind', { url: 'ftp://user:hidden@x' }],
    ['no address', { url: '' }],
    ['an origin that is too long', { origin: { team: 'x'.repeat(101) } }],
  ])('does not begin with %s, and does not repeat what is secret', async (_, options) => {
    const message = await connected(options).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).toMatch(/(?:token|url): expected [^\n]+|expected origin\.team/);
    expect(message).not.toContain('hidden');
  });

  test.each<[string, RequestListener, string]>([
    [
      'an error',
      (_, response) => response.writeHead(500).end('{"error":{"message":"it broke"}}'),
      'refused with 500: it broke',
    ],
    ['no JSON', (_, response) => response.end('<html>'), 'expected 1 verdicts'],
    ['no list', (_, response) => response.end('{"verdicts":7}'), 'expected 1 verdicts'],
    ['too few verdicts', (_, response) => response.end('{"verdicts":[]}'), 'expected 1 verdicts'],
    [
      'verdicts that are none',
      (_, response) => response.end('{"verdicts":[{"signals":"x"}]}'),
      'expected 1 verdicts',
    ],
    [
      'half an answer',
      (_, response) =>
        response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
      'cannot be reached',
    ],
    [
      'a hint to another place',
      (_, response) => response.writeHead(307, { location: '/x' }).end(),
      'cannot be reached',
    ],
    ['nothing', () => {}, 'no answer within'],
  ])('that is answered with %s says so and continues', async (_, answer, message) => {
    const isSilent = message.startsWith('no answer');
    const timeout = isSilent ? 0.05 : 60;
    const client = await connected({ url: await stranger(answer), timeout, pause: 60 });
    const verdict = await client.observe(lookup(0));
    expect(verdict).toMatchObject({
      signals: [],
      plan: null,
      faults: [{ where: 'client', message: expect.stringContaining(message) }],
    });
    expect((await client.counts()).waiting).toBe(1);
  });

  test('never throws on what is no event', async () => {
    const { url } = await served(newPath());
    const client = await connected({ url });
    for (const event of [null, 7, 'x', [], {}, { type: 'idle' }]) {
      const { faults } = await client.observe(event as never);
      expect(faults.map(({ where }: Any) => where)).toEqual(['event']);
    }
  });

  test('keeps a bounded number of events when the server never comes, and waits for nobody', async () => {
    const client = await connected({ url: 'http://127.0.0.1:1', most: 50, pause: 60 });
    for (let i = 0; i < 200; i++) {
      const { plan, faults } = await client.observe(lookup(i));
      expect([plan, faults.length]).toEqual([null, 1]);
    }
    expect(await client.counts()).toEqual({ waiting: 50, dropped: 150 });
    expect(await client.flush()).toBe(50);
    expect(await client.close()).toBe(50);
    expect((await client.observe(lookup(0))).faults[0].message).toContain('closed');
  });

  test('loses nothing and counts nothing twice when its server is killed and comes back', async () => {
    const home = newFolder();
    let server = await startProgram(cli, home);
    const client = await connected({ url: server.url, timeout: 60, pause: 0.01 });
    const count = 60;
    for (let i = 0; i < count; i++) {
      if (i % 20 === 10) await server.kill();
      await client.observe(lookup(i));
      if (i % 20 === 15) server = await startProgram(cli, home, server.port);
    }
    await vi.waitFor(async () => expect(await client.flush()).toBe(0), { timeout: 30_000 });
    expect((await client.counts()).dropped).toBe(0);
    // The server is back, and so are its verdicts.
    expect((await client.observe(lookup(count))).step).toBe(count);
    expect(await client.close()).toBe(0);
    await server.kill();
    const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
    expect((await ledger.sessions()).map(({ events }) => events)).toEqual([count + 1]);
    await ledger.close();
  });
});
