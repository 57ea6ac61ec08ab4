import { STATUS_CODES } from 'node:http';
import { isLoopback } from '@unrut/engine/text/loopback';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { openReading } from '@unrut/server/api/reading';
import { createApp } from '@unrut/server/create-app';
import { type RunningServer, startServer } from '@unrut/server/start-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitRate } from '../../packages/server/src/limit-rate.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { newFolder, newPath } from '../ledger-files.ts';
import { type Asked, ask, raw } from './request.ts';

const TOKEN = 'correct-horse-battery';
const path = newPath();
const ledger = createSqliteLedger({ path });
const reading = openReading(ledger);
const settings = () => loadSettings({ cwd: newFolder(), home: newFolder(), environment: {} });
const common = {
  ledger,
  settingsIn: () => ({ guard: {} }),
  version: '0.0.0',
  mostBytes: 10_000,
  reads: { reading, settings },
};
const payload = JSON.stringify(LOOPING['claude-code'].before(1));

let open: RunningServer;
let closed: RunningServer;
beforeAll(async () => {
  open = await startServer({
    app: createApp({ ...common, loopbackOnly: true }),
    host: '127.0.0.1',
    port: 0,
    patience: 300,
  });
  closed = await startServer({
    app: createApp({ ...common, loopbackOnly: false, token: TOKEN }),
    host: '127.0.0.1',
    port: 0,
  });
});
afterAll(async () => {
  await Promise.all([open.close(), closed.close()]);
  reading.close();
  await ledger.close();
});

const hooks = '/v1/hooks/claude-code';
const origin = (url: string): string => new URL(url).origin;

