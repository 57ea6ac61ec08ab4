import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryLedger } from '../../src/index.ts';
import { createApp } from '../../src/server/create-app.ts';
import { isLoopback } from '../../src/server/is-loopback.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { LOOPING } from '../adapters/looping-host.ts';
import { type Asked, ask, raw } from './request.ts';

const TOKEN = 'correct-horse-battery';
const ledger = createMemoryLedger();
const common = { ledger, settingsIn: () => ({ guard: {} }), version: '0.0.0', mostBytes: 10_000 };
const payload = JSON.stringify(LOOPING['claude-code'].before(1));

let open: RunningServer;
let closed: RunningServer;
beforeAll(async () => {
  open = await startServer({ app: createApp({ ...common, loopbackOnly: true }), host: '127.0.0.1', port: 0, patience: 300 });
  closed = await startServer({ app: createApp({ ...common, loopbackOnly: false, token: TOKEN }), host: '127.0.0.1', port: 0 });
});
afterAll(() => Promise.all([open.close(), closed.close()]));

const hooks = '/v1/hooks/claude-code';
const origin = (url: string): string => new URL(url).origin;

describe('a server on loopback', () => {
  test.each<[string, string, Asked, number, string]>([
    ['another name as Host', hooks, { headers: { host: 'evil.example' } }, 403, 'wrong-host'],
    ['a name that begins like ours', hooks, { headers: { host: 'localhost.evil.example:4717' } }, 403, 'wrong-host'],
    ['an address that is not ours', hooks, { headers: { host: '192.168.0.7' } }, 403, 'wrong-host'],
    ['another name for healthz', '/healthz', { method: 'GET', headers: { host: 'evil.example' } }, 403, 'wrong-host'],
    ['a page from elsewhere', hooks, { headers: { origin: 'https://evil.example' } }, 403, 'wrong-origin'],
    ['a page on another port', hooks, { headers: { origin: 'http://127.0.0.1:1' } }, 403, 'wrong-origin'],
    ['a page without an origin', hooks, { headers: { origin: 'null' } }, 403, 'wrong-origin'],
    ['a picture on a page from elsewhere', '/healthz', { method: 'GET', headers: { 'sec-fetch-site': 'cross-site' } }, 403, 'wrong-origin'],
    ['no JSON', hooks, { body: '{"session_id": ' }, 400, 'malformed'],
    ['an empty body', hooks, { body: '' }, 400, 'malformed'],
    ['a list', hooks, { body: '[1]' }, 400, 'malformed'],
    ['an agent that nobody knows', '/v1/hooks/nobody', { body: payload }, 404, 'unknown-agent'],
    ['a name of JavaScript as an agent', '/v1/hooks/__proto__', { body: payload }, 404, 'unknown-agent'],
    ['a path with tricks', '/v1/hooks/..%2f..%2fetc%2fpasswd', { body: payload }, 404, 'unknown-agent'],
    ['a path that is not there', '/v1/events', { body: payload }, 404, 'not-found'],
    ['a method that is not there', hooks, { method: 'GET' }, 404, 'not-found'],
    ['too much', hooks, { body: JSON.stringify({ text: 'x'.repeat(20_000) }) }, 413, 'too-large'],
    ['too much in pieces', hooks, { headers: { 'transfer-encoding': 'chunked' }, body: 'x'.repeat(20_000) }, 413, 'too-large'],
  ])('refuses %s in one line', async (_, path, asked, status, code) => {
    const answer = await ask(open.url + path, { ...(asked.method === 'GET' ? {} : { body: payload }), ...asked });
    expect(answer.status).toBe(status);
    const { error } = JSON.parse(answer.text);
    expect(error).toEqual({ code, message: expect.stringMatching(/^expected [^\n]+\.$/) });
    expect(await ledger.sessions()).toEqual([]);
  });

  test.each(['localhost', '127.0.0.1', '[::1]:4717'])('answers to %s', async (host) => {
    expect((await ask(`${open.url}/healthz`, { method: 'GET', headers: { host } })).status).toBe(200);
  });

  test('answers its own pages', async () => {
    const headers = { origin: origin(open.url), 'sec-fetch-site': 'same-origin' };
    expect((await ask(`${open.url}/healthz`, { method: 'GET', headers })).status).toBe(200);
  });

  test('hangs up on a body that does not come, and goes on', async () => {
    const head = `POST ${hooks} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n`;
    const answer = await raw(open.url, (write) => write(`${head}{"session_id":`));
    expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
    expect((await ask(`${open.url}/healthz`, { method: 'GET' })).status).toBe(200);
  });

  test.each([
    ['what is no HTTP', 'hello\r\n\r\n'],
    ['two lengths', `POST ${hooks} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['no Host', `POST ${hooks} HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}`],
    ['a Host that is no name', `POST ${hooks} HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`],
  ])('refuses %s', async (_, bytes) => {
    expect(await raw(open.url, (write) => write(bytes))).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  test('takes what no agent would send for nothing to say', async () => {
    const { status, text } = await ask(open.url + hooks, { body: '{"a":{"__proto__":{"x":1}},"hook_event_name":7}' });
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
    const { status, text, headers: answered } = await ask(closed.url + hooks, { headers, body: payload });
    expect(status).toBe(401);
    expect(answered['www-authenticate']).toBe('Bearer');
    expect(text).not.toContain(TOKEN);
  });

  test('answers with it, whatever it is called', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, host: 'unrut.example' };
    expect((await ask(closed.url + hooks, { headers, body: payload })).status).toBe(200);
  });
});

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.0.7', false],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
])('%s is loopback: %j', (hostname, expected) => expect(isLoopback(hostname)).toBe(expected));
