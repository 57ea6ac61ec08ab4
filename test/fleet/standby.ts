import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { query } from './databases.ts';
import {
  startPostgres,
  type TestPostgres,
  unprivilegedFolder,
  unprivilegedUser,
} from './postgres.ts';
import { postgresBinaries } from './postgres-binaries.ts';

/** Whether the programs that copy a Postgres are there: Debian has them, npm's package has not. */
export const canCopy: boolean = existsSync(join(await postgresBinaries(), 'pg_basebackup'));

/** Settings of a Postgres with replicas. It does not wait for a missing standby. */
export const COPIED: readonly string[] = [
  'wal_level = replica',
  'max_wal_senders = 10',
  'hot_standby = on',
  'wal_keep_size = 256MB',
];

/**
 * A copy of a Postgres while it works, as `pg_basebackup` makes it. With `port` it follows that
 * Postgres.
 */
export async function copyOf(primary: TestPostgres, port?: number): Promise<TestPostgres> {
  const folder = unprivilegedFolder();
  const from = ['-h', '127.0.0.1', '-p', String(port ?? primary.port), '-U', 'postgres'];
  const options = [
    ...from,
    '-D',
    join(folder, 'data'),
    '-X',
    'stream',
    '-c',
    'fast',
    ...(port === undefined ? [] : ['-R']),
  ];
  // It may replicate through a proxy of this process.
  await promisify(execFile)(join(primary.binaries, 'pg_basebackup'), options, {
    ...unprivilegedUser(),
    cwd: folder,
  });
  return startPostgres({ folder, settings: [...COPIED, "synchronous_standby_names = ''"] });
}

/**
 * Waits until a standby has all that its primary has; from then on, commits wait for it if
 * `isSynchronous`.
 */
export async function follow(primary: TestPostgres, isSynchronous: boolean): Promise<void> {
  const url = primary.url('postgres');
  const isAttached = async (): Promise<boolean> =>
    (await query<{ state: string }>(url, 'SELECT state FROM pg_stat_replication')).some(
      ({ state }) => state === 'streaming',
    );
  while (!(await isAttached())) await new Promise((resolve) => setTimeout(resolve, 50));
  if (isSynchronous) await setting(primary, "synchronous_standby_names = '*'");
}

/** Changes a setting of a Postgres that runs. */
async function setting(postgres: TestPostgres, line: string): Promise<void> {
  const url = postgres.url('postgres');
  await query(url, `ALTER SYSTEM SET ${line}`);
  await query(url, 'SELECT pg_reload_conf()');
}

/** Makes a standby the primary. */
export async function promote(standby: TestPostgres): Promise<void> {
  await query(standby.url('postgres'), 'SELECT pg_promote()');
}