describe('a server on loopback', () => {
  test.each<[string, string, Asked, number, string]>([
    ['another name as Host', hooks, { headers: { host: 'evil.example' } }, 403, 'wrong-host'],
    [
      'a name that begins like ours',
      hooks,
      { headers: { host: 'localhost.evil.example:4717' } },
      403,
      'wrong-host',
    ],
    ['an address that is not ours', hooks, { headers: { host: '192.168.0.7' } }, 403, 'wrong-host'],
    ['an address that is none', hooks, { headers: { host: '127.999.1.1' } }, 400, 'malformed'],
    [
      'another name for livez',
      '/livez',
      { method: 'GET', headers: { host: 'evil.example' } },
      403,
      'wrong-host',
    ],
    [
      'a page from elsewhere',
      hooks,
      { headers: { origin: 'https://evil.example' } },
      403,
      'wrong-origin',
    ],
    [
      'a page on another port',
      hooks,
      { headers: { origin: 'http://127.0.0.1:1' } },
      403,
      'wrong-origin',
    ],
    ['a page without an origin', hooks, { headers: { origin: 'null' } }, 403, 'wrong-origin'],
    [
      'a picture on a page from elsewhere',
      '/v1/status',
      { method: 'GET', headers: { 'sec-fetch-site': 'cross-site' } },
      403,
      'wrong-origin',
    ],
    ['no JSON', hooks, { body: '{"session_id": ' }, 400, 'malformed'],
    ['an empty body', hooks, { body: '' }, 400, 'malformed'],
    ['a list', hooks, { body: '[1]' }, 400, 'malformed'],
    ['an agent that nobody knows', '/v1/hooks/nobody', { body: payload }, 404, 'unknown-agent'],
    [
      'a name of JavaScript as an agent',
      '/v1/hooks/__proto__',
      { body: payload },
      404,
      'unknown-agent',
    ],
    [
      'a path with tricks',
      '/v1/hooks/..%2f..%2fetc%2fpasswd',
      { body: payload },
      404,
      'unknown-agent',
    ],
    ['a path that is not there', '/v1/nothing', { body: payload }, 404, 'not-found'],
    [
      'a session that is not there',
      '/v1/sessions/..%2f..%2fetc%2fpasswd',
      { method: 'GET' },
      404,
      'unknown-session',
    ],
    ['a session of no name', '/v1/sessions/%00', { method: 'GET' }, 400, 'bad-query'],
    ['a run that is not there', '/v1/runs/__proto__', { method: 'GET' }, 404, 'unknown-run'],
    [
      'a letter that is none in a path',
      '/v1/sessions/%ff%ZZ',
      { method: 'GET' },
      404,
      'unknown-session',
    ],
    ['a number beyond all bounds', '/v1/sessions?limit=1e9', { method: 'GET' }, 400, 'bad-query'],
    [
      'a cursor that somebody made up',
      '/v1/signals?cursor=W1tdLHt9XQ',
      { method: 'GET' },
      400,
      'bad-query',
    ],
    [
      'a place in the stream that is none',
      '/v1/stream?after=x',
      { method: 'GET' },
      400,
      'bad-query',
    ],
    ['a run in a browser', '/v1/cua', { body: '{"url":"http://localhost/"}' }, 403, 'cua-off'],
    ['a method that is not there', hooks, { method: 'GET' }, 405, 'wrong-method'],
    ['too much', hooks, { body: JSON.stringify({ text: 'x'.repeat(20_000) }) }, 413, 'too-large'],
    [
      'too much in pieces',
      hooks,
      { headers: { 'transfer-encoding': 'chunked' }, body: 'x'.repeat(20_000) },
      413,
      'too-large',
    ],
  ])('refuses %s in one line', async (_, path, asked, status, code) => {
    const answer = await ask(open.url + path, {
      ...(asked.method === 'GET' ? {} : { body: payload }),
      ...asked,
    });
    expect(answer.status).toBe(status);
    const { error, ...problem } = JSON.parse(answer.text);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(problem).toEqual({
      type: 'about:blank',
      title: STATUS_CODES[status],
      status,
      code,
      detail: expect.stringMatching(/^[A-Z][^\n]+[.?]$/),
    });
    expect(error).toEqual({ code, message: problem.detail });
    expect(await ledger.sessions()).toEqual([]);
  });

  test.each(['localhost', '127.0.0.1', '[::1]:4717'])('answers to %s', async (host) => {
    expect((await ask(`${open.url}/livez`, { method: 'GET', headers: { host } })).status).toBe(200);
  });

  test('answers its own pages', async () => {
    const headers = { origin: origin(open.url), 'sec-fetch-site': 'same-origin' };
    expect((await ask(`${open.url}/livez`, { method: 'GET', headers })).status).toBe(200);
  });

  test('hangs up on a body that does not come, and continues', async () => {
    const head = `POST ${hooks} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n`;
    const answer = await raw(open.url, (write) => write(`${head}{"session_id":`));
    expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
    expect((await ask(`${open.url}/livez`, { method: 'GET' })).status).toBe(200);
  });

  test.each([
    ['what is no HTTP', 'hello\r\n\r\n'],
    [
      'two lengths',
      `POST ${hooks} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    ],
    ['no Host', `POST ${hooks} HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}`],
    [
      'a port that is none',
      `POST ${hooks} HTTP/1.1\r\nHost: localhost:99999\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      'a Host that is no name',
      `POST ${hooks} HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    ],
  ])('refuses %s', async (_, bytes) => {
    expect(await raw(open.url, (write) => write(bytes))).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  test.each([
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '/..%5c..%5cpackage.json',
    '//package.json',
    '/index.html/../../package.json',
    '/v1//sessions',
    '/v1/sessions/',
    '/%',
  ])('gives nothing for %s', async (target) => {
    const answer = await raw(open.url, (write) =>
      write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (?:404|400|503) /);
    expect(answer).not.toContain('devDependencies');
  });

  test.each(['/livez', '/nowhere', '/v1/sessions', '/', '/openapi.json'])(
    'says on %s that nothing may be made of it',
    async (where) => {
      const { headers } = await ask(open.url + where, { method: 'GET' });
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; .*frame-ancestors 'none'/,
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    },
  );

  test('does not answer what a page from elsewhere asks beforehand', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const answer = await ask(open.url + hooks, { method: 'OPTIONS', headers });
    expect(answer.status).toBe(403);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('takes what no agent would send for nothing to say', async () => {
    const { status, text } = await ask(open.url + hooks, {
      body: '{"a":{"__proto__":{"x":1}},"hook_event_name":7}',
    });
    expect({ status, text }).toEqual({ status: 200, text: '{}' });
  });
});

describe('a server with a token', () => {
  test.each<[string, Record<string, string>]>([
    ['no token', {}],
    ['another token', { authorization: `Bearer ${TOKEN}x` }],
    ['a token in another way', { authorization: `Basic ${TOKEN}` }],
    ['an empty token', { authorization: 'Bearer ' }],
  ])('refuses %s', async (_, headers) => {
    const {
      status,
      text,
      headers: answered,
    } = await ask(closed.url + hooks, { headers, body: payload });
    expect(status).toBe(401);
    expect(answered['www-authenticate']).toBe('Bearer');
    expect(text).not.toContain(TOKEN);
  });

  test('gives the pages themselves without it, which hold no data', async () => {
    const { status } = await ask(`${closed.url}/`, {
      method: 'GET',
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect([200, 503]).toContain(status);
    expect((await ask(`${closed.url}/v1/sessions`, { method: 'GET' })).status).toBe(401);
    expect((await ask(`${closed.url}/metrics`, { method: 'GET' })).status).toBe(401);
  });

  test('answers its own pages behind something that speaks TLS', async () => {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      host: 'unrut.example',
      origin: 'https://unrut.example',
      'sec-fetch-site': 'same-origin',
    };
    expect((await ask(`${closed.url}/v1/status`, { method: 'GET', headers })).status).toBe(200);
    const elsewhere = { ...headers, origin: 'https://unrut.example.evil.example' };
    expect(
      (await ask(`${closed.url}/v1/status`, { method: 'GET', headers: elsewhere })).status,
    ).toBe(403);
  });

  test('refuses an invalid Host in one line', async () => {
    const { status, text } = await ask(closed.url + hooks, {
      headers: { host: '127.999.1.1' },
      body: payload,
    });
    expect({ status, ...JSON.parse(text).error }).toEqual({
      status: 400,
      code: 'malformed',
      message: expect.stringMatching(/^Expected Host .*127\.999/),
    });
  });

  test('answers with it, whatever it is called', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, host: 'unrut.example' };
    expect((await ask(closed.url + hooks, { headers, body: payload })).status).toBe(200);
  });
});

test('a server on loopback answers to its public name, and to no other', async () => {
  const app = createApp({
    ...common,
    loopbackOnly: true,
    token: TOKEN,
    publicUrl: 'https://unrut.example/',
  });
  const server = await startServer({ app, host: '127.0.0.1', port: 0 });
  const status = async (headers: Record<string, string>): Promise<number> =>
    (
      await ask(`${server.url}/v1/status`, {
        method: 'GET',
        headers: { authorization: `Bearer ${TOKEN}`, ...headers },
      })
    ).status;
  expect(await status({ host: 'unrut.example', origin: 'https://unrut.example' })).toBe(200);
  expect(await status({ host: '127.0.0.1', origin: 'https://unrut.example' })).toBe(200);
  expect(await status({ host: 'evil.example' })).toBe(403);
  expect(await status({ host: '127.0.0.1', origin: 'http://unrut.example' })).toBe(403);
  await server.close();
});

describe('a server that is asked too often', () => {
  test('says when to come again, and continues with reports', async () => {
    const server = await startServer({
      app: createApp({ ...common, loopbackOnly: true, rate: 200 }),
      host: '127.0.0.1',
      port: 0,
    });
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => ask(`${server.url}/v1/status`, { method: 'GET' })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.headers['retry-after']).toBe('1');
    expect(JSON.parse(refused[0]!.text).error).toEqual({
      code: 'too-many',
      message: expect.stringMatching(/^Too many requests: at most 200 .*\.$/),
    });
    expect((await ask(server.url + hooks, { body: '{}' })).status).toBe(200);
    await server.close();
  });

  test('has an answer again after a while, for each address by itself', async () => {
    let now = 0;
    const app = new Hono()
      .use(limitRate({ rate: 100, now: () => now }))
      .get('/', (context) => context.text('here'));
    const from = async (remoteAddress: string): Promise<number> =>
      (await app.request('/', {}, { incoming: { socket: { remoteAddress } } })).status;
    expect([await from('a'), await from('a'), await from('a'), await from('b')]).toEqual([
      200, 200, 429, 200,
    ]);
    now += 1000;
    expect([await from('a'), await from('a')]).toEqual([200, 429]);
  });

  test('accepts fewer and fewer requests from somebody who guesses the token', async () => {
    const app = createApp({ ...common, loopbackOnly: true, token: TOKEN, rate: 500 });
    const server = await startServer({ app, host: '127.0.0.1', port: 0 });
    const guess = async (): Promise<number> =>
      (await ask(server.url + hooks, { headers: { authorization: 'Bearer wrong' }, body: '{}' }))
        .status;
    const statuses: number[] = [];
    for (let i = 0; i < 20; i++) statuses.push(await guess());
    expect(statuses[0]).toBe(401);
    expect(statuses).toContain(429);
    const known = await ask(server.url + hooks, {
      headers: { authorization: `Bearer ${TOKEN}` },
      body: '{}',
    });
    expect(known.status).toBe(200);
    await server.close();
  });

  test('continues with those who have the token when strangers ask for pages without end', async () => {
    const server = await startServer({
      app: createApp({ ...common, loopbackOnly: true, token: TOKEN, rate: 200 }),
      host: '127.0.0.1',
      port: 0,
    });
    const strangers = await Promise.all(
      Array.from({ length: 40 }, () => ask(`${server.url}/`, { method: 'GET' })),
    );
    expect(strangers.map(({ status }) => status)).toContain(429);
    const known = await ask(`${server.url}/v1/status`, {
      method: 'GET',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(known.status).toBe(200);
    await server.close();
  });

  test('forgets first who has not come for longest', async () => {
    const app = new Hono()
      .use(limitRate({ rate: 100, now: () => 0 }))
      .get('/', (context) => context.text('here'));
    const from = async (remoteAddress: string): Promise<number> =>
      (await app.request('/', {}, { incoming: { socket: { remoteAddress } } })).status;
    expect([await from('busy'), await from('busy'), await from('busy')]).toEqual([200, 200, 429]);
    for (let i = 0; i < 12_000; i++) {
      await from(`other ${i}`);
      if (i % 1000 === 0) expect(await from('busy')).toBe(429);
    }
  });
});

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['127.999.1.1', false],
  ['127.1', false],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.0.7', false],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
])('%s is loopback: %j', (hostname, expected) => expect(isLoopback(hostname)).toBe(expected));
