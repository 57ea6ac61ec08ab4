import { existsSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createListener, type Socket } from 'node:net';
import { join } from 'node:path';
import { hash64 } from '@unrut/engine/hash';
import { sessionHash } from '@unrut/engine/session-header';
import { expect, onTestFinished, test } from 'vitest';
import type { Payload } from '../hosts/hook-process.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { newPath } from '../ledger-files.ts';
import { served } from '../server/served.ts';
import { HOOK, hostsIn, newFolder, runHook, SILENT, UNSIGNED } from './hook-command.ts';

const claude = LOOPING['claude-code'];
const token = 'correct-horse-battery';

test('a hook with UNRUT_SERVER has the answers of that server, which records in its place', async () => {
  const home = newFolder();
  const { url, ledger } = await served(newPath(), { token });
  const environment = { UNRUT_SERVER: url, UNRUT_TOKEN: token };
  const printed: string[] = [];
  for (let n = 1; n <= 4; n++)
    for (const payload of [claude.before(n), ...claude.after(n)])
      printed.push((await runHook(home, payload, environment)).stdout);
  expect(printed.filter((text) => text !== '')).toHaveLength(2);
  expect(
    claude.refuses!(
      JSON.parse((await runHook(home, claude.before(5), environment)).stdout) as Payload,
    ),
  ).toBe(true);
  expect((await ledger.sessions()).map(({ session }) => session)).toEqual([
    claude.before(1).session_id,
  ]);
  expect(existsSync(join(home, 'ledger.db'))).toBe(false);
});

test('a hook whose command names its agent passes the name to the server', async () => {
  const { url, ledger } = await served(newPath());
  await runHook(newFolder(), UNSIGNED, { UNRUT_SERVER: url }, ['factory']);
  expect(await hostsIn(ledger)).toEqual(['factory']);
});

test('its key can stand in a file', async () => {
  const { url, ledger } = await served(newPath(), { token });
  const file = join(newFolder(), 'token');
  writeFileSync(file, `${token}\n`);
  await runHook(newFolder(), claude.before(1), { UNRUT_SERVER: url, UNRUT_TOKEN_FILE: file });
  expect(await ledger.sessions()).toHaveLength(1);
});

test('the user is warned at the start of a session if the server refuses its key, or its file is missing', async () => {
  const { url } = await served(newPath(), { token });
  const start = {
    session_id: 's',
    transcript_path: '/none.jsonl',
    cwd: '/',
    hook_event_name: 'SessionStart',
    source: 'startup',
  };
  for (const [environment, why] of [
    [{ UNRUT_TOKEN: 'another-long-token' }, `${url} does not know the key in UNRUT_TOKEN (401).`],
    [{ UNRUT_TOKEN_FILE: '/none/ana' }, 'Cannot read UNRUT_TOKEN_FILE, /none/ana: ENOENT.'],
  ] as const) {
    const told = await runHook(newFolder(), start, { UNRUT_SERVER: url, ...environment });
    expect([told.code, told.stderr, (JSON.parse(told.stdout) as Payload).systemMessage]).toEqual([
      ...[0, '', `Unrut cannot record here, so it detects no loops: ${why} See unrut doctor.`],
    ]);
  }
});

test.each(['copilot', 'codex'] as const)('%s ends as it would without a server', async (name) => {
  const host = LOOPING[name];
  const { url } = await served(newPath());
  const [alone, through] = [newFolder(), newFolder()];
  for (let n = 1; n <= 5; n++)
    for (const payload of [host.before(n), ...host.after(n)])
      expect(await runHook(through, payload, { UNRUT_SERVER: url })).toEqual(
        await runHook(alone, payload),
      );
});

test('it sends the hash of the session, so that a load balancer finds the server that knows it', async () => {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.end('{"stdout":"","exitCode":0}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const payload = claude.before(1);
  await runHook(newFolder(), payload, {
    UNRUT_SERVER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  expect(seen.map((headers) => headers['x-unrut-session'])).toEqual([
    sessionHash(String(payload.session_id)),
  ]);
});

test.each<[string, (url: string) => Record<string, string>]>([
  ['is not there', () => ({ UNRUT_SERVER: 'http://127.0.0.1:1' })],
  ['refuses', (url) => ({ UNRUT_SERVER: url, UNRUT_TOKEN: 'another-long-token' })],
  ['is none', () => ({ UNRUT_SERVER: 'nonsense' })],
])('a server that %s leaves the agent alone', async (_, environment) => {
  const { url } = await served(newPath(), { token });
  expect(await runHook(newFolder(), claude.before(1), environment(url))).toEqual(SILENT);
});

/** A server that takes connections and says nothing, as a stopped process does. */
async function hanging(): Promise<{ url: string; asked: () => number }> {
  const sockets: Socket[] = [];
  const server = createListener((socket) => {
    socket.on('error', () => {});
    sockets.push(socket);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => sockets.length,
  };
}

const marksIn = (home: string): string[] =>
  readdirSync(home).filter((name) => name.startsWith('away-'));

test('a server that hangs is asked once, and then not for a minute', async () => {
  const home = join(newFolder(), 'not-yet-there');
  const { url, asked } = await hanging();
  const ask = (n: number) =>
    runHook(home, claude.before(n), { UNRUT_SERVER: url }, [], HOOK, newFolder());
  for (const n of [1, 2, 3]) expect(await ask(n)).toEqual(SILENT);
  expect(asked()).toBe(1);
  const [mark = ''] = marksIn(home);
  const old = Date.now() / 1000 - 61;
  utimesSync(join(home, mark), old, old);
  for (const n of [4, 5]) expect(await ask(n)).toEqual(SILENT);
  expect(asked()).toBe(2);
});

test('another server is asked meanwhile, and one that answers again is asked as before', async () => {
  const home = newFolder();
  const { url: away } = await hanging();
  const { url, ledger } = await served(newPath());
  await runHook(home, claude.before(1), { UNRUT_SERVER: away });
  await runHook(home, claude.before(1), { UNRUT_SERVER: url });
  expect(await ledger.sessions()).toHaveLength(1);
  const [mark = ''] = marksIn(home);
  const own = join(home, `away-${hash64(url)}`);
  renameSync(join(home, mark), own);
  utimesSync(own, 1, 1);
  await runHook(home, claude.before(2), { UNRUT_SERVER: url });
  expect(marksIn(home)).toEqual([]);
});

test('a server that refuses or is not there costs nothing, and leaves no mark', async () => {
  const home = newFolder();
  for (const n of [1, 2])
    await runHook(home, claude.before(n), { UNRUT_SERVER: 'http://127.0.0.1:1' });
  expect(marksIn(home)).toEqual([]);
});
