import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DASHBOARD_PAGES } from '@unrut/server/dashboard-pages';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard, root } from '../../scripts/build.ts';
import { newFolder, newPath } from '../ledger-files.ts';
import { builtDashboard } from './dashboard-server.ts';
import { ask } from './request.ts';
import { served } from './served.ts';

const TOKEN = 'a-token-of-some-length';
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

describe('the files of the dashboard', () => {
  let url: string;
  let asset: string;
  let folder: string;
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    ask(url + path, { method, headers });

  beforeAll(async () => {
    folder = await builtDashboard();
    ({ url } = await served(newPath(), { dashboard: folder, token: TOKEN }));
    const { text } = await get('/');
    asset = /src="(\/assets\/[^"]+\.js)"/.exec(text)![1]!;
  }, 120_000);

  it.each(DASHBOARD_PAGES.map((page) => [page]))(
    'show the page at %s without a token, under a strict policy',
    async (page) => {
      const { status, headers, text } = await get(`${page}?id=a%2Fb`);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ]);
      expect(headers['content-security-policy']).toBe(POLICY);
      expect(text).toContain('<div id="app">');
      expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|https?:/);
    },
  );

  it('are 120 KB at most on the way to the reader', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const packed = files.map(
      ({ parentPath, name }) => gzipSync(readFileSync(join(parentPath, name))).length,
    );
    expect(packed.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(120_000);
  });

  it('can be kept for good where their names change with what is in them', async () => {
    const { status, headers, text } = await get(asset);
    expect(text).not.toContain(root);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
  });

  it('are not sent again to those who have them', async () => {
    const { headers } = await get('/');
    const again = await get('/', { 'if-none-match': `"other", W/${headers.etag}` });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
    expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('are opened by a link on another site, whose scripts get nothing from the API', async () => {
    const fromElsewhere = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect((await get('/session?id=a', fromElsewhere)).status).toBe(200);
    expect(
      (await get('/v1/sessions', { ...fromElsewhere, authorization: `Bearer ${TOKEN}` })).status,
    ).toBe(403);
  });

  it('are not shown by a name that is not ours', async () => {
    expect((await get('/', { host: 'evil.example' })).status).toBe(403);
  });

  it.each([
    '/index.htm',
    '/assets/',
    '/assets/../index.html/x',
    '/assets/%2e%2e/%2e%2e/package.json',
    '//etc/passwd',
    '/sessions',
    '/session/',
  ])('are no others than those that were built: %s', async (path) => {
    expect((await get(path)).status).toBe(401);
    expect((await get(path, { authorization: `Bearer ${TOKEN}` })).status).toBe(404);
  });

  it('answer to nothing but a look', async () => {
    const head = await get('/', {}, 'HEAD');
    expect([head.status, head.text, head.headers['content-type']]).toEqual([
      200,
      '',
      'text/html; charset=utf-8',
    ]);
    expect((await get('/', { authorization: `Bearer ${TOKEN}` }, 'POST')).status).toBe(404);
  });
});

describe('a dashboard that has not been built', () => {
  it('says so, and how to build it, on every page', async () => {
    const { url } = await served(newPath(), { dashboard: join(newFolder(), 'nowhere') });
    for (const page of DASHBOARD_PAGES) {
      const { status, text, headers } = await ask(url + page, { method: 'GET' });
      expect([status, headers['content-security-policy']]).toEqual([503, POLICY]);
      expect(text).toBe(
        'The dashboard has not been built. Run npm run build in the Unrut checkout, then reload this page.\n',
      );
    }
  });

  it('is shown as soon as it has been', async () => {
    const folder = newFolder();
    const { url } = await served(newPath(), { dashboard: folder });
    expect((await ask(url, { method: 'GET' })).status).toBe(503);
    await buildDashboard(folder);
    expect((await ask(url, { method: 'GET' })).status).toBe(200);
  });
});
