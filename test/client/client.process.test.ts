import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ClientOptions, createClient } from '@unrut/adapters/client';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createGuard } from '../../packages/cli/src/index.ts';
import { bundledPrograms } from '../bundled-programs.ts';
import { newFolder, newPath } from '../ledger-files.ts';
import { lookup, served, startProgram } from '../server/served.ts';

const { cli } = bundledPrograms();
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** A client that is closed after the tests. */
function connect(options: ClientOptions) {
  const client = createClient({ pause: 10, timeout: 60_000, ...options });
  closing.push(client.close);
  return client;
}

/** A server that answers as it likes, and is no server of Unrut. */
async function stranger(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const PIECE = {
  type: 'text-added',
  channel: 'answer',
  session: 'written',
  at: 1_794_800_000_000,
  text: 'word ',
} as const;

describe('a client', () => {
  test('has the verdicts of a guard in its own process', async () => {
    const { url } = await served(newPath());
    const client = connect({ url: `${url}/`, attended: true });
    const guard = createGuard();
    for (let i = 0; i < 8; i++)
      expect(await client.observe(lookup(i))).toEqual({ ...guard.observe(lookup(i)), seen: null });
  });

  test('sends events that come while a request is under way together, in order', async () => {
    const { url, ledger } = await served(newPath());
    const sizes: number[] = [];
    const counting = await stranger(async (request, response) => {
      const body = (await request.toArray()).join('');
      sizes.push(JSON.parse(body).length);
      response.end(await (await fetch(`${url}/v1/events`, { method: 'POST', body })).text());
    });
    const client = connect({ url: counting });
    const { id: _, ...event } = lookup(0);
    const verdicts = await Promise.all(
      Array.from({ length: 250 }, (_, i) => client.observe({ ...event, at: event.at + i * 5000 })),
    );
    expect(verdicts.map(({ step }) => step)).toEqual(verdicts.map((_, i) => i));
    expect(sizes).toEqual([1, 100, 100, 49]);
    expect((await ledger.sessions())[0]!.events).toBe(250);
  });

  test('says where its events come from, unless they do', async () => {
    const { url, ledger } = await served(newPath());
    const client = connect({ url, origin: { host: 'mine', team: 'payments' } });
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
    expect(() => createClient({ origin: { team: 'x'.repeat(101) } })).toThrow(
      '[client] expected origin.team',
    );
  });

  test('sends one session a request, with a header that tells sessions apart, and those of a family together', async () => {
    const seen: { header: unknown; sessions: string[] }[] = [];
    const url = await stranger(async (request, response) => {
      const events: { session: string }[] = JSON.parse((await request.toArray()).join(''));
      seen.push({
        header: request.headers['x-unrut-session'],
        sessions: events.map(({ session }) => session),
      });
      response.end(JSON.stringify({ verdicts: events.map(() => ({ signals: [] })) }));
    });
    const client = connect({ url });
    const events = Array.from({ length: 60 }, (_, i) => lookup(i, { session: `s${i % 20}` }));
    const nested = [0, 1].map((i) => ({ ...lookup(i, { session: 'child' }), parent: 's0' }));
    const verdicts = await Promise.all([...events, ...nested].map(client.observe));
    expect(verdicts.flatMap(({ faults }) => faults)).toEqual([]);
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

  test('gathers pieces of streamed text; any other event sends them at once, in order', async () => {
    const { url, ledger } = await served(newPath());
    const bodies: string[][] = [];
    const counting = await stranger(async (request, response) => {
      const body = (await request.toArray()).join('');
      bodies.push(JSON.parse(body).map(({ type }: { type: string }) => type));
      response.end(await (await fetch(`${url}/v1/events`, { method: 'POST', body })).text());
    });
    const client = connect({ url: counting });
    const piece = (i: number) => ({ ...PIECE, at: PIECE.at + i, id: `p${i}` });
    const [first, ...rest] = [piece(0), piece(1), piece(2), { ...piece(3), done: true }].map(
      client.observe,
    );
    await Promise.all([first, ...rest]);
    expect(bodies).toEqual([Array(4).fill('text-added')]);
    await Promise.all([piece(4), piece(5)].map(client.observe));
    expect(bodies[1]).toEqual(['text-added', 'text-added']);
    expect((await ledger.sessions()).map(({ session }) => session)).toEqual(['written']);
  });

  test('says what its host can do, and can only record', async () => {
    const { url } = await served(newPath());
    const rungsOf = async (options: ClientOptions, session: string) => {
      const client = connect({ url, ...options });
      const verdicts = await Promise.all(
        Array.from({ length: 9 }, (_, i) => client.observe(lookup(i, { session }))),
      );
      return verdicts.map(({ plan, shadow }) => [plan?.rung, shadow?.rung]);
    };
    expect(new Set((await rungsOf({ can: ['note'] }, 'a')).flat())).toEqual(
      new Set([undefined, 'note']),
    );
    const inShadow = await rungsOf({ shadow: true }, 'b');
    expect(inShadow.map(([plan]) => plan)).toEqual(Array(9).fill(undefined));
    expect(inShadow.map(([, shadow]) => shadow)).toContain('note');
  });

  test('shows the token', async () => {
    const token = 'correct-horse-battery';
    const { url } = await served(newPath(), { token });
    expect((await connect({ url, token }).observe(lookup(0))).faults).toEqual([]);
    const stranger = connect({ url });
    expect((await stranger.observe(lookup(1))).faults).toEqual([
      { where: 'client', message: expect.stringContaining('refused with 401') },
    ]);
    expect({ dropped: stranger.dropped, waiting: stranger.waiting }).toEqual({
      dropped: 1,
      waiting: 0,
    });
  });

  test.each<[string, ClientOptions]>([
    ['a token of two lines', { token: 'hidden-a\nhidden-b' }],
    ['a token that no header can carry', { token: 'hidden-\u2013' }],
    ['a password in the address', { url: 'http://user:hidden@127.0.0.1:4717' }],
  ])('does not begin with %s, and does not repeat it', (_, options) => {
    let message = '';
    try {
      createClient(options);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^\[unrut\] \[client\] (?:token|url): expected [^\n]+\.$/);
    expect(message).not.toContain('hidden');
  });

  test('takes a token as a file has it', async () => {
    const token = 'correct-horse-battery';
    const { url } = await served(newPath(), { token });
    expect((await connect({ url, token: `${token}\n` }).observe(lookup(0))).faults).toEqual([]);
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
    ['nothing', () => {}, 'no answer within 50 milliseconds'],
  ])('that is answered with %s says so and goes on', async (_, answer, message) => {
    const isSilent = message.startsWith('no answer');
    const client = connect({ url: await stranger(answer), ...(isSilent ? { timeout: 50 } : {}) });
    const verdict = await client.observe(lookup(0));
    expect(verdict).toMatchObject({
      signals: [],
      plan: null,
      faults: [{ where: 'client', message: expect.stringContaining(message) }],
    });
    expect(client.waiting).toBe(1);
  });

  test('never throws on what is no event', async () => {
    const { url } = await served(newPath());
    const client = connect({ url });
    const circle: { self?: object } = {};
    circle.self = circle;
    for (const event of [
      undefined,
      null,
      7,
      'x',
      {},
      { type: 'idle' },
      lookup(0, { result: 7n }),
      lookup(0, { result: circle }),
    ]) {
      const { faults } = await client.observe(event as never);
      expect(faults.map(({ where }) => where)).toEqual(['event']);
    }
  });

  test('keeps a bounded number of events when the server never comes, and waits for nobody', async () => {
    const client = connect({ url: 'http://127.0.0.1:1', most: 50, pause: 60_000 });
    const verdicts = [];
    for (let i = 0; i < 200; i++) verdicts.push(await client.observe(lookup(i)));
    expect(verdicts.every(({ plan, faults }) => plan === null && faults.length === 1)).toBe(true);
    expect({ waiting: client.waiting, dropped: client.dropped }).toEqual({
      waiting: 50,
      dropped: 150,
    });
    expect(await client.flush()).toBe(50);
    expect(await client.close()).toBe(50);
    expect((await client.observe(lookup(0))).faults[0]!.message).toContain('closed');
  });

  test('loses nothing and counts nothing twice when its server is killed and comes back', async () => {
    const home = newFolder();
    let server = await startProgram(cli, home);
    const client = connect({ url: server.url });
    const count = 60;
    for (let i = 0; i < count; i++) {
      const observed = client.observe(lookup(i));
      if (i % 20 === 10) await server.kill();
      await observed;
      if (i % 20 === 15) server = await startProgram(cli, home, server.port);
    }
    await vi.waitFor(async () => expect(await client.flush()).toBe(0), { timeout: 30_000 });
    expect(client.dropped).toBe(0);
    // The server is back, and so are its verdicts.
    expect((await client.observe(lookup(count))).step).toBe(count);
    expect(await client.close()).toBe(0);
    await server.kill();
    const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
    expect((await ledger.sessions()).map(({ events }) => events)).toEqual([count + 1]);
    await ledger.close();
  });

  test.each(['localhost:4717', 'ftp://x', ''])(
    'does not take %j as the address of a server',
    (url) => {
      expect(() => createClient({ url })).toThrow('expected something like http://127.0.0.1:4717');
    },
  );
});
