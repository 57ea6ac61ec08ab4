import { readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import type { CuaAnswer } from '@unrut/server/api/answers';
import { createApp } from '@unrut/server/create-app';
import { type AllowedHosts, readAllowedHosts } from '@unrut/server/cua/allowed-hosts';
import { type CuaOptions, type CuaRuns, createCuaRuns } from '@unrut/server/cua/cua-runs';
import { startServer } from '@unrut/server/start-server';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryLedger } from '../../packages/cli/src/index.ts';
import { startGatekeeper } from '../../packages/server/src/cua/gatekeeper.ts';
import { documentOf } from '../../packages/server/src/routes.ts';
import { installedChromium, LAUNCH_TIMEOUT } from '../browser/chromium.ts';
import { newFolder, newPath } from '../ledger-files.ts';
import { computerUsePages } from '../site/computer-use/pages.ts';
import { document, type Site, startSite } from '../site/site.ts';
import { callingOut, NAMES, startOutside } from './outside.ts';
import { ask } from './request.ts';

let allowed: Site;
let elsewhere: Site;
/** What was asked for on the other site. */
const reached: string[] = [];
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  process.env.CHROMIUM ??= installedChromium();
  elsewhere = await startSite({
    '/page': (request) => {
      reached.push(request.url ?? '');
      return document('Elsewhere', '<h1>Elsewhere</h1>');
    },
  });
  allowed = await startSite(computerUsePages, {
    '/leads-away': () => ({
      html: '',
      status: 302,
      headers: { location: `${elsewhere.url}/page?redirected` },
    }),
    '/links-away': document(
      'A page with a link to elsewhere',
      `<a href="${elsewhere.url}/page?link" style="display: block; font-size: 40px">Go elsewhere</a>`,
    ),
    '/embeds': document(
      'A page with parts from elsewhere',
      `<h1>Mixed</h1><img src="${elsewhere.url}/page?image"><iframe src="${elsewhere.url}/page?frame"></iframe>
<script>fetch('${elsewhere.url}/page?fetch').catch(() => {}); new WebSocket('${elsewhere.url.replace('http', 'ws')}/page?socket');</script>`,
    ),
  });
}, LAUNCH_TIMEOUT);
afterAll(async () => {
  for (const close of closing) await close();
  await Promise.all([allowed.close(), elsewhere.close()]);
});

const hostsOf = (...names: string[]): AllowedHosts =>
  readAllowedHosts(names.join(',')) as AllowedHosts;

async function serve(options: Partial<CuaOptions> = {}): Promise<{ url: string; runs: CuaRuns }> {
  const runs = createCuaRuns({ hosts: hostsOf(new URL(allowed.url).host), ...options });
  const app = createApp({
    ledger: createMemoryLedger(),
    settingsIn: () => ({ guard: {} }),
    loopbackOnly: true,
    version: '0.0.0',
    cua: runs,
  });
  const { url, close } = await startServer({ app, host: '127.0.0.1', port: 0 });
  closing.push(runs.close, close);
  return { url, runs };
}

const click = (x: number, y: number) => ({ action: { type: 'click', x, y }, reasoning: '' });
const done = { action: { type: 'done', success: true, summary: 'The entries were saved.' } };
const FIELD = click(100, 78);
const SAVE = click(60, 130);

/** Clicks on a field whose label says nothing, again and again, until it is helped. */
const taskOn = (path: string, more: object = {}) => ({
  url: allowed.url + path,
  task: 'Fill in the form and save it.',
  brain: { kind: 'scripted', script: [FIELD, FIELD, FIELD, FIELD, SAVE, done] },
  plan: { values: { 'Customer number': '48151623' } },
  allow: ['loop-recovery'],
  maxSteps: 12,
  ...more,
});

