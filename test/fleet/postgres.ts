import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databasesAt, query, ROLES, type TestDatabases } from './databases.ts';
import { postgresBinaries } from './postgres-binaries.ts';

/** A Postgres of our own, on a free port. */
export interface TestPostgres extends TestDatabases {
  /** Of its programs, and of its data. */
  readonly binaries: string;
  readonly folder: string;
  /** `immediate` is a crash, `fast` ends all connections in order. */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
  /** Starts again after `stop`; does nothing if it runs. */
  start(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

export interface TestPostgresOptions {
  /** Lines for `postgresql.conf`, e.g. `max_connections = 20`. */
  settings?: readonly string[];
  /** A folder with a cluster in it already, such as a copy of another's. */
  folder?: string;
}

/** Small, and as careful as in production: a server refuses a database that does not flush. */
const SETTINGS = [
  'shared_buffers = 64MB',
  'max_connections = 150',
  'max_wal_size = 512MB',
  'timezone = UTC',
  'log_min_messages = warning',
];

/** The user for programs that refuse to run as root; undefined if we are not root. */
export function unprivilegedUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string, name: string): number =>
    Number.parseInt(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout, 10);
  const name = ['postgres', 'nobody'].find((each) => Number.isInteger(idOf('-u', each)));
  if (name === undefined)
    throw new Error('Postgres needs an unprivileged user: add one called postgres.');
  return { uid: idOf('-u', name), gid: idOf('-g', name) };
}

/** A new folder that this user owns. */
export function unprivilegedFolder(): string {
  const { uid, gid } = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'unrut-postgres-'));
  if (uid !== undefined) chownSync(folder, uid, gid!);
  return folder;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts it, and makes the roles: `unrut_owner` owns the tables, `unrut_app` is a server. */
export async function startPostgres({
  settings = [],
  folder: given,
}: TestPostgresOptions = {}): Promise<TestPostgres> {
  const binaries = await postgresBinaries();
  const user = unprivilegedUser();
  const folder = given ?? unprivilegedFolder();
  const data = join(folder, 'data');
  const log = join(folder, 'log');
  const port = await freePort();
  if (given === undefined) {
    const options = [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ];
    execFileSync(join(binaries, 'initdb'), options, { ...user, cwd: folder, stdio: 'pipe' });
  }
  let server: ChildProcess | undefined;
  const databases = databasesAt(port);
  const isUp = (): Promise<boolean> =>
    query(databases.url('postgres'), 'SELECT 1').then(
      () => true,
      () => false,
    );

  const isRunning = (): boolean =>
    server !== undefined && server.exitCode === null && server.signalCode === null;

  async function start(): Promise<void> {
    if (isRunning()) return;
    const all = [
      ...SETTINGS,
      ...settings,
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
      `port = ${port}`,
    ];
    const options = all.flatMap((line) => ['-c', line.replace(/ = '?(.*?)'?$/, '=$1')]);
    const output = openSync(log, 'a');
    const started = spawn(join(binaries, 'postgres'), ['-D', data, ...options], {
      ...user,
      cwd: folder,
      stdio: ['ignore', output, output],
    });
    server = started;
    while (!(await isUp())) {
      if (started.exitCode !== null)
        throw new Error(`Postgres did not start:\n${readFileSync(log, 'utf8')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    if (!isRunning()) return;
    const ended = once(server!, 'exit');
    server!.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  await start();
  if (given === undefined) await query(databases.url('postgres'), ROLES);
  return {
    ...databases,
    binaries,
    folder,
    stop,
    start,
    async remove() {
      await stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
