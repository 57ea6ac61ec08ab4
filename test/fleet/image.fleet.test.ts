import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { sharedDatabases } from './fleet-databases.ts';
import { canIsolate, imageRoot, inDockerfile, startInImage } from './image.ts';

const entry = inDockerfile('ENTRYPOINT');

test.runIf(canIsolate)('the image runs as nobody, on a root that is read-only', async () => {
  const root = imageRoot();
  const run = async (...command: string[]) => {
    const child = startInImage(root, command, {});
    const [out, error, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { out, error, code };
  };
  expect(await run(...entry, '--version')).toMatchObject({ code: 0, error: '' });
  const script = `
    const { writeFileSync, existsSync } = require('node:fs');
    const tries = ['/x', '/tmp/x', '/app/x'].map((file) => { try { writeFileSync(file, ''); return 'written'; } catch (error) { return error.code; } });
    console.log(JSON.stringify({ uid: process.getuid(), gid: process.getgid(), groups: process.getgroups(), tries, shell: existsSync('/bin/sh') }));`;
  const { out } = await run('node', '-e', script);
  expect(JSON.parse(out)).toEqual({
    uid: 65532,
    gid: 65532,
    groups: [65532],
    tries: ['EROFS', 'EROFS', 'EROFS'],
    shell: false,
  });
});

test.runIf(canIsolate)(
  'the image migrates and serves on Postgres, with its secrets in files and nothing to write to',
  async () => {
    const databases = sharedDatabases();
    const name = await databases.emptyDatabase();
    const root = imageRoot();
    mkdirSync(join(root, 'secrets'));
    const secret = (file: string, content: string): void =>
      writeFileSync(join(root, 'secrets', file), `${content}\n`, { mode: 0o444 });
    secret('owner', databases.url(name, 'unrut_owner'));
    secret('server', databases.url(name, 'unrut_app'));
    secret('token', 'correct-horse-battery');
    const migrating = startInImage(root, [...entry, 'ledger', 'migrate'], {
      UNRUT_LEDGER_FILE: '/secrets/owner',
    });
    const [said, wrong, [code]] = await Promise.all([
      text(migrating.stdout),
      text(migrating.stderr),
      once(migrating, 'close'),
    ]);
    expect([code, wrong]).toEqual([0, '']);
    expect(said).toContain('Brought the schema from version 0');
    const command = inDockerfile('CMD').map((word) => (word === '0.0.0.0' ? '127.0.0.1' : word));
    const child = startInImage(root, [...entry, ...command, '--port', '0'], {
      UNRUT_LEDGER_FILE: '/secrets/server',
      UNRUT_TOKEN_FILE: '/secrets/token',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [data] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /http:\/\/[^,\s]+/.exec(data.toString())![0];
    const headers = { authorization: 'Bearer correct-horse-battery' };
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const body = JSON.stringify({
      type: 'user-spoke',
      session: 's',
      at: 1_790_000_000_000,
      id: 'e',
    });
    expect((await fetch(`${url}/v1/events`, { method: 'POST', body, headers })).status).toBe(200);
    expect((await fetch(`${url}/v1/events`, { method: 'POST', body })).status).toBe(401);
  },
);
