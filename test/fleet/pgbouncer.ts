import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { fromDebian, programInPath } from '../from-debian.ts';
import { query } from './databases.ts';
import { freePort, unprivilegedFolder, unprivilegedUser } from './postgres.ts';

/**
 * The path of PgBouncer. Installs it for root; otherwise throws an error that says what to install.
 */
export const installedPgBouncer = (): string =>
  fromDebian('pgbouncer', () => programInPath('pgbouncer'), 'put it in the PATH');

/**
 * A PgBouncer in transaction mode before a Postgres. Returns the port at which it listens; it ends
 * with the test.
 */
export async function startPgBouncer(postgres: number): Promise<number> {
  const folder = unprivilegedFolder();
  const port = await freePort();
  const users = join(folder, 'users.txt');
  writeFileSync(
    users,
    ['unrut_app', 'unrut_owner', 'postgres'].map((name) => `"${name}" ""\n`).join(''),
    { mode: 0o644 },
  );
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${postgres}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
ignore_startup_parameters = extra_float_digits,statement_timeout,lock_timeout,application_name,options
`,
    { mode: 0o644 },
  );
  const child = spawn(installedPgBouncer(), [settings], {
    ...unprivilegedUser(),
    cwd: folder,
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const isUp = (): Promise<boolean> =>
    query(`postgres://postgres@127.0.0.1:${port}/postgres`, 'SELECT 1').then(
      () => true,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error('PgBouncer did not start.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return port;
}