const post = async (url: string, body: unknown, query = '?wait=1') => {
  const answer = await ask(`${url}/v1/cua${query}`, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return {
    ...answer,
    run: JSON.parse(answer.text) as CuaAnswer & { error: { code: string; message: string } },
  };
};

/** What browsers that are started meanwhile write down of all that they do on the network. */
async function withNetworkLog(work: () => Promise<void>): Promise<string> {
  const chromium = process.env.CHROMIUM!;
  const [program, log] = [join(newFolder(), 'chromium'), newPath()];
  writeFileSync(program, `#!/bin/sh\nexec '${chromium}' --log-net-log='${log}' "$@"\n`, {
    mode: 0o755,
  });
  process.env.CHROMIUM = program;
  try {
    await work();
  } finally {
    process.env.CHROMIUM = chromium;
  }
  return readFileSync(log, 'utf8');
}

describe('POST /v1/cua', () => {
  test('runs a task in a browser, and tells what was forced and why', async () => {
    const { url } = await serve();
    const { status, run, text } = await post(url, taskOn('/odd-label'));
    expect(status, text).toBe(200);
    expect(run.result, text).toMatchObject({
      termination_reason: 'done',
      loop_recoveries_by_reason: { type_pending_value: 1 },
      done_rejections_by_reason: {},
      off: [],
      perceptual_summary: { checked: expect.any(Number), no_effect: expect.any(Number) },
    });
    expect(run).toMatchObject({ state: 'ended', steps: run.result!.steps, refused: [] });
    expect(run.result!.final_frame!.url).toContain('/saved');
    expect(text).not.toContain('48151623');
    const { components } = documentOf('0.0.0');
    const validate = new Ajv2020({ strict: false })
      .addSchema({ components, $id: 'api' })
      .getSchema('api#/components/schemas/CuaRun')!;
    expect(validate(run), JSON.stringify(validate.errors)).toBe(true);
  });

  test('the result is there after a restart, and reason codes are added up over runs', async () => {
    const ledger = createMemoryLedger();
    const first = await serve({ ledger });
    const { run } = await post(first.url, taskOn('/odd-label'));
    await post(first.url, taskOn('/odd-label'));
    const second = await serve({ ledger });
    const again = await ask(`${second.url}/v1/cua/${run.id}`, { method: 'GET' });
    expect(JSON.parse(again.text)).toMatchObject({
      id: run.id,
      state: 'ended',
      result: run.result,
    });
    expect(JSON.parse((await ask(`${second.url}/v1/cua`, { method: 'GET' })).text)).toEqual({
      runs: 2,
      endings: { done: 2 },
      loop_recoveries_by_reason: { type_pending_value: 2 },
      done_rejections_by_reason: {},
    });
    expect((await ask(`${second.url}/v1/cua/nobody`, { method: 'GET' })).status).toBe(404);
  });

  test('switches off what the request says', async () => {
    const { url } = await serve();
    const { run } = await post(url, taskOn('/odd-label', { off: ['loop-recovery'] }));
    expect(run.result).toMatchObject({ loop_recoveries_by_reason: {}, off: ['loop-recovery'] });
  });

  test('runs with the sound settings of a request, and reports the wrong ones', async () => {
    const { url } = await serve();
    const wrong = { allow: ['loop-recovery', 'everything'], maxSteps: -1, viewport: 'large' };
    const { run } = await post(url, taskOn('/odd-label', wrong));
    expect(run).toMatchObject({
      state: 'ended',
      result: { loop_recoveries_by_reason: { type_pending_value: 1 } },
      problems: [
        expect.stringMatching(/^Expected `maxSteps` .* Ignored\.$/),
        expect.stringMatching(/^Expected `viewport` .* Ignored\.$/),
        expect.stringMatching(/^Expected `allow\[1\]` .* Ignored\.$/),
      ],
    });
  });

  test('tells of claims of success that were refused', async () => {
    const { url } = await serve();
    const { run } = await post(
      url,
      taskOn('/odd-label', { brain: { kind: 'scripted', script: [done, done, done] } }),
    );
    expect(run.result).toMatchObject({
      termination_reason: 'done_unverified',
      done_rejections_by_reason: { pending_form_values: 2 },
    });
  });

  test.each<[string, string, object[]]>([
    ['a redirect', '/leads-away', [done]],
    ['parts of a page', '/embeds', [{ action: { type: 'wait', seconds: 1 } }, done]],
    ['a link', '/links-away', [click(100, 50), { action: { type: 'wait', seconds: 1 } }, done]],
  ])('does not let %s lead to another host', async (_, path, script) => {
    reached.length = 0;
    const { url } = await serve();
    const { run, text } = await post(
      url,
      taskOn(path, { brain: { kind: 'scripted', script }, plan: {} }),
    );
    expect(reached).toEqual([]);
    expect(run.refused, text).toContain(elsewhere.url);
  });

  test('lets no page send past the gatekeeper, nor ask for names', async () => {
    const outside = await startOutside();
    const site = await startSite({ '/calls': document('Calls', callingOut(outside)) });
    closing.push(outside.close, site.close);
    const log = await withNetworkLog(async () => {
      const { url } = await serve({ hosts: hostsOf(new URL(site.url).host) });
      const brain = { kind: 'scripted', script: [{ action: { type: 'wait', seconds: 3 } }, done] };
      const { run, text } = await post(url, {
        ...taskOn('', { brain, plan: {} }),
        url: `${site.url}/calls`,
      });
      expect(run.result?.final_frame?.url, text).toContain('#tried');
    });
    expect(outside.reached).toEqual([]);
    expect(log).toContain('/calls');
    expect(NAMES.filter((name) => log.includes(name))).toEqual([]);
  });

  test('makes one run at a time, keeps a few waiting, and refuses more', async () => {
    const { url, runs } = await serve({ mostWaiting: 1 });
    const wait = taskOn('/odd-label', {
      brain: {
        kind: 'scripted',
        script: [{ action: { type: 'wait', seconds: 1 } }, done, done, done],
      },
    });
    const [first, second, third] = [
      await post(url, wait, ''),
      await post(url, wait, ''),
      await post(url, wait, ''),
    ];
    expect([first.status, second.status, third.status]).toEqual([202, 202, 503]);
    expect(third.headers['retry-after']).toBe('30');
    expect(third.run.error.code).toBe('queue-full');
    const look = async (id: string): Promise<CuaAnswer> =>
      JSON.parse((await ask(`${url}/v1/cua/${id}`, { method: 'GET' })).text);
    expect(first.headers.location).toBe(`/v1/cua/${first.run.id}`);
    expect(await look(second.run.id)).toMatchObject({ state: 'queued', steps: 0 });
    await runs.ended(second.run.id);
    const [one, other] = [await look(first.run.id), await look(second.run.id)];
    expect(other).toMatchObject({
      state: 'ended',
      result: { termination_reason: 'done_unverified' },
    });
    expect(other.began).toBeGreaterThanOrEqual(one.ended!);
  });

  test('ends runs with the server', async () => {
    const stop = new AbortController();
    const { url, runs } = await serve({ signal: stop.signal });
    const long = taskOn('/odd-label', {
      brain: { kind: 'scripted', script: Array(50).fill({ action: { type: 'wait', seconds: 5 } }) },
    });
    const [{ run: running }, { run: waiting }] = [
      await post(url, long, ''),
      await post(url, long, ''),
    ];
    stop.abort();
    await runs.close();
    expect((await runs.get(running.id))!.state).toMatch(/ended|failed/);
    expect(await runs.get(waiting.id)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('server was stopped'),
    });
    expect((await post(url, long, '')).status).toBe(503);
  });

  test('says why there is no result', async () => {
    const gone = await startSite({});
    const { url } = await serve({ hosts: hostsOf(new URL(gone.url).host) });
    await gone.close();
    const { run } = await post(url, taskOn('/', { url: gone.url }));
    expect(run).toMatchObject({ state: 'failed', problem: expect.stringContaining('Cannot open') });
  });
});

