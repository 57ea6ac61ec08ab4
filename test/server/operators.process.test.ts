import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { createLog, type LogFormat } from '@unrut/server/log';
import { describe, expect, test } from 'vitest';
import { newPath } from '../ledger-files.ts';
import { listen } from './listen.ts';
import { ask } from './request.ts';
import { record } from './seeded-ledger.ts';
import { seededServer } from './seeded-server.ts';
import { lookup, served, tellEvents } from './served.ts';

const SECRET = 'sk-ant-api03-Zx81kQpLmN02bVcXyTrEwQaSdFgHjKlPoIuY';
const get = (url: string, headers: Record<string, string> = {}) =>
  ask(url, { method: 'GET', headers });

function logged(format: LogFormat = 'json') {
  const lines: string[] = [];
  return {
    lines,
    log: createLog({ format, write: (line) => void lines.push(line) }),
    read: () => lines.map((line) => JSON.parse(line)),
  };
}

/** A ledger whose writes do what is said: nothing wrong, no end, an error. */
function fickle(path: string) {
  const ledger = createSqliteLedger({ path });
  const state = { mood: 'fine' as 'fine' | 'endless' | 'full' };
  const update: typeof ledger.update = (...given) => {
    if (state.mood === 'endless') return new Promise(() => undefined);
    if (state.mood === 'full') return Promise.reject(new Error('database or disk is full'));
    return ledger.update(...given);
  };
  return { state, ledger: { ...ledger, update } };
}

/** When the server has found out. */
async function until(url: string, status: number): Promise<void> {
  while ((await get(url)).status !== status)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('a step that does not end', () => {
  test('is ended: 503, a red /readyz, a line in the log, and later ones continue', async () => {
    const { state, ledger } = fickle(newPath());
    const { read, log } = logged();
    const { url } = await served('', { ledger, log, longestStep: 300 });
    await tellEvents(url, lookup(0));
    expect((await get(`${url}/readyz`)).status).toBe(200);
    state.mood = 'endless';
    const asked = await Promise.all(
      [1, 2, 3].map((i) => ask(`${url}/v1/events`, { body: JSON.stringify(lookup(i)) })),
    );
    for (const { status, text } of asked)
      expect([status, JSON.parse(text).code]).toEqual([503, 'ledger-unusable']);
    await until(`${url}/readyz`, 503);
    expect((await get(`${url}/livez`)).status).toBe(200);
    expect(read()).toContainEqual(
      expect.objectContaining({
        level: 'error',
        event: 'ended',
        detail: expect.stringContaining('did not end'),
      }),
    );
    state.mood = 'fine';
    expect(
      await tellEvents(
        url,
        [1, 2, 3].map((i) => lookup(i)),
      ),
    ).toHaveLength(3);
    await until(`${url}/readyz`, 200);
    expect((await ledger.sessions()).map(({ events }) => events)).toEqual([4]);
  });

  test('leaves agents alone: a hook gets an empty answer', async () => {
    const { state, ledger } = fickle(newPath());
    const { url } = await served('', { ledger, longestStep: 100 });
    state.mood = 'endless';
    const body = JSON.stringify({
      session_id: 's',
      cwd: '/',
      hook_event_name: 'PreToolUse',
      tool_name: 'Read',
      tool_input: {},
      tool_use_id: 't',
    });
    expect(await ask(`${url}/v1/hooks/claude-code`, { body })).toMatchObject({
      status: 200,
      text: '{}',
    });
  });
});

describe('probes', () => {
  test('need no token and hold no data', async () => {
    const { url } = await served(newPath(), { token: 'a-long-enough-token' });
    for (const path of ['/livez', '/readyz']) {
      const { status, text } = await get(url + path);
      expect({ status, text }, path).toEqual({ status: 200, text: '{"ok":true}' });
    }
    expect((await get(`${url}/openapi.json`)).status).toBe(401);
  });

  test('/readyz proves a write: a full disk turns it red, and /livez stays green', async () => {
    const { state, ledger } = fickle(newPath());
    const { read, log } = logged();
    const { url } = await served('', { ledger, log });
    expect((await get(`${url}/readyz`)).status).toBe(200);
    state.mood = 'full';
    expect((await ask(`${url}/v1/events`, { body: JSON.stringify(lookup(0)) })).status).toBe(503);
    await until(`${url}/readyz`, 503);
    const { text, headers } = await get(`${url}/readyz`);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(text)).toMatchObject({ status: 503, code: 'not-ready' });
    expect(text).not.toContain('disk');
    expect((await get(`${url}/livez`)).status).toBe(200);
    expect(read()).toContainEqual(
      expect.objectContaining({
        event: 'fault',
        code: 'ledger',
        detail: 'database or disk is full',
      }),
    );
    state.mood = 'fine';
    await until(`${url}/readyz`, 200);
  });

  test('are red while the server stops', async () => {
    const stop = new AbortController();
    const { url } = await served(newPath(), { signal: stop.signal });
    stop.abort();
    expect([(await get(`${url}/livez`)).status, (await get(`${url}/readyz`)).status]).toEqual([
      200, 503,
    ]);
  });
});

