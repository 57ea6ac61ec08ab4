import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { newFolder } from '../ledger-files.ts';

const { cli } = bundledPrograms();
const fixture = (name: string): string => join(import.meta.dirname, '../fixtures/tls', name);

/** Whose certificate a server shows. */
function nameShown(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

test('speaks TLS, takes a new certificate while it runs, and keeps the old one when the new one is broken', async () => {
  const folder = newFolder();
  const [cert, key] = [join(folder, 'tls.pem'), join(folder, 'tls.key')];
  const put = (name: string): void => {
    copyFileSync(fixture(`${name}.key`), key);
    copyFileSync(fixture(`${name}.pem`), cert);
  };
  put('first');
  const env = { ...process.env, UNRUT_HOME: folder };
  const child = spawn(
    process.execPath,
    [cli, 'serve', '--port', '0', '--tls-cert', cert, '--tls-key', key],
    { env },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', (data: Buffer) => {
    log += data;
  });
  const [data] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(data.toString())![1]);
  expect(await nameShown(port)).toBe('first');
  put('second');
  await expect.poll(() => nameShown(port), { timeout: 30_000 }).toBe('second');
  writeFileSync(cert, 'no certificate');
  await expect.poll(() => log, { timeout: 30_000 }).toContain('The one before stays in use.');
  expect(await nameShown(port)).toBe('second');
});

test('does not begin with a key that does not fit', () => {
  const args = [
    cli,
    'serve',
    '--port',
    '0',
    '--tls-cert',
    fixture('first.pem'),
    '--tls-key',
    fixture('second.key'),
  ];
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, UNRUT_HOME: newFolder() },
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stderr).toMatch(
    /^\[unrut\] Cannot use \S+first\.pem with \S+second\.key for TLS: [^\n]+\n$/,
  );
});