const scripted = (action: object) => ({ brain: { kind: 'scripted', script: [{ action }] } });

describe('without a browser', () => {
  const refused = async (body: unknown, options: Partial<CuaOptions> = {}) => {
    const { url } = await serve(options);
    const { status, run } = await post(url, body);
    return `${status} ${run.error?.code} ${run.error?.message}`;
  };

  test.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /^400 malformed Expected a JSON object with url, task and brain/],
    ['no task', {}, /^400 malformed .*Expected `url` to be a string/],
    [
      'a host that is not allowed',
      { url: 'https://evil.example/' },
      /^403 wrong-host Expected a url on 127\.0\.0\.1/,
    ],
    ['another port of an allowed host', { url: 'http://127.0.0.1:1/' }, /^403 wrong-host/],
    ['a name that ends like an allowed host', { url: 'http://evil127.0.0.1/' }, /^(?:400|403) /],
    ['a file', { url: 'file:///etc/passwd' }, /^403 wrong-host .*got a file/],
    [
      'a user in the address',
      { url: 'http://127.0.0.1:1@evil.example/' },
      /^403 wrong-host .*got evil\.example/,
    ],
    [
      'an address for the model',
      { brain: { kind: 'openai', model: 'm', baseUrl: 'http://evil.example' } },
      /^400 malformed .*got baseUrl/,
    ],
    [
      'a key for the model',
      { brain: { kind: 'openai', model: 'm', apiKey: 'k' } },
      /^400 malformed .*apiKey/,
    ],
    [
      "a variable of the server's environment",
      { plan: { values: { Name: { env: 'PATH' } } } },
      /^400 malformed .*PATH, which is not set/,
    ],
    [
      'steps that are no list',
      { plan: { steps: 5 } },
      /^400 malformed .*Expected `plan\.steps` to be a list of names, got `5`\./,
    ],
    [
      'a step that is nothing',
      { plan: { steps: [null] } },
      /^400 malformed .*Expected `plan\.steps\[0\]` to be a name, .* got `null`\./,
    ],
    [
      'a step without a name',
      { plan: { steps: [{ text: 'Hello' }] } },
      /^400 malformed .*plan\.steps\[0\]/,
    ],
    [
      'an end that is none',
      { plan: { until: 'saved' } },
      /^400 malformed .*Expected `plan\.until` to be an object with url or text, got a string \(not shown\)\./,
    ],
    [
      'a sign that is no text',
      { plan: { until: { url: 7 } } },
      /^400 malformed .*Expected `plan\.until\.url` to be a string, got `7`\./,
    ],
    [
      'an action without its time',
      scripted({ type: 'wait' }),
      /^400 malformed .*script\[0\]\.action\.seconds` to be a number .* got nothing\./,
    ],
    [
      'an action that nobody knows',
      scripted({ type: 'zzz' }),
      /^400 malformed .*action\.type` to be one of click, .* got `"zzz"`\./,
    ],
    [
      'a point that is none',
      scripted({ type: 'click', x: '1', y: 2 }),
      /^400 malformed .*action\.x` to be a number, got a string \(not shown\)\./,
    ],
    [
      'a field that nobody knows',
      scripted({ type: 'key_press', keys: 'Tab', key: 1 }),
      /^400 malformed .*Unknown key `brain\.script\[0\]\.action\.key`\./,
    ],
    [
      'a proposal that is nothing',
      { brain: { kind: 'scripted', script: [done, null] } },
      /^400 malformed .*brain\.script\[1\]` .* got `null`\./,
    ],
    [
      'a proposal without an action',
      { brain: { kind: 'scripted', script: [{}] } },
      /^400 malformed .*brain\.script\[0\]\.action` /,
    ],
  ])('refuses %s in one line', async (_, more, expected) => {
    const body =
      typeof more === 'string' || Object.keys(more as object).length === 0
        ? more
        : taskOn('/odd-label', more as object);
    expect(await refused(body)).toMatch(expected);
  });

  test.each([
    ['example.com', 'example.com', 443, true],
    ['example.com', 'EXAMPLE.com.', 80, true],
    ['example.com', 'example.com', 8080, false],
    ['example.com', 'sub.example.com', 443, false],
    ['localhost:3000', 'localhost', 3000, true],
    ['localhost:3000', 'localhost', 80, false],
    ['[::1]:3000', '[::1]', 3000, true],
  ])('%s allows %s, port %i: %j', (list, hostname, port, expected) =>
    expect(hostsOf(list).allows(hostname, port)).toBe(expected),
  );

  test.each(['http://example.com', 'a b', 'example.com:99999', 'example.com/x'])(
    '%j is no host',
    (list) => expect(readAllowedHosts(list)).toEqual({ wrong: list }),
  );

  test('refuses a tunnel to another host', async () => {
    const gatekeeper = await startGatekeeper(hostsOf('example.com'));
    const { hostname, port } = new URL(gatekeeper.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = createConnection(Number(port), hostname, () =>
        socket.write('CONNECT evil.example:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'),
      );
      socket.once('data', (data) => resolve(data.toString()));
      socket.on('error', reject);
    });
    await gatekeeper.close();
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });
});