describe('the log', () => {
  test('has a line for each refusal, without secrets', async () => {
    const { lines, read, log } = logged();
    const { url } = await served(newPath(), { log, token: 'a-long-enough-token' });
    await get(`${url}/v1/nothing?token=${SECRET}`, { authorization: `Bearer ${SECRET}` });
    await get(`${url}/v1/${SECRET}`, { authorization: 'Bearer a-long-enough-token' });
    await ask(`${url}/v1/events`, {
      headers: { authorization: 'Bearer a-long-enough-token', 'content-type': 'image/png' },
      body: SECRET,
    });
    expect(
      read().map(({ event, level, status, code }) => ({ event, level, status, code })),
    ).toEqual([
      { event: 'refused', level: 'warn', status: 401, code: 'wrong-token' },
      { event: 'refused', level: 'warn', status: 404, code: 'not-found' },
      { event: 'refused', level: 'warn', status: 415, code: 'wrong-type' },
    ]);
    expect(lines.join()).not.toContain(SECRET);
    expect(lines.join()).not.toContain('a-long-enough-token');
  });

  test('is limited, and says what is missing', () => {
    let now = 0;
    const lines: string[] = [];
    const log = createLog({ write: (line) => void lines.push(line), now: () => now });
    for (let i = 0; i < 500; i++) log({ event: 'refused', level: 'warn', code: 'wrong-token' });
    log({ event: 'fault', level: 'error', code: 'other', detail: 'a\nb' });
    expect([lines.length, log.suppressed]).toEqual([11, 490]);
    expect(lines.at(-1)).toBe('1970-01-01T00:00:00.000Z error fault other: a b');
    now = 20_000;
    log({ event: 'refused', level: 'warn', code: 'wrong-token' });
    expect(lines.at(-1)).toBe(
      '1970-01-01T00:00:20.000Z warn refused wrong-token (490 more lines like this were not written)',
    );
  });

  test('and the metrics tell the same', async () => {
    const { log } = logged();
    const server = await seededServer({ log });
    await server.look('/v1/sessions?bogus=1');
    await server.look('/nowhere');
    const { text } = await server.look('/metrics');
    for (const line of [
      'unrut_refusals_total{code="bad-query"} 1',
      'unrut_refusals_total{code="not-found"} 1',
      'unrut_ready 1',
    ])
      expect(text).toContain(line);
    expect(text).toMatch(/^unrut_ledger_steps_total\{result="ok"\} \d+$/m);
    expect(text).toMatch(/^unrut_under_way_bytes 0$/m);
    expect(text).toMatch(/^unrut_sessions_in_memory_bytes [1-9]\d+$/m);
  });
});

describe('a wrong method', () => {
  test.each([
    ['GET', '/v1/events', 'POST'],
    ['DELETE', '/v1/sessions/x', 'GET, HEAD'],
    ['PUT', '/livez', 'GET, HEAD'],
    ['POST', '/metrics', 'GET, HEAD'],
  ])('%s %s is 405, with what is allowed', async (method, path, allow) => {
    const { url } = await served(newPath());
    const { status, headers, text } = await ask(url + path, { method });
    expect([status, headers.allow, JSON.parse(text).code]).toEqual([405, allow, 'wrong-method']);
  });
});

test.each([
  ['/v1/events', { 'content-encoding': 'br' }, 'wrong-encoding'],
  ['/v1/hooks/claude-code', { 'content-encoding': 'zstd' }, 'wrong-encoding'],
  ['/v1/events', { 'content-type': 'application/x-protobuf' }, 'wrong-type'],
  ['/v1/hooks/claude-code', { 'content-type': 'multipart/form-data; boundary=x' }, 'wrong-type'],
])('%s with %j is 415', async (path, headers, code) => {
  const { url } = await served(newPath());
  const { status, text } = await ask(url + path, {
    headers: headers as Record<string, string>,
    body: '{}',
  });
  expect([status, JSON.parse(text).code]).toEqual([415, code]);
});

test('300 listeners hear of an entry by one look at the ledger', async () => {
  const server = await seededServer();
  let looks = 0;
  const { feed } = server.reading.reports;
  const { after } = feed;
  feed.after = (...given) => {
    looks++;
    return after(...given);
  };
  const listening = await Promise.all(
    Array.from({ length: 300 }, () => listen(`${server.url}/v1/stream?session=heard`)),
  );
  expect(new Set(listening.map(({ status }) => status))).toEqual(new Set([200]));
  const before = looks;
  await record(server.ledger, {
    session: 'heard',
    lines: ['Read {"file_path":"/a.ts"} -> "x"'],
    until: Date.now(),
  });
  await Promise.all(listening.map((each) => each.until(({ messages }) => messages.length > 0)));
  expect(looks - before).toBeLessThan(30);
  for (const each of listening) each.close();
});
