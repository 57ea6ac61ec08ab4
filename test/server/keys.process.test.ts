import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { makeKey } from '@unrut/server/keys';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { documentOf } from '../../packages/server/src/routes.ts';
import { bundledPrograms } from '../bundled-programs.ts';
import { newFolder } from '../ledger-files.ts';
import { ask } from './request.ts';
import { startProgram } from './served.ts';

const { cli } = bundledPrograms();
const TOKEN = 'the-token-of-one-person';

/** `unrut key` on the ledger of a home. */
function key(
  home: string,
  ...args: string[]
): { status: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, UNRUT_HOME: home };
  return spawnSync(process.execPath, [cli, 'key', ...args], { encoding: 'utf8', env });
}
const added = (home: string, scope: string, ...more: string[]): string =>
  key(home, 'add', `for ${scope}`, '--scope', scope, ...more).stdout.trim();

/** What nobody but the owner of a key knows: it may begin with an underscore itself. */
const secretOf = (each: string): string => each.replace(/^unrut_[^_]+_/, '');

const event = JSON.stringify({ type: 'user-spoke', session: 's', at: 1_794_800_000_000, id: 'e' });
const report = (url: string, bearer?: string) =>
  ask(`${url}/v1/events`, {
    body: event,
    headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
  });
const look = (url: string, path: string, bearer: string) =>
  ask(url + path, { method: 'GET', headers: { authorization: `Bearer ${bearer}` } });

/** Asks until the answer has the status: a server looks at its keys every few seconds. */
async function until(status: number, act: () => ReturnType<typeof ask>): Promise<void> {
  await vi.waitFor(async () => expect((await act()).status).toBe(status), {
    timeout: 60_000,
    interval: 100,
  });
}

describe('keys', () => {
  const home = newFolder();
  const keys = { ingest: '', read: '', admin: '', both: '' };
  let url = '';
  beforeAll(async () => {
    Object.assign(keys, {
      ingest: added(home, 'ingest'),
      read: added(home, 'read'),
      admin: added(home, 'admin'),
      both: added(home, 'ingest,read'),
    });
    ({ url } = await startProgram(cli, home, 0, { UNRUT_TOKEN: TOKEN }, ['--rate', '10000000']));
  });

  test('learn from /v1/me whether they are those of an admin', async () => {
    const admins: string[] = [];
    for (const [name, bearer] of Object.entries(keys)) {
      const headers = { authorization: `Bearer ${bearer}` };
      const { text } = await ask(`${url}/v1/me`, { method: 'GET', headers });
      if (JSON.parse(text).admin) admins.push(name);
    }
    expect(admins).toEqual(['admin']);
  });

  test('have the form unrut_<id>_<secret> and 256 bits', () => {
    for (const each of Object.values(keys)) expect(each).toMatch(/^unrut_[0-9a-f]{12}_[\w-]{43}$/);
    expect(new Set(Object.values(keys)).size).toBe(4);
  });

  /** Every route of the document, by the first of its tags. */
  const operations = Object.entries(documentOf('0').paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags, security }]) => ({
      path,
      method: method.toUpperCase(),
      tag: tags[0]!,
      isOpen: security?.length === 0,
    })),
  );
  const NEEDED: Record<string, readonly (keyof typeof keys)[]> = {
    report: ['ingest', 'both', 'admin'],
    look: ['read', 'both', 'admin'],
    metrics: ['read', 'both', 'admin'],
    'computer use': ['admin'],
    act: ['admin'],
    operate: ['ingest', 'read', 'both', 'admin'],
  };
  test.each(operations)(
    'may do at $method $path what their scopes say',
    async ({ path, method, tag, isOpen }) => {
      const where = `${url}${path.replace('{agent}', 'claude-code').replace('{id}', 'x')}`;
      for (const [name, bearer] of Object.entries({
        ...keys,
        nobody: 'unrut_000000000000_x',
        none: '',
      })) {
        const asked = {
          method,
          headers: { authorization: `Bearer ${bearer}` },
          ...(method === 'POST' ? { body: '{}' } : {}),
        };
        if (path === '/v1/stream') Object.assign(asked, { method: 'HEAD' });
        const { status, text } = await ask(where, asked);
        const code = /"code":"([\w-]+)"/.exec(text)?.[1];
        const isKnown = name in keys;
        if (isOpen) expect(status, name).toBe(200);
        else if (!isKnown)
          expect([status, code ?? 'wrong-token'], name).toEqual([401, 'wrong-token']);
        else if (NEEDED[tag]!.includes(name as keyof typeof keys))
          expect([401, 405, 429], name).not.toContain(status);
        else expect([status, code ?? 'wrong-scope'], name).toEqual([403, 'wrong-scope']);
        if (isKnown && NEEDED[tag]!.includes(name as keyof typeof keys))
          expect(code, name).not.toBe('wrong-scope');
      }
    },
  );

  test('are added and revoked while the server runs, and the token still works', async () => {
    const fresh = added(home, 'ingest');
    await until(200, () => report(url, fresh));
    const [, id = ''] = fresh.split('_');
    expect(key(home, 'revoke', id).stdout).toContain(`Revoked key ${id}`);
    await until(401, () => report(url, fresh));
    expect(key(home, 'revoke', id)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no key'),
    });
    expect((await report(url, TOKEN)).status).toBe(200);
    expect((await look(url, '/v1/status', TOKEN)).status).toBe(200);
    expect((await report(url)).status).toBe(401);
  });

  test('are known only as hashes, and listed with when they were used', async () => {
    await until(200, () => report(url, keys.ingest));
    const listed = JSON.parse(key(home, 'list', '--json').stdout).keys;
    const [, id] = keys.ingest.split('_');
    expect(listed.find((each: { id: string }) => each.id === id)).toEqual({
      id,
      name: 'for ingest',
      scopes: ['ingest'],
      created: expect.any(Number),
      lastUsed: expect.any(Number),
    });
    const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
    await ledger.forget();
    const stored = JSON.stringify(await ledger.keys!.list());
    await ledger.close();
    for (const each of Object.values(keys))
      expect(stored + key(home, 'list').stdout).not.toContain(secretOf(each));
    expect((await report(url, keys.ingest)).status).toBe(200);
  });

  test('work no longer than they are said to', async () => {
    const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
    const { key: old, stored } = makeKey(
      { name: 'old', scopes: ['admin'], expires: Date.now() - 1 },
      0,
    );
    const { key: young, stored: valid } = makeKey(
      { name: 'young', scopes: ['admin'], expires: Date.now() + 600_000 },
      0,
    );
    for (const each of [stored, valid]) await ledger.keys!.add(each);
    await ledger.close();
    await until(200, () => report(url, young));
    expect((await report(url, old)).status).toBe(401);
    expect(key(home, 'list').stdout).toContain(`${stored.id}  admin  expired`);
  });
});

test('a server for others starts with a key and no token, and asks everybody for one', async () => {
  const home = newFolder();
  const bearer = added(home, 'read', '--expires', '1d');
  const { url } = await startProgram(cli, home, 0, { UNRUT_TOKEN: '' }, [
    '--public-url',
    'https://unrut.example',
  ]);
  expect((await look(url, '/v1/status', bearer)).status).toBe(200);
  expect((await ask(`${url}/v1/status`, { method: 'GET' })).status).toBe(401);
  expect((await report(url, bearer)).status).toBe(403);
});
